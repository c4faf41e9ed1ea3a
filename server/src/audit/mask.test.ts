import { action } from '@yagura/core/alerthub/action';
import { receiveSlot } from '@yagura/core/alerthub/receive-slot';
import { expect, test } from 'vitest';
import { maskFields, maskUnknown } from './mask.ts';

test.each([
  ['password', '***'],
  ['primaryToken', '***'],
  ['apiKey', '***'],
  ['authorization', '***'],
  ['recoveryCode', '***'],
  ['apiTokenId', 'x'],
  ['displayName', 'x'],
])('a field %s that no descriptor knows is kept as %j', (name, kept) => {
  expect(maskFields(receiveSlot, { [name]: 'x' })).toEqual({ [name]: kept });
  expect(maskUnknown({ inner: [{ [name]: 'x' }] })).toEqual({ inner: [{ [name]: kept }] });
});

test('addresses and headers of a variant are masked, references stay', () => {
  const parameters = { url: 'https://a:b@example.com/?k=1', headers: { Authorization: 'x' }, method: 'POST' };
  expect(maskFields(action, { kind: 'webhook', parameters })).toEqual({
    kind: 'webhook',
    parameters: { url: 'https://***@example.com/?k=***', headers: { Authorization: '***' }, method: 'POST' },
  });
});
