import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addSpace } from '../../../test/support/identity-server.ts';
import { createStoreWithTables, featureStores, type TestStore } from '../../../test/support/test-store.ts';
import { ManualClock } from '../../common/clock.ts';
import { deriveSecret } from '../../common/secrets/server-secret.ts';
import type { Database } from '../../db/database.ts';
import {
  type AttemptLimit,
  type AttemptSubject,
  attemptBudgets,
  createAttemptLimit,
} from './attempt-limit.ts';
import { attemptLimitFigures } from './attempt-limit-figures.ts';

describe.each(featureStores)('on the %s engine', (kind) => {
  const clock = new ManualClock();
  const secret = deriveSecret(randomBytes(32));
  let store: TestStore | null;
  let database: Database;
  let limit: AttemptLimit;
  let otherSpace: AttemptLimit;

  beforeAll(async () => {
    store = await createStoreWithTables(kind);
    if (!store) return;
    database = await store.open();
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
  afterAll(() => store?.remove());

  let names = 0;
  const newName = () => `person${++names}@example.com`;
  const newAddress = () =>
    `10.${Math.floor(++names / 62_500)}.${Math.floor(names / 250) % 250}.${names % 250}`;
  const begin = (account: string, address: string, device?: string) =>
    limit.begin({ purpose: 'password', account, address, device });
  beforeEach((context) => {
    if (!store) context.skip();
  });

  test('failures of one account from one address make it wait after five, doubling from half a minute to a quarter of an hour', async () => {
    const name = newName();
    const waits: number[] = [];
    for (let failure = 1; failure <= 12; failure++) {
      const typed = failure % 2 ? name : `  ${name.toUpperCase()}`;
      const { wait, waitAfterFailure } = await begin(typed, '203.0.113.5');
      expect(wait).toBe(0);
      waits.push(waitAfterFailure / 1000);
      clock.advance(waitAfterFailure);
    }
    expect(waits).toEqual([0, 0, 0, 0, 30, 60, 120, 240, 480, 480, 480, 900]);
  });

  test.each(['\u0130', 'I'])(
    'failures count whichever letter the account is found by: %s',
    async (letter) => {
      const name = `irmi.${newName()}`;
      const address = newAddress();
      for (let failure = 1; failure <= 6; failure++) {
        const { waitAfterFailure } = await begin(name.replaceAll('i', letter), address);
        clock.advance(waitAfterFailure);
      }
      expect((await begin(name, address)).waitAfterFailure).toBeGreaterThan(0);
    },
  );

  test('a wait that was set while the clock was ahead locks nobody out once it is right', async () => {
    const name = newName();
    const address = newAddress();
    const ahead = 40 * 86_400_000;
    clock.jump(ahead);
    for (let failure = 1; failure <= 5; failure++) await begin(name, address);
    expect((await begin(name, address)).wait).toBe(30_000);
    clock.jump(-ahead);
    const attempt = await begin(name, address);
    // Failures still count: one more has to wait as long as after many.
    expect(attempt).toMatchObject({ wait: 0, waitAfterFailure: 900_000 });
    await attempt.succeeded();
    expect((await begin(name, address)).wait).toBe(0);
  });

  test('an attempt during the wait is refused, changes nothing, and other spaces do not see it', async () => {
    const name = newName();
    const address = newAddress();
    for (let failure = 1; failure <= 5; failure++) await begin(name, address);
    clock.advance(10_000);
    const rows = () => database.query('select * from signin_budget order by kind, subject');
    const before = (await rows()).rows;
    for (let more = 0; more < 3; more++) {
      const refused = await begin(name, address);
      expect(refused.wait).toBe(20_000);
      await refused.succeeded();
    }
    expect((await rows()).rows).toEqual(before);
    const elsewhere = await otherSpace.begin({ purpose: 'password', account: name, address });
    expect(elsewhere.wait).toBe(0);
    clock.advance(20_000);
    expect((await begin(name, address)).wait).toBe(0);
  });

  test('attempts made at once all count', async () => {
    const name = newName();
    const address = newAddress();
    const attempts = await Promise.all(Array.from({ length: 20 }, () => begin(name, address)));
    expect(attempts.filter(({ wait }) => wait === 0)).toHaveLength(5);
  });

  test('success takes the failures of the account at this address away, time does too', async () => {
    for (const cure of ['success', 'time']) {
      const name = newName();
      const address = newAddress();
      for (let failure = 1; failure < 5; failure++) {
        const attempt = await begin(name, address);
        if (failure === 4 && cure === 'success') await attempt.succeeded();
      }
      if (cure === 'time') clock.advance(4 * attemptBudgets.password.pair!.forgetIntervalMs);
      for (let failure = 1; failure < 5; failure++)
        expect((await begin(name, address)).waitAfterFailure).toBe(0);
    }
  });

  test('one failure is forgotten after each quarter of an hour, whatever was tried since', async () => {
    const name = newName();
    const address = newAddress();
    for (let failure = 1; failure <= 4; failure++) await begin(name, address);
    clock.advance(900_000);
    expect((await begin(name, address)).waitAfterFailure).toBe(0);
    expect((await begin(name, address)).waitAfterFailure).toBe(30_000);
  });

  test('thirty people behind one address who mistype five times each sign in with the next try', async () => {
    const address = '203.0.113.30';
    const people = Array.from({ length: 30 }, newName);
    for (const name of people)
      for (let typo = 0; typo < 4; typo++) expect((await begin(name, address)).wait).toBe(0);
    for (const name of people) {
      const attempt = await begin(name, address);
      expect(attempt.wait).toBe(0);
      await attempt.succeeded();
    }
    expect((await begin(newName(), address)).wait).toBe(0);
  });

  test.each([
    [
      'an IPv4 address, however written',
      (index: number) => (index % 2 ? '203.0.113.77' : '::ffff:203.0.113.77'),
    ],
    ['an IPv6 network', (index: number) => `2001:db8:1:2::${((index * 7919) % 65_536).toString(16)}`],
    ['an address that is none', () => 'unknown'],
  ])('three hundred failures of different accounts make %s wait, for seconds', async (_name, addressOf) => {
    for (let failure = 1; failure < 300; failure++)
      expect((await begin(newName(), addressOf(failure))).waitAfterFailure).toBe(0);
    expect((await begin(newName(), addressOf(300))).waitAfterFailure).toBe(2_000);
    expect((await begin(newName(), addressOf(301))).wait).toBe(2_000);
    expect((await begin(newName(), newAddress())).wait).toBe(0);
    clock.advance(2_000);
    expect((await begin(newName(), addressOf(302))).waitAfterFailure).toBeLessThanOrEqual(30_000);
  });

  describe('strangers who guess one account from everywhere', () => {
    let name: string;
    beforeEach(async () => {
      name = newName();
      for (let guess = 0; guess < 60; guess++) await begin(name, newAddress());
    });

    test('have to wait', async () => {
      expect((await begin(name, newAddress())).wait).toBeGreaterThan(0);
    });

    test('do not keep out a device that is known', async () => {
      for (let typo = 1; typo < 5; typo++)
        expect((await begin(name, newAddress(), 'laptop')).waitAfterFailure).toBe(0);
      const attempt = await begin(name, newAddress(), 'laptop');
      expect(attempt).toMatchObject({ wait: 0, waitAfterFailure: 30_000 });
      expect((await begin(name, newAddress(), 'laptop')).wait).toBe(30_000);
      await attempt.succeeded();
      expect((await begin(name, newAddress(), 'laptop')).waitAfterFailure).toBe(0);
    });

    test('do so no longer once the password is reset, also at addresses that had to wait', async () => {
      const address = newAddress();
      for (let guess = 0; guess < 6; guess++) {
        clock.advance(180_000);
        await begin(name, address);
      }
      expect((await begin(name, address)).wait).toBeGreaterThan(0);
      await limit.clear(database, 'password', ` ${name.toUpperCase()}`);
      expect((await begin(name, address)).wait).toBe(0);
    });
  });

  test('signing in between guesses frees neither the address nor the account', async () => {
    const address = newAddress();
    const own = newName();
    let guesses = 0;
    for (; guesses < 1_000; guesses++) {
      if ((await begin(newName(), address)).wait > 0) break;
      const attempt = await begin(own, address);
      if (attempt.wait > 0) break;
      await attempt.succeeded();
    }
    expect(guesses).toBeLessThanOrEqual(attemptBudgets.password.address!.freeFailures);
  });

  describe('guesses that are answered, by whoever tries again as soon as it is allowed', () => {
    const hours = 3;

    /** Number of attempts per hour. */
    async function guesses(next: (count: number) => AttemptSubject): Promise<number[]> {
      const counts = Array.from({ length: hours }, () => 0);
      const begun = clock.now();
      for (let count = 0; ; ) {
        const { wait } = await limit.begin(next(count));
        if (wait === 0) {
          const hour = Math.floor((clock.now() - begun) / 3_600_000);
          if (hour >= hours) return counts;
          counts[hour]! += 1;
          count++;
        } else clock.advance(wait);
      }
    }

    test.each(attemptLimitFigures)('$what: $first in the first hour, then $later', async (figure) => {
      const account = newName();
      const address = newAddress();
      const device = figure.from === 'known device' ? 'laptop' : undefined;
      const counts = await guesses(() => ({
        purpose: figure.purpose,
        ...(figure.on === 'one account'
          ? { account }
          : figure.on === 'no account'
            ? {}
            : { account: newName() }),
        address: figure.from === 'many addresses' ? newAddress() : address,
        device,
      }));
      expect([counts[0], Math.max(...counts.slice(1))]).toEqual([figure.first, figure.later]);
    });
  });

  test('keeps neither names nor addresses, and drops what is old', async () => {
    const { rows } = await database.query<{ subject: Buffer }>('select subject, account from signin_budget');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every(({ subject }) => subject.length === 32)).toBe(true);
    clock.advance(86_400_000);
    await limit.sweep();
    await otherSpace.sweep();
    expect((await database.query('select 1 from signin_budget')).rows).toHaveLength(0);
  });
});

test('every budget has a figure', () => {
  const purposes = new Set(attemptLimitFigures.map(({ purpose }) => purpose));
  expect([...purposes].sort()).toEqual(Object.keys(attemptBudgets).sort());
});

test('the figures of the documentation are those that are measured here', () => {
  const page = readFileSync(new URL('../../../../docs/security.md', import.meta.url), 'utf8');
  for (const { what, first, later } of attemptLimitFigures)
    expect(page).toContain(`| ${what} | ${first} | ${later} |`);
});
