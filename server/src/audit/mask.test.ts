import { action } from '@yagura/core/alerthub/action';
import { receiveSlot } from '@yagura/core/alerthub/receive-slot';
import { destination } from '@yagura/core/greac/destination';
import { scanNotification } from '@yagura/core/sonar/scan-notification';
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
  const parameters = { url: 'https://a:b@example.com/?k=1', headers: { 'X-Routing': 'x' }, method: 'POST' };
  expect(maskFields(action, { kind: 'webhook', parameters })).toEqual({
    kind: 'webhook',
    parameters: { url: 'https://***@example.com/?k=***', headers: { 'X-Routing': '***' }, method: 'POST' },
  });
});

test('a text of 2,000 characters is whole, a longer one is cut; what is nested too deep is masked', () => {
  expect(maskUnknown({ text: 'x'.repeat(2_000) })).toEqual({ text: 'x'.repeat(2_000) });
  expect(maskUnknown({ text: 'x'.repeat(2_001) })).toEqual({ text: `${'x'.repeat(2_000)}…` });
  const nest = (levels: number): unknown => (levels === 0 ? 'inside' : [nest(levels - 1)]);
  expect(JSON.stringify(maskUnknown(nest(12)))).toContain('inside');
  expect(JSON.stringify(maskUnknown(nest(13)))).not.toContain('inside');
});

test('values that say nothing stay as they are under a secret name', () => {
  const empty = { password: null, token: '', apiKey: false, secret: true };
  expect(maskUnknown(empty)).toEqual(empty);
  expect(maskUnknown({ password: 0, pinCode: 1234 })).toEqual({ password: '***', pinCode: '***' });
  expect(maskUnknown(undefined)).toBeNull();
  expect(maskFields(receiveSlot, null)).toBeNull();
});

test('what is masked depends on the descriptor of each field, also within lists and objects', () => {
  const values = { url: 'https://example.com/?k=1', headers: { 'X-Routing': 'x' } };
  // Without a descriptor, or of another variant, they are texts like others.
  expect(maskUnknown(values)).toEqual(values);
  expect(maskFields(action, { kind: 'email', parameters: values })).toEqual({
    kind: 'email',
    parameters: values,
  });
  expect(maskFields(action, { kind: 'webhook', parameters: { url: 7, headers: null } })).toEqual({
    kind: 'webhook',
    parameters: { url: 7, headers: null },
  });
  const url = 'https://example.com/?k=***';
  expect(maskFields(scanNotification, { webhook: values })).toEqual({
    webhook: { url, headers: { 'X-Routing': '***' } },
  });
  const credentialId = '0190a0a0-0000-7000-8000-000000000001';
  expect(maskFields(destination, { credentialId, credential: 'x' })).toEqual({
    credentialId,
    credential: '***',
  });
});

test('a value that is no object is itself, and nothing is null', () => {
  expect(maskFields(receiveSlot, undefined)).toBeNull();
  expect([maskUnknown(null), maskUnknown(7), maskUnknown(false), maskUnknown('text')]).toEqual([
    ...[null, 7, false, 'text'],
  ]);
  expect(maskUnknown({ list: [null, 1, { password: 'x' }] })).toEqual({
    list: [null, 1, { password: '***' }],
  });
  const nest = (levels: number): unknown => (levels === 0 ? 'inside' : { in: nest(levels - 1) });
  for (const mask of [maskUnknown, (value: unknown) => maskFields(receiveSlot, value)]) {
    expect(JSON.stringify(mask(nest(12)))).toContain('inside');
    expect(JSON.stringify(mask(nest(13)))).not.toContain('inside');
  }
});
