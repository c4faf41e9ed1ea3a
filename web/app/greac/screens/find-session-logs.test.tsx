import { screen } from '@testing-library/react';
import { sessionLog } from '@yagura/core/greac/session';
import { expect, test } from 'vitest';
import { renderInRouter } from '../../ui/test/render.tsx';
import FindSessionLogs from './find-session-logs.tsx';

const draw = (given: string) =>
  renderInRouter(<FindSessionLogs />, { loader: () => ({ given, noun: sessionLog.noun }), language: 'ja' });

test('asks for a session without a complaint at first', async () => {
  await draw('');
  const input = await screen.findByRole('textbox', { name: /セッションのIDまたはリンク/ });
  expect(input.getAttribute('aria-invalid')).toBe(null);
  expect(screen.getByRole('heading', { name: 'セッションログ' })).toBeTruthy();
});

test('keeps a text without an ID, and says what is missing', async () => {
  await draw('web1');
  const input = await screen.findByDisplayValue('web1');
  expect(input.getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByText('セッションのID、またはIDを含むリンクを入力してください')).toBeTruthy();
});
