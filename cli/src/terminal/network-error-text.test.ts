import { expect, test } from 'vitest';
import { testTerminal } from '../../test/test-terminal.ts';
import { networkErrorText, networkReasonText } from './network-error-text.ts';

test.each([
  ['ECONNREFUSED', '接続が拒否されました: ECONNREFUSED'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', '証明書を信頼できません: UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ['HPE_INVALID_CONSTANT', 'HPE_INVALID_CONSTANT'],
  ['constructor', 'constructor'],
])('%s', async (reason, expected) => {
  const { terminal } = await testTerminal({ language: 'ja' });
  expect(networkReasonText(reason, terminal.t)).toBe(expected);
});

test('a message that hides the reason is replaced, and another kept', async () => {
  const { t } = (await testTerminal({})).terminal;
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  expect(networkErrorText(new TypeError('fetch failed', { cause: refused }), t)).toBe(
    'connection refused: ECONNREFUSED',
  );
  const reply = new Error('unexpected HTTP response status code', { cause: { status: 500 } });
  expect(networkErrorText(Object.assign(reply, { code: 'OAUTH_RESPONSE' }), t)).toBe(reply.message);
});
