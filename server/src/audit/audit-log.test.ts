import { AsyncResource } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDataFolder } from '../../test/support/data-folder.ts';
import { addSpace } from '../../test/support/identity-server.ts';
import { createStoreWithTables, storeKinds, type TestStore } from '../../test/support/test-store.ts';
import { ManualClock } from '../common/clock.ts';
import { createIdSource } from '../common/id.ts';
import type { LogLine } from '../common/log.ts';
import { deriveSecret } from '../common/secrets/server-secret.ts';
import type { Database } from '../db/database.ts';
import { type AnchorStore, createAnchorStore } from './anchor-store.ts';
import { type Actor, type AuditEntry, type AuditLog, createAuditLog } from './audit-log.ts';
import { sealOldChain } from './chain.ts';
import { lockSpace } from './lock-space.ts';

const entry = (detail: string): AuditEntry => ({
  actor: { kind: 'person', userId: null, name: 'Hana' },
  from: { address: '192.0.2.1', userAgent: 'test' },
  action: 'edit',
  outcome: 'done',
  resource: 'scope',
  detail,
  before: { a: 1, b: [{ c: 2 }] },
  after: { a: 2 },
});

describe.each(storeKinds)('on the %s engine', (kind) => {
  const clock = new ManualClock();
  const secret = deriveSecret(randomBytes(32));
  let store: TestStore | null;
  let database: Database;
  let spaceId: string;
  let folder: ReturnType<typeof createDataFolder>;
  let anchors: AnchorStore;
  let lines: LogLine[];
  let audit: AuditLog;

  const logOf = (options: { keptDays?: number; anchors?: AnchorStore; on?: Database } = {}) =>
    createAuditLog({
      database: options.on ?? database,
      clock,
      nextId: createIdSource(clock),
      log: (line) => lines.push(line),
      spaceId,
      secret,
      retentionDays: options.keptDays ?? 0,
      ...(options.anchors ? { anchors: options.anchors } : {}),
    });

  beforeAll(async () => {
    store = await createStoreWithTables(kind);
    if (store) database = await store.open();
    folder = createDataFolder();
  }, 120_000);
  afterAll(async () => {
    await store?.remove();
    folder.remove();
  });
  beforeEach(async (context) => {
    if (!store) return context.skip();
    spaceId = await addSpace(database, clock);
    lines = [];
    anchors = createAnchorStore(folder.folder, (line) => lines.push(line));
    audit = logOf({ anchors });
    for (let number = 1; number <= 6; number++) await audit.record(entry(`record ${number}`));
  });

  const intact = { intact: true, firstBroken: null };
  const run = (text: string, ...values: unknown[]) => database.query(text, [spaceId, ...values]);
  const hashAt = async (number: number) =>
    (await run('select hash from audit_record where space_id = $1 and number = $2', number)).rows[0]!
      .hash as Buffer;

  test('a chain that nobody touched is intact, also to another process', async () => {
    expect(await audit.verify()).toEqual({ ...intact, checked: 6, lastNumber: 6 });
    await audit.writeAnchor();
    expect(await logOf({ anchors: createAnchorStore(folder.folder, () => {}) }).verify()).toMatchObject(
      intact,
    );
  });

  test('the hash of a record is the one that earlier releases stored for it', async () => {
    const other = await addSpace(database, clock);
    const log = createAuditLog({
      database,
      clock: new ManualClock(Date.parse('2026-01-01T00:00:00.000Z')),
      nextId: () => '01900000-0000-7000-8000-000000000001',
      log: () => undefined,
      spaceId: other,
      secret: deriveSecret(Buffer.alloc(32)),
      retentionDays: 0,
    });
    await log.record({ ...entry('record 1'), before: { b: [{ d: null, c: 2 }], a: 'é' }, after: undefined });
    const { rows } = await database.query('select hash from audit_record where space_id = $1', [other]);
    expect((rows[0]!.hash as Buffer).toString('hex')).toBe(
      '404d91ab1456a9b5f760b30c4e5b1e42700f3e7f49dbe358e4c179940ac31929',
    );
    expect(await log.verify()).toMatchObject(intact);
    // The id is that of other records of this test as well.
    await database.query('delete from audit_record where space_id = $1', [other]);
  });

  test.runIf(kind === 'postgresql')(
    'a record is written while the space is locked by a transaction that writes its own record last',
    async () => {
      // Bound here, since the database cannot be used inside a transaction.
      const recordRefusal = AsyncResource.bind(() => audit.record(entry('refusal')));
      await database.transaction(async (tx) => {
        await lockSpace(tx, spaceId);
        await recordRefusal();
        await audit.write(tx, entry('change'));
      });
      const { rows } = await run(
        'select detail from audit_record where space_id = $1 and number > 6 order by number',
      );
      expect(rows).toEqual([{ detail: 'refusal' }, { detail: 'change' }]);
    },
  );

  test('an anchor moves on with the chain', async () => {
    await audit.writeAnchor();
    await audit.record(entry('record 7'));
    await audit.writeAnchor();
    expect(await anchors.read(spaceId)).toEqual({ number: 7, hash: (await hashAt(7)).toString('hex') });
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('an anchor that cannot be written is logged once with its cause and leaves no partial file', async () => {
    const anchorFolder = join(folder.folder, 'audit-anchors');
    await mkdir(join(anchorFolder, `${spaceId}.json`), { recursive: true });
    await audit.writeAnchor();
    await audit.record(entry('record 7'));
    await audit.writeAnchor();
    expect(lines.filter(({ message }) => message === 'The audit anchor was not written')).toMatchObject([
      { level: 'warn', error: expect.stringContaining('rename') },
    ]);
    expect((await readdir(anchorFolder)).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  test('a space without records is intact', async () => {
    spaceId = await addSpace(database, clock);
    expect(await logOf({ anchors }).verify()).toEqual({ ...intact, checked: 0, lastNumber: 0 });
  });

  test.each([
    ['at', "at + interval '1 second'"],
    ['actor_kind', "'guest'"],
    ['actor_id', 'space_id'],
    ['actor_name', "'Ken'"],
    ['api_token_id', 'space_id'],
    ['api_token_name', "'deploy'"],
    ['address', "'192.0.2.2'"],
    ['user_agent', "'other'"],
    ['action', "'remove'"],
    ['outcome', "'refused'"],
    ['resource', "'rule'"],
    ['resource_id', "'x'"],
    ['detail', "'record'"],
    ['before', `'{"a": 1, "b": [{"c": 3}]}'`],
    ['after', 'null'],
    ['audit_record_id', 'space_id'],
    ['hash', "decode(repeat('00', 32), 'hex')"],
  ])('a changed %s is noticed in any record', async (column, value) => {
    const { rows } = await run(
      `select ${column} as was, hash from audit_record where space_id = $1 and number = 4`,
    );
    await run(`update audit_record set ${column} = ${value} where space_id = $1 and number = 4`);
    expect(await audit.verify()).toMatchObject({ intact: false, firstBroken: 4 });
    const was = column === 'before' ? JSON.stringify(rows[0]!.was) : rows[0]!.was;
    await run(`update audit_record set ${column} = $2 where space_id = $1 and number = 4`, was);
    expect(await audit.verify()).toMatchObject(intact);
  });

  test('names the API token of a record, which cannot be removed unnoticed', async () => {
    const actor: Actor = { kind: 'api-token', userId: null, name: 'Hana', apiTokenName: 'deploy' };
    await audit.record({ ...entry('by a token'), actor });
    expect(await audit.verify()).toMatchObject({ ...intact, checked: 7 });
    const { rows } = await run(
      'select api_token_name as name from audit_record where space_id = $1 and number = 7',
    );
    expect(rows).toEqual([{ name: 'deploy' }]);
    await run('update audit_record set api_token_name = null where space_id = $1 and number = 7');
    expect(await audit.verify()).toMatchObject({ intact: false, firstBroken: 7 });
  });

  test('the hash of a record without the name of a token is that of records from before names were kept', async () => {
    const { rows } = await run(
      `select audit_record_id as "auditRecordId", at, address, user_agent as "userAgent" from audit_record
       where space_id = $1 and number = 4`,
    );
    const fields = {
      ...{ action: 'edit', actorId: null, actorKind: 'person', actorName: 'Hana' },
      ...{
        address: rows[0]!.address,
        apiTokenId: null,
        at: rows[0]!.at,
        auditRecordId: rows[0]!.auditRecordId,
      },
      ...{ detail: 'record 4', number: '4', outcome: 'done', resource: 'scope', resourceId: null },
      userAgent: rows[0]!.userAgent,
    };
    const before = [
      ['a', 1],
      ['b', [[['c', 2]]]],
    ]; // Keys and values in order.
    const text = JSON.stringify([...Object.entries(fields), before, [['a', 2]]]);
    const previous = (await hashAt(3)).toString('hex');
    expect((await hashAt(4)).equals(secret.keyedHash(`audit ${previous} ${text}`))).toBe(true);
  });

  test('a record removed in the middle is noticed, and so are two that changed places', async () => {
    await run('update audit_record set number = 100 where space_id = $1 and number = 3');
    expect(await audit.verify()).toMatchObject({ intact: false, firstBroken: 3 });
    await run('update audit_record set number = 3 where space_id = $1 and number = 2');
    await run('update audit_record set number = 2 where space_id = $1 and number = 100');
    expect(await audit.verify()).toMatchObject({ intact: false, firstBroken: 2 });
  });

  describe.each([['with an anchor'], ['without one']])('%s', (kept) => {
    beforeEach(async () => {
      if (kept === 'without one') audit = logOf();
      else await audit.writeAnchor();
    });

    test.each([1, 2, 6])(
      'the newest %i removed, with the row of the chain set back, are noticed',
      async (count) => {
        const last = 6 - count;
        const hash = last === 0 ? Buffer.alloc(32) : await hashAt(last);
        await run('delete from audit_record where space_id = $1 and number > $2', last);
        await run('update audit_chain set last_number = $2, last_hash = $3 where space_id = $1', last, hash);
        expect(await audit.verify()).toMatchObject({ intact: false });
      },
    );

    test.each([1, 3, 6])('the oldest %i removed, as if by retention, are noticed', async (count) => {
      const hash = await hashAt(count);
      await run('delete from audit_record where space_id = $1 and number <= $2', count);
      await run('update audit_chain set kept_after = $2, kept_hash = $3 where space_id = $1', count, hash);
      expect(await audit.verify()).toMatchObject({ intact: false });
    });

    test('a chain row without its seal is noticed, and what is added later mends none of it', async () => {
      const hash = await hashAt(2);
      await run('delete from audit_record where space_id = $1 and number <= 2');
      await run(
        'update audit_chain set kept_after = 2, kept_hash = $2, seal = null where space_id = $1',
        hash,
      );
      expect(await audit.verify()).toMatchObject({ intact: false });
      await audit.record(entry('later'));
      await audit.applyRetention();
      expect(await audit.verify()).toMatchObject({ intact: false });
    });

    test('the seal of another space fits nowhere else', async () => {
      const other = await addSpace(database, clock);
      await run('delete from audit_chain where space_id = $1');
      await database.query(
        `insert into audit_chain (space_id, last_number, last_hash, kept_after, kept_hash, seal)
         select $1, last_number, last_hash, kept_after, kept_hash, seal from audit_chain where space_id <> $1 and space_id <> $2 limit 1`,
        [spaceId, other],
      );
      expect(await audit.verify()).toMatchObject({ intact: false });
    });
  });

  describe('what was taken away together with the row that told of it', () => {
    let early: Record<string, unknown>;
    beforeEach(async () => {
      early = (await run('select * from audit_chain where space_id = $1')).rows[0]!;
      for (const detail of ['late', 'later']) await audit.record(entry(detail));
      await audit.writeAnchor();
    });
    const restore = () =>
      run(
        'update audit_chain set last_number = $2, last_hash = $3, seal = $4 where space_id = $1',
        early.last_number,
        early.last_hash,
        early.seal,
      );

    test('is missed by the anchor: a chain and its row of before', async () => {
      await run('delete from audit_record where space_id = $1 and number > 6');
      await restore();
      expect(await logOf().verify()).toMatchObject(intact);
      expect(await audit.verify()).toMatchObject({ intact: false, firstBroken: 7 });
      for (const detail of ['new', 'newer', 'newest']) await audit.record(entry(detail));
      expect(await audit.verify()).toMatchObject({ intact: false, firstBroken: 8 });
    });

    test('is missed by the anchor: everything', async () => {
      await run('delete from audit_record where space_id = $1');
      await run('delete from audit_chain where space_id = $1');
      expect(await audit.verify()).toMatchObject({ intact: false, firstBroken: 1 });
      for (let number = 1; number <= 9; number++) await audit.record(entry('new'));
      expect(await audit.verify()).toMatchObject({ intact: false, firstBroken: 8 });
    });

    test('is missed by a head that the log of the server told, where there is no file', async () => {
      const [, number, hash] = String(lines.find(({ message }) => message === 'Audit log')!.head).split(':');
      const told = [{ number: Number(number), hash: hash! }];
      expect(await logOf().verify(told)).toMatchObject(intact);
      await run('delete from audit_record where space_id = $1 and number > 6');
      await restore();
      expect(await logOf().verify(told)).toMatchObject({ intact: false });
      await run('delete from audit_record where space_id = $1');
      await run('delete from audit_chain where space_id = $1');
      expect(await logOf().verify(told)).toMatchObject({ intact: false, firstBroken: 1 });
    });

    test('never takes the anchor back with it, and the log of the server says so once', async () => {
      const before = await readFile(join(folder.folder, 'audit-anchors', `${spaceId}.json`), 'utf8');
      await run('delete from audit_record where space_id = $1 and number > 6');
      await restore();
      for (const detail of ['a', 'b', 'c', 'd']) await audit.record(entry(detail));
      for (const _ of ['first', 'again']) {
        await audit.applyRetention();
        expect(await readFile(join(folder.folder, 'audit-anchors', `${spaceId}.json`), 'utf8')).toBe(before);
        const told = lines.filter(({ level }) => level === 'error');
        expect(told).toMatchObject([{ message: 'The audit log lacks what its anchor knows of' }]);
      }
    });
  });

  test('retention takes the oldest, and the rest stays whole with anchors of any age', async () => {
    const day = 86_400_000;
    const bounded = logOf({ keptDays: 10, anchors });
    await bounded.applyRetention();
    const early = await anchors.read(spaceId);
    clock.advance(9 * day);
    await bounded.record(entry('young'));
    await bounded.applyRetention();
    expect(await bounded.verify()).toMatchObject({ ...intact, checked: 7 });
    clock.advance(2 * day);
    await bounded.applyRetention();
    expect(await bounded.verify([early!])).toMatchObject({ ...intact, checked: 1, lastNumber: 7 });
    clock.advance(9 * day);
    await bounded.applyRetention();
    expect(await bounded.verify()).toMatchObject({ ...intact, checked: 0, lastNumber: 7 });
    await bounded.record(entry('again'));
    expect(await bounded.verify()).toMatchObject({ ...intact, checked: 1, lastNumber: 8 });
  });

  test('retention takes nothing for a day after the clock has jumped ahead by years', async () => {
    const hour = 3_600_000;
    const bounded = logOf({ keptDays: 30 });
    clock.jump(4000 * 24 * hour);
    await bounded.applyRetention();
    await bounded.record(entry('in the wrong time'));
    clock.advance(23 * hour);
    await bounded.applyRetention();
    expect(await bounded.verify()).toMatchObject({ ...intact, checked: 7 });
    expect(lines).toMatchObject([{ level: 'warn', days: 4000 }]);
    // A server that restarts often does not start over.
    clock.advance(hour);
    const restarted = logOf({ keptDays: 30 });
    await restarted.applyRetention();
    expect(await restarted.verify()).toMatchObject({ ...intact, checked: 1 });
  });

  test('retention that the database refuses is an error, and takes nothing', async () => {
    const refusing: Database = Object.create(database, {
      transaction: {
        value: () => Promise.reject(new Error('the database is away')),
      },
    });
    clock.advance(20 * 86_400_000);
    await expect(logOf({ keptDays: 10, on: refusing }).applyRetention()).rejects.toThrow(
      'the database is away',
    );
    expect(await audit.verify()).toMatchObject({ ...intact, checked: 6 });
  });

  test('records made at once stand in one line', async () => {
    const others = [audit, logOf(), logOf()];
    await Promise.all(Array.from({ length: 15 }, (_, at) => others[at % 3]!.record(entry(`at once ${at}`))));
    expect(await audit.verify()).toMatchObject({ ...intact, checked: 21 });
  });

  test('a chain from before chains were sealed is sealed, one that was tampered with is not', async () => {
    await run('update audit_chain set seal = null where space_id = $1');
    expect(await audit.verify()).toMatchObject({ intact: false });
    await database.transaction((tx) => sealOldChain(tx, secret, spaceId));
    expect(await audit.verify()).toMatchObject(intact);
    await run('update audit_chain set last_number = 5 where space_id = $1');
    await database.transaction((tx) => sealOldChain(tx, secret, spaceId));
    expect(await audit.verify()).toMatchObject({ intact: false });
  });
});
