// Compares duplicate detection with a straightforward implementation of its rules over many generated
// histories.
import { seededRandom } from '@yagura/fixtures/samples/seeded-random';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bodyDuplicateWindowMs,
  keyDuplicateWindowMs,
  type MessageIdentity,
  RecentMessages,
} from './recent-messages.ts';

const arrival = fc.record({
  receiveSlotId: fc.constantFrom('slot-a', 'slot-b'),
  endpoint: fc.constantFrom('primary' as const, 'secondary' as const),
  content: fc.constantFrom(1, 2),
  isKeyed: fc.boolean(),
  later: fc.constantFrom(
    0,
    1,
    bodyDuplicateWindowMs / 2,
    bodyDuplicateWindowMs - 1,
    bodyDuplicateWindowMs,
    keyDuplicateWindowMs - 1,
    keyDuplicateWindowMs,
  ),
});

/** Fingerprints depend on the content and on what is compared, as the real hashes do. */
function comparedOf(list: (typeof arrival extends fc.Arbitrary<infer T> ? T : never)[]): MessageIdentity[] {
  let at = 0;
  return list.map(({ later, content, ...one }, index) => {
    at += later;
    const fingerprint = Buffer.alloc(16, content + (one.isKeyed ? 10 : 0));
    return { ...one, fingerprint, at, messageId: `m${index}` };
  });
}

type StoredMessage = MessageIdentity & { isPaired: boolean };

/** Whether a message is a duplicate of a stored one. */
function isOriginal(earlier: StoredMessage, one: MessageIdentity): boolean {
  return (
    earlier.receiveSlotId === one.receiveSlotId &&
    Buffer.compare(earlier.fingerprint, one.fingerprint) === 0 &&
    (one.isKeyed
      ? one.at - earlier.at < keyDuplicateWindowMs
      : one.at - earlier.at < bodyDuplicateWindowMs && earlier.endpoint !== one.endpoint && !earlier.isPaired)
  );
}

/** Scans all messages that were no duplicates, oldest first. */
function plainly() {
  const messages: StoredMessage[] = [];
  return (one: MessageIdentity): string | undefined => {
    const original = messages.find((earlier) => isOriginal(earlier, one));
    if (original) original.isPaired = true;
    else messages.push({ ...one, isPaired: false });
    return original?.messageId;
  };
}

test('a repeat is known by its key for a day, by its body at the other address once within ten minutes', () => {
  fc.assert(
    fc.property(fc.array(arrival, { maxLength: 40 }), (list) => {
      const recent = new RecentMessages();
      const plain = plainly();
      for (const one of comparedOf(list)) expect(recent.findDuplicateOrAdd(one)).toBe(plain(one));
    }),
    { seed: 1, numRuns: 500 },
  );
});

test('what the store knows is told in the same way', () => {
  const recent = new RecentMessages();
  const fingerprint = Buffer.alloc(16, 1);
  const stored = { receiveSlotId: 's', endpoint: 'primary' as const, fingerprint, at: 0 };
  recent.add({ ...stored, messageId: 'paired', isPaired: true });
  recent.add({ ...stored, messageId: 'single', isPaired: false });
  const post = { receiveSlotId: 's', endpoint: 'secondary' as const, fingerprint, isKeyed: false, at: 1 };
  expect(recent.findDuplicateOrAdd({ ...post, messageId: 'a' })).toBe('single');
  expect(recent.findDuplicateOrAdd({ ...post, messageId: 'b' })).toBeUndefined();
  const keyed = Buffer.alloc(16, 2);
  recent.add({ ...stored, fingerprint: keyed, messageId: 'keyed', isPaired: true });
  expect(recent.findDuplicateOrAdd({ ...post, fingerprint: keyed, isKeyed: true, messageId: 'c' })).toBe(
    'keyed',
  );
});

test('what another thread was told is the same there', () => {
  const told = { receiveSlotId: 's', endpoint: 'primary' as const, fingerprint: Buffer.alloc(16, 1), at: 0 };
  const recent = new RecentMessages();
  recent.add(structuredClone({ ...told, messageId: 'first', isPaired: false }));
  expect(recent.findDuplicateOrAdd({ ...told, isKeyed: true, messageId: 'again' })).toBe('first');
});

