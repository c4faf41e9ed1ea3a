import { missingTexts } from '@yagura/core/i18n/missing-texts';
import { expect, test } from 'vitest';
import { actionsOf } from '../tui/state/resource-actions.ts';
import { customCommands } from './commands.ts';
import { resources } from './meta/resources.ts';

test('every command that runs a call has a description', () => {
  const calls = resources.flatMap(({ name, calls }) =>
    Object.keys(calls)
      .filter((call) => !customCommands.has(`${name}.${call}`))
      .map((call) => [`call.${name}.${call}`, `The call "${call}" of "${name}"`] as const),
  );
  expect(calls.length).toBeGreaterThan(0);
  expect(missingTexts('call', calls)).toEqual([]);
});

test('every action of the full-screen terminal has a label', () => {
  const actions = resources.flatMap((meta) =>
    actionsOf(meta).map(({ name }) => [`tui.act.${name}`, `The action "${name}" of "${meta.name}"`] as const),
  );
  expect(actions.length).toBeGreaterThan(0);
  expect(missingTexts('tui', actions)).toEqual([]);
});
