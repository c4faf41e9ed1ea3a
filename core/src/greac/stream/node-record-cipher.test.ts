import nodeCrypto from 'node:crypto';
import { expect, test } from 'vitest';
import { nodeRecordCipher } from './node-record-cipher.ts';
import { StreamCipher, streamSecretLength, webRecordCipher } from './stream-cipher.ts';

const secret = Uint8Array.from({ length: streamSecretLength }, (_, index) => index);
const gateway = () => new StreamCipher(secret, 'gateway', nodeRecordCipher(nodeCrypto));
const viewer = () => new StreamCipher(secret, 'viewer', webRecordCipher);

test('what either side encrypts, the other side of any implementation decrypts', async () => {
  const [one, other] = [gateway(), viewer()];
  for (const length of [0, 1, 16_000]) {
    const content = new Uint8Array(length).fill(7);
    expect(await other.open(one.seal(content))).toEqual(content);
    expect(new Uint8Array(one.open(await other.seal(content)))).toEqual(content);
  }
});

test('records are the same bytes as those of the Web Crypto API', async () => {
  const content = new TextEncoder().encode('\u6ad3');
  expect(gateway().seal(content)).toEqual(
    await new StreamCipher(secret, 'gateway', webRecordCipher).seal(content),
  );
});

test.each([
  ['altered', (record: Uint8Array) => record.map((byte, index) => (index === 3 ? byte ^ 1 : byte))],
  ['cut', (record: Uint8Array) => record.slice(0, -1)],
  ['shorter than its tag', (record: Uint8Array) => record.slice(0, 5)],
])('a record that is %s is rejected', async (_, change) => {
  const record = await viewer().seal(new Uint8Array(20));
  expect(() => gateway().open(change(record))).toThrow();
});

test('a record that is moved is rejected', async () => {
  const [sender, receiver] = [viewer(), gateway()];
  const [, second] = [await sender.seal(new Uint8Array(3)), await sender.seal(new Uint8Array(3))];
  expect(() => receiver.open(second!)).toThrow();
});