test('of more messages than it holds the oldest are forgotten, and nothing else', () => {
  const max = 5000;
  const recent = new RecentMessages(max);
  const post = (index: number, endpoint: 'primary' | 'secondary') => {
    const fingerprint = Buffer.alloc(16);
    fingerprint.writeUInt32LE(index);
    return {
      receiveSlotId: 's',
      endpoint,
      fingerprint,
      isKeyed: false,
      messageId: `m${index}`,
      at: index,
    };
  };
  const all = max * 3 + 17;
  for (let index = 0; index < all; index++)
    expect(recent.findDuplicateOrAdd(post(index, 'primary'))).toBeUndefined();
  const known = Array.from({ length: all }, (_, index) => index).filter(
    (index) =>
      recent.findDuplicateOrAdd({ ...post(index, 'secondary'), messageId: 'late', at: all }) !== undefined,
  );
  // Each unknown one is remembered as new and replaces the oldest.
  expect(known).toEqual([]);
  const others = new RecentMessages(max);
  for (let index = 0; index < all; index++) others.findDuplicateOrAdd(post(index, 'primary'));
  for (let index = all - 1; index >= all - max; index--)
    expect(others.findDuplicateOrAdd({ ...post(index, 'secondary'), messageId: 'late', at: all })).toBe(
      `m${index}`,
    );
  expect(others.findDuplicateOrAdd({ ...post(all - max - 1, 'secondary'), at: all })).toBeUndefined();
});

describe('whether all possible originals of a message are known', () => {
  const post = {
    receiveSlotId: 's',
    endpoint: 'primary' as const,
    fingerprint: Buffer.alloc(16),
    messageId: 'm',
  };
  const now = 10 * keyDuplicateWindowMs;

  test.each([
    ['a body', false, bodyDuplicateWindowMs],
    ['a key', true, keyDuplicateWindowMs],
  ])('of %s: once all messages of its window were loaded', (_what, isKeyed, window) => {
    const recent = new RecentMessages();
    const one = { ...post, isKeyed, at: now };
    expect(recent.knowsOriginalsOf(one)).toBe(false);
    recent.setLoadedSince(now - window + 1);
    expect(recent.knowsOriginalsOf(one)).toBe(false);
    recent.setLoadedSince(now - window);
    expect(recent.knowsOriginalsOf(one)).toBe(true);
  });

  test('then the database knows none either, however many messages were overwritten', () => {
    const found = { knownNew: 0, unknown: 0, duplicates: 0, missed: 0 };
    const recent = new RecentMessages(1024);
    recent.setLoadedSince(-bodyDuplicateWindowMs);
    const stored: StoredMessage[] = [];
    const random = seededRandom(1);
    const upTo = (limit: number) => Math.floor(random() * (limit + 1));
    let at = 0;
    for (let index = 0; index < 5000; index++) {
      // The messages that are held took five minutes at first, and fifteen then.
      at += upTo(index < 2500 ? 600 : 1800);
      const fingerprint = Buffer.alloc(16);
      fingerprint.writeUInt32LE(upTo(1500));
      const endpoint = upTo(1) === 0 ? 'primary' : 'secondary';
      const one: MessageIdentity = {
        ...post,
        endpoint,
        fingerprint,
        at,
        isKeyed: false,
        messageId: `m${index}`,
      };
      const isKnown = recent.knowsOriginalsOf(one);
      const remembered = recent.findDuplicateOrAdd(one);
      const original = stored.find((earlier) => isOriginal(earlier, one));
      if (!isKnown) found.unknown++;
      else if (remembered === undefined) {
        found.knownNew++;
        expect(original).toBeUndefined();
      }
      if (remembered !== undefined) found.duplicates++;
      else if (original) found.missed++;
      // Stored if neither knows an original.
      const paired = remembered ?? original?.messageId;
      if (paired === undefined) stored.push({ ...one, isPaired: false });
      else for (const earlier of stored) if (earlier.messageId === paired) earlier.isPaired = true;
    }
    for (const [what, count] of Object.entries(found)) expect(count, what).toBeGreaterThan(0);
  });
});
