import { expect, test } from 'vitest';
import { loadTranslator } from '../i18n/load-translations.ts';
import { reportedFailure, scanFailureText, storedFailure } from './scan-failure.ts';

test('a failure is told in the language of the reader', async () => {
  const [en, ja] = await Promise.all([loadTranslator('en'), loadTranslator('ja')]);
  const stored = storedFailure('TOO_MANY_ADDRESSES', { addresses: 70_000, max: 65_536 });
  expect(scanFailureText(stored, en)).toBe('70000 addresses are more than the 65536 that a scan can have');
  expect(scanFailureText(stored, ja)).toBe('アドレスが70000個あり、1回のスキャンの上限65536個を超えています');
});

test.each([
  'the agent was restarted',
  '{"code":"NOT_A_CODE","params":{}}',
  '{"code":"toString","params":{}}',
  '{"code":"AGENT_SILENT","params":null}',
  '{ not JSON',
  '',
])('%j of an earlier version is shown as it is', async (stored) => {
  expect(scanFailureText(stored, await loadTranslator('ja'))).toBe(stored);
});

test('what an agent reports is stored by its code, if that is known', () => {
  const reason = 'the disk is full';
  expect(reportedFailure({ reason, code: 'AGENT_ERROR', params: { reason: 'ENOSPC' } })).toBe(
    storedFailure('AGENT_ERROR', { reason: 'ENOSPC' }),
  );
  for (const code of ['CODE_OF_A_LATER_VERSION', 'constructor', undefined])
    expect(reportedFailure({ reason, code })).toBe(reason);
});
