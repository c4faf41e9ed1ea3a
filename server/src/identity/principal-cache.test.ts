import { expect, test } from 'vitest';
import { createPrincipalCache } from './principal-cache.ts';

function openCache(size = 3) {
  let time = 0;
  let verified = 0;
  const cache = createPrincipalCache<string>({ now: () => time, lifetime: 3_000, size });
  return {
    cache,
    advance: (milliseconds: number) => {
      time += milliseconds;
    },
    /** Number of verifications that this call made. */
    async verificationsOf(credential: string, expiresAt = Number.POSITIVE_INFINITY): Promise<number> {
      const before = verified;
      const value = await cache.get(credential, async () => {
        verified += 1;
        return { value: `caller of ${credential}`, expiresAt };
      });
      expect(value).toBe(`caller of ${credential}`);
      return verified - before;
    },
  };
}

test('a verified credential is verified anew after its time', async () => {
  const { advance, verificationsOf } = openCache();
  expect(await verificationsOf('one')).toBe(1);
  advance(2_999);
  expect(await verificationsOf('one')).toBe(0);
  advance(1);
  expect(await verificationsOf('one')).toBe(1);
});

test('a credential that expires earlier is verified anew at that moment', async () => {
  const { advance, verificationsOf } = openCache();
  await verificationsOf('one', 1_000);
  advance(999);
  expect(await verificationsOf('one', 1_000)).toBe(0);
  advance(1);
  expect(await verificationsOf('one', 1_000)).toBe(1);
});

test('a full cache drops the credential that was verified longest ago', async () => {
  const { advance, verificationsOf } = openCache();
  for (const credential of ['one', 'two', 'three']) await verificationsOf(credential);
  for (const credential of ['one', 'two', 'three']) expect(await verificationsOf(credential)).toBe(0);
  advance(3_000);
  // Verified again, it is the newest and takes no place of another one.
  await verificationsOf('one');
  await verificationsOf('two');
  await verificationsOf('three');
  await verificationsOf('four');
  expect(await verificationsOf('two')).toBe(0);
  expect(await verificationsOf('three')).toBe(0);
  expect(await verificationsOf('one')).toBe(1);
});

test('calls at the same time share one verification, and a refusal is not remembered', async () => {
  const { cache } = openCache();
  let verifications = 0;
  const refuse = async () => {
    verifications += 1;
    throw new Error('refused');
  };
  const calls = await Promise.allSettled([cache.get('one', refuse), cache.get('one', refuse)]);
  expect(calls.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(verifications).toBe(1);
  await expect(cache.get('one', refuse)).rejects.toThrow('refused');
  expect(verifications).toBe(2);
});

test('what is forgotten meanwhile is not put back, nor is what came after it taken away', async () => {
  const { cache, verificationsOf } = openCache();
  let refuse: (error: Error) => void = () => {};
  const slow = cache.get('one', () => new Promise((_resolve, reject) => (refuse = reject)));
  cache.forget();
  expect(await verificationsOf('one')).toBe(1);
  refuse(new Error('refused'));
  await expect(slow).rejects.toThrow('refused');
  expect(await verificationsOf('one')).toBe(0);
  cache.forget();
  expect(await verificationsOf('one')).toBe(1);
});
