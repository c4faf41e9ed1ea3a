import { exportJWK, generateKeyPair } from 'jose';
import { describe, expect, test } from 'vitest';
import type { PublicKey } from '../../kroker/public-key.ts';
import {
  openStreamSecret,
  StreamCipher,
  sealStreamSecret,
  streamSecretLength,
  webRecordCipher,
} from './stream-cipher.ts';

const ids = {
  krokerId: '0190a0a0-0000-7000-8000-000000000001',
  sessionId: '0190a0a0-0000-7000-8000-000000000002',
  viewerId: '0190a0a0-0000-7000-8000-000000000003',
};
const now = 1_800_000_000_000;
const exp = now / 1000 + 60;
const secret = Uint8Array.from({ length: streamSecretLength }, (_, index) => index);
const text = (value: string) => new TextEncoder().encode(value);

describe('a stream secret', async () => {
  const pair = await generateKeyPair('ECDH-ES', { crv: 'P-256', extractable: true });
  const publicKey = (await exportJWK(pair.publicKey)) as PublicKey;
  const sealed = await sealStreamSecret(secret, { ...ids, exp }, publicKey);

  test('is opened for the session and viewer that it is for', async () => {
    expect(await openStreamSecret(sealed, { ...ids, now }, pair.privateKey)).toEqual(secret);
  });

  test.each(['krokerId', 'sessionId', 'viewerId'])('is not opened for another %s', async (name) => {
    const other = { ...ids, [name]: '0190a0a0-0000-7000-8000-00000000000f', now };
    expect(await openStreamSecret(sealed, other, pair.privateKey)).toBeNull();
  });

  test('is not opened later, nor if it would be valid for long', async () => {
    expect(await openStreamSecret(sealed, { ...ids, now: exp * 1000 }, pair.privateKey)).toBeNull();
    const long = await sealStreamSecret(secret, { ...ids, exp: exp + 3600 }, publicKey);
    expect(await openStreamSecret(long, { ...ids, now }, pair.privateKey)).toBeNull();
  });
});

describe('records', () => {
  const pair = () =>
    [
      new StreamCipher(secret, 'viewer', webRecordCipher),
      new StreamCipher(secret, 'gateway', webRecordCipher),
    ] as const;

  test('are read by the other side in their order', async () => {
    const [viewer, gateway] = pair();
    const records = await Promise.all([viewer.seal(text('ls\r')), viewer.seal(text('櫓'))]);
    const opened = await Promise.all(records.map((record) => gateway.open(record)));
    expect(opened).toEqual([text('ls\r'), text('櫓')]);
    const answer = await gateway.seal(text('$ '));
    expect(await viewer.open(answer)).toEqual(text('$ '));
  });

  test('are refused when altered, repeated, left out, or sent back to their sender', async () => {
    const altered = async () => {
      const [viewer, gateway] = pair();
      const record = await viewer.seal(text('ls'));
      record[0]! ^= 1;
      return gateway.open(record);
    };
    const repeated = async () => {
      const [viewer, gateway] = pair();
      const record = await viewer.seal(text('ls'));
      await gateway.open(record);
      return gateway.open(record);
    };
    const leftOut = async () => {
      const [viewer, gateway] = pair();
      await viewer.seal(text('ls'));
      return gateway.open(await viewer.seal(text('rm')));
    };
    const sentBack = async () => {
      const [viewer] = pair();
      return viewer.open(await viewer.seal(text('ls')));
    };
    for (const attempt of [altered, repeated, leftOut, sentBack]) await expect(attempt()).rejects.toThrow();
  });
});
