import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { ArrivalRow } from '../arrivals/arrival.ts';
import { pairDuplicates } from './store-arrivals.ts';

/** A received message; `body` and `key` stand for its fingerprint, `seconds` for when it came. */
function createRow({ body = 'body', key = '', endpoint = 'first', seconds = 0, slot = 'slot' }): ArrivalRow {
  return {
    messageId: randomUUID(),
    receivedAt: new Date(seconds * 1000).toISOString(),
    fingerprint: Buffer.from(key || body),
    ...(key === '' ? {} : { deliveryKey: key }),
    address: { receiveSlotId: slot, endpoint },
  } as unknown as ArrivalRow;
}

describe('duplicates within a batch', () => {
  const pair = (...rows: ArrivalRow[]) => {
    const number = (id: string) => rows.findIndex(({ messageId }) => messageId === id);
    const { fresh, duplicates } = pairDuplicates(rows);
    return {
      fresh: fresh.map(({ messageId }) => number(messageId)),
      duplicates: duplicates.map((ids) => ids.map(number)),
    };
  };

  test('the same key repeats the first message, however often it comes', () => {
    const row = () => createRow({ key: 'k' });
    expect(pair(row(), row(), row())).toEqual({
      fresh: [0],
      duplicates: [
        [1, 0],
        [2, 0],
      ],
    });
  });

  test('the same body repeats a message of the other address once, and never one of its own', () => {
    const first = () => createRow({ endpoint: 'first' });
    const second = () => createRow({ endpoint: 'second' });
    expect(pair(first(), first())).toEqual({ fresh: [0, 1], duplicates: [] });
    expect(pair(first(), second(), second())).toEqual({ fresh: [0, 2], duplicates: [[1, 0]] });
  });

  test('nothing repeats a message of another slot or of long ago', () => {
    expect(pair(createRow({ key: 'k' }), createRow({ key: 'k', slot: 'other' })).duplicates).toEqual([]);
    expect(pair(createRow({ key: 'k' }), createRow({ key: 'k', seconds: 365 * 86_400 })).duplicates).toEqual(
      [],
    );
  });

  test.each([
    ['a body within ten minutes', '', 600],
    ['a key within a day', 'k', 86_400],
  ])('%s repeats a message, and exactly then no more', (_what, key, window) => {
    const early = () => createRow({ key });
    const late = (seconds: number) => createRow({ key, endpoint: 'second', seconds });
    expect(pair(early(), late(window - 0.001))).toEqual({ fresh: [0], duplicates: [[1, 0]] });
    expect(pair(early(), late(window))).toEqual({ fresh: [0, 1], duplicates: [] });
    // What is no repeat is the one that later messages repeat.
    expect(pair(early(), late(window), createRow({ key, seconds: window + 1 }))).toEqual({
      ...{ fresh: [0, 1], duplicates: [[2, 1]] },
    });
  });
});
