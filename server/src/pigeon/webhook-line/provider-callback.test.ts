import { expect, test } from 'vitest';
import { signWebhook } from '../../delivery/webhook-signature.ts';
import { isValidSignature } from './provider-callback.ts';

const secret = Buffer.from('a secret of thirty-two bytes ...');
const seconds = Date.parse('2026-01-01T00:00:00Z') / 1000;
const body = '{"status":"ringing"}';
const deliveryId = 'call-1';
const signature = signWebhook([secret], { deliveryId, seconds, body });
const headers = {
  'webhook-id': deliveryId,
  'webhook-timestamp': String(seconds),
  'webhook-signature': signature,
};
const isTaken = (
  change: Record<string, string | string[] | undefined> = {},
  text = body,
  now = seconds * 1000,
) => isValidSignature({ headers: { ...headers, ...change } }, text, secret, now);

test('what is signed with the secret is taken, with its signature among others', () => {
  expect(isTaken()).toBe(true);
  const other = signWebhook([Buffer.from('another')], { deliveryId, seconds, body });
  expect(isTaken({ 'webhook-signature': `${other} ${signature}` })).toBe(true);
  expect(isTaken({ 'webhook-signature': other })).toBe(false);
});

test.each([
  [-301_000, false],
  [-300_000, true],
  [0, true],
  [300_000, true],
  [300_001, false],
  [86_400_000, false],
])('a signature is taken for five minutes on both sides of its time: %i ms after it', (offset, taken) => {
  expect(isTaken({}, body, seconds * 1000 + offset)).toBe(taken);
});

test.each([
  ['another body', {}, `${body} `],
  ['another id', { 'webhook-id': 'call-2' }, body],
  ['another time', { 'webhook-timestamp': String(seconds + 1) }, body],
  ['no id', { 'webhook-id': undefined }, body],
  ['an empty id', { 'webhook-id': '' }, body],
  ['no time', { 'webhook-timestamp': undefined }, body],
  ['a time that is no number', { 'webhook-timestamp': `${seconds}.0` }, body],
  ['no signature', { 'webhook-signature': undefined }, body],
  ['an empty signature', { 'webhook-signature': '' }, body],
  ['a part of the signature', { 'webhook-signature': signature.slice(0, -1) }, body],
  ['a header given twice', { 'webhook-id': [deliveryId, deliveryId] }, body],
])('%s is refused', (_name, change, text) => {
  expect(isTaken(change, text)).toBe(false);
});
