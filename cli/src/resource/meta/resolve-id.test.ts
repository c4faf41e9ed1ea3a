import { parseFilter } from '@yagura/core/query/filter';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AskedRequest, reply, StubSpace } from '../../../test/stub-space.ts';
import { testTerminal } from '../../../test/test-terminal.ts';
import { errorMessages } from '../../command-line/report-error.ts';
import { createProgram } from '../../program.ts';

const space = new StubSpace();
beforeAll(() => space.start());
afterAll(() => space.stop());

async function program(...argv: string[]) {
  const { terminal, out } = await testTerminal({ env: space.env });
  return { root: createProgram(terminal, argv), argv, out };
}

test('an item of a resource without a list is its id, whatever its form', async () => {
  space.reset({ 'GET /api/contract/price-plans/open': { pricePlanId: 'open', displayName: 'Open' } });
  const { root, argv, out } = await program(
    'contract',
    'price-plans',
    'show',
    'open',
    '--json',
    'displayName',
  );
  await root.parseAsync(argv, { from: 'user' });
  expect(JSON.parse(out())).toEqual({ displayName: 'Open' });
  expect(space.calls).toEqual(['GET /api/contract/price-plans/open']);
});

test.each([
  ['item', 'scopes', 'show', '', '--json', 'scopeId'],
  ['item', 'scopes', 'edit', ' ', '--remarks', 'x'],
  ['items', 'scopes', 'delete', 'Database', '', '--yes'],
  ['item', 'scopes', 'rules', ''],
  ['id', 'why', ''],
  ['path', 'api', 'GET', ''],
  ['kind', 'exports', 'list', ''],
])('an empty argument <%s> is missing, and nothing is asked for: %s %s %j', async (name, ...words) => {
  space.reset();
  const { root, argv } = await program(...words);
  await expect(root.parseAsync(argv, { from: 'user' })).rejects.toMatchObject({
    messageKey: 'cli.usage.missing-argument',
    params: { name },
  });
  expect(space.calls).toEqual([]);
});

test('an empty name in a flag names no item', async () => {
  space.reset();
  const { root, argv } = await program('triggers', 'list', '--scope', '');
  await expect(root.parseAsync(argv, { from: 'user' })).rejects.toMatchObject({
    kind: 'not-found',
    detail: 'scope ""',
  });
  expect(space.calls).toEqual([]);
});

test.each([
  ['base', ['Database', 'Base station'], 'Did you mean Database, Base station?'],
  ['Databsae', [], 'Did you mean Database?'],
  ['Printer', [], undefined],
])('the name %s that no item has is answered with names like it', async (name, containing, suggestion) => {
  const items = (names: readonly string[]) => ({
    items: names.map((displayName) => ({ scopeId: displayName, displayName })),
    total: names.length,
  });
  space.reset({
    'GET /api/apps/alerthub/scopes': ({ query }: AskedRequest) => {
      if (query.filter === undefined) return items(['Mail', 'Database', 'Web']);
      return items(parseFilter(query.filter).op === 'co' ? containing : []);
    },
  });
  const { terminal } = await testTerminal({ env: space.env });
  const argv = ['scopes', 'show', name];
  const error = await createProgram(terminal, argv)
    .parseAsync(argv, { from: 'user' })
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ kind: 'not-found', detail: `scope "${name}"` });
  expect(errorMessages(terminal, error)[1]).toBe(suggestion);
});

test('an item that is named twice is deleted once', async () => {
  const scopeId = '01a1fea7-056f-700d-b199-539c2daf013a';
  const remove = `DELETE /api/apps/alerthub/scopes/${scopeId}`;
  space.reset({
    'GET /api/apps/alerthub/scopes': { items: [{ scopeId, displayName: 'Database' }], total: 1 },
    [remove]: reply({ status: 204 }),
  });
  const { root, argv } = await program('alerthub', 'scopes', 'delete', 'Database', scopeId, '--yes');
  await root.parseAsync(argv, { from: 'user' });
  expect(space.calls.filter((call) => call === remove)).toHaveLength(1);
});

test('the help names what an argument and the flag of a parent take', async () => {
  const help = async (...words: string[]) => {
    const { root } = await program(...words);
    let command = root;
    for (const word of words) command = command.commands.find((one) => one.name() === word) as never;
    return command.helpInformation();
  };
  const ticket = await help('contract', 'tickets', 'show');
  expect(ticket).toContain('ID of the price plan');
  expect(ticket).not.toContain('ID or name');
  expect(await help('alerthub', 'triggers', 'show')).toContain('ID or name of the scope');
});
