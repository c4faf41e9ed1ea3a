import { screen } from '@testing-library/react';
import { Problem } from '@yagura/core/http/problem';
import { expect, it } from 'vitest';
import { renderInRouter } from '../../ui/test/render.tsx';
import { overwriteField } from './hidden-field.ts';
import type { ActionProblem } from './write.server.ts';
import { WriteAlert } from './write-alert.tsx';

const rejected = (kind: Problem['kind']): ActionProblem => ({
  problem: { ...new Problem(kind).toJSON(), kind },
  errors: {},
  values: {},
});

it.each([
  ['en', 'This item has been changed since you opened it', 'Save my entries', 'Discard and reload'],
  ['ja', 'この項目は、開いた後に変更されました', '自分の入力内容を保存', '入力内容を破棄して再読み込み'],
] as const)('offers to keep or to discard the entries in %s', async (language, text, save, discard) => {
  const alert = <WriteAlert actionProblem={rejected('changed')} formId="f" />;
  await renderInRouter(
    <>
      {alert}
      <form id="f" />
    </>,
    { language },
  );
  expect(screen.getByRole('alert').textContent).toContain(text);
  expect(document.activeElement).toBe(screen.getByRole('alert'));
  const button = screen.getByRole('button', { name: save }) as HTMLButtonElement;
  expect([button.form?.id, button.name]).toEqual(['f', overwriteField]);
  expect(screen.getByRole('link', { name: discard })).toBeTruthy();
});

it.each([
  [['displayName', 'thresholds'], 'Your entries would replace what is saved in: Name, Thresholds.'],
  [[], 'What is saved is the same as your entries.'],
])('says that %j would be replaced', async (fields, text) => {
  const conflict = { changedAt: '2026-01-31T09:00:00.000Z', fields };
  await renderInRouter(<WriteAlert actionProblem={{ ...rejected('changed'), conflict }} formId="f" />);
  const alert = screen.getByRole('alert').textContent;
  expect(alert).toContain('Last change: ');
  expect(alert).toContain(text);
});

it('offers neither for other problems', async () => {
  await renderInRouter(<WriteAlert actionProblem={rejected('conflict')} formId="f" />);
  expect(screen.queryByRole('button')).toBeNull();
});
