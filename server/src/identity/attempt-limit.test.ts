import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestStore, storeKinds, type TestStore } from '../../test/store.ts';
import { ManualClock } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { migrations } from '../db/migrations/all.ts';
import { type AttemptLimit, attemptLimits, createAttemptLimit } from './attempt-limit.ts';
import { deriveSecret } from './server-secret.ts';
import { addSpace } from './test-server.ts';

describe.each(storeKinds)('on the %s engine', (kind) => {
  const clock = new ManualClock();
  const secret = deriveSecret(randomBytes(32));
  let store: TestStore | null;
  let database: Database;
  let limit: AttemptLimit;
  let otherSpace: AttemptLimit;

  beforeAll(async () => {
    store = await createTestStore(kind);
    if (!store) return;
    database = await store.open({ migrations });
    const limitOf = async () =>
      createAttemptLimit({
        database,
        clock,
        secret,
        spaceId: await addSpace(database, clock),
      });
    limit = await limitOf();
    otherSpace = await limitOf();
  }, 120_000);
  beforeEach((context) => {
    if (!store) context.skip();
  });
  afterAll(() => store?.remove());

  let names = 0;
  const newName = () => `person${++names}@example.com`;
  const newAddress = () => `10.0.${Math.floor(++names / 250)}.${names % 250}`;

  test('failures of one account from anywhere lock it after five, doubling from half a minute to a quarter of an hour', async ({
    skip,
  }) => {
    if (!store) skip();
    const name = newName();
    const waits: number[] = [];
    for (let failure = 1; failure <= 12; failure++) {
      const { wait, waitAfterFailure } = await limit.begin(
        failure % 2 ? name : `  ${name.toUpperCase()}`,
        newAddress(),
      );
      expect(wait).toBe(0);
      waits.push(waitAfterFailure / 1000);
      clock.advance(waitAfterFailure);
    }
    expect(waits).toEqual([0, 0, 0, 0, 30, 60, 120, 240, 480, 900, 900, 900]);
  });

  test('an attempt during the wait is refused, does not lengthen it, and other spaces do not see it', async ({
    skip,
  }) => {
    if (!store) skip();
    const name = newName();
    for (let failure = 1; failure <= 5; failure++) await limit.begin(name, newAddress());
    clock.advance(10_000);
    for (let more = 0; more < 3; more++) expect((await limit.begin(name, newAddress())).wait).toBe(20_000);
    expect((await otherSpace.begin(name, newAddress())).wait).toBe(0);
    clock.advance(20_000);
    expect((await limit.begin(name, newAddress())).wait).toBe(0);
  });

  test('attempts made at once all count', async ({ skip }) => {
    if (!store) skip();
    const name = newName();
    const attempts = await Promise.all(Array.from({ length: 20 }, () => limit.begin(name, newAddress())));
    expect(attempts.filter(({ wait }) => wait === 0)).toHaveLength(5);
  });

  test('success takes the failures of the account away, an hour does too', async ({ skip }) => {
    if (!store) skip();
    for (const cure of ['success', 'hour']) {
      const name = newName();
      for (let failure = 1; failure < 5; failure++) {
        const attempt = await limit.begin(name, newAddress());
        if (failure === 4 && cure === 'success') await attempt.succeeded();
      }
      if (cure === 'hour') clock.advance(attemptLimits.forgottenAfter);
      for (let failure = 1; failure < 5; failure++) {
        expect((await limit.begin(name, newAddress())).waitAfterFailure).toBe(0);
      }
    }
  });

  test.each([
    [
      'an IPv4 address, however written',
      (index: number) => (index % 2 ? '203.0.113.77' : '::ffff:203.0.113.77'),
    ],
    ['an IPv6 network', (index: number) => `2001:db8:1:2::${((index * 7919) % 65_536).toString(16)}`],
    ['an address that is none', () => 'unknown'],
  ])('thirty failures of different accounts lock %s', async (_name, addressOf) => {
    for (let failure = 1; failure < attemptLimits.address.free; failure++) {
      expect((await limit.begin(newName(), addressOf(failure))).waitAfterFailure).toBe(0);
    }
    expect((await limit.begin(newName(), addressOf(30))).waitAfterFailure).toBe(30_000);
    expect((await limit.begin(newName(), addressOf(31))).wait).toBe(30_000);
    expect((await limit.begin(newName(), newAddress())).wait).toBe(0);
  });

  test('signing in between guesses does not free the address', async ({ skip }) => {
    if (!store) skip();
    const address = newAddress();
    const own = newName();
    let guesses = 0;
    for (; guesses < 100; guesses++) {
      if ((await limit.begin(newName(), address)).wait > 0) break;
      const attempt = await limit.begin(own, address);
      if (attempt.wait > 0) break;
      await attempt.succeeded();
    }
    expect(guesses).toBeLessThanOrEqual(attemptLimits.address.free);
  });

  test('keeps neither names nor addresses, and drops what is old', async ({ skip }) => {
    if (!store) skip();
    const { rows } = await database.query<{ subject: Buffer }>('select subject from signin_attempt');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every(({ subject }) => subject.length === 32)).toBe(true);
    clock.advance(attemptLimits.forgottenAfter + attemptLimits.longestWait + 1);
    await limit.sweep();
    await otherSpace.sweep();
    expect((await database.query('select 1 from signin_attempt')).rows).toHaveLength(0);
  });
});
