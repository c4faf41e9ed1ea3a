// Hosts of a scan become managed nodes in many short transactions, with the result of a single one, whoever
// continues after an interruption at any of them.
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import type { ScannedHost } from '@yagura/core/ksocket/agent-protocol';
import { scannedHost } from '@yagura/core/ksocket/agent-protocol';
import { seededRandom } from '@yagura/fixtures/samples/seeded-random';
import { siteHosts } from '@yagura/fixtures/testbed/site-hosts';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isoTime, ManualClock } from '../../src/common/clock.ts';
import { createIdSource } from '../../src/common/id.ts';
import type { LogLine } from '../../src/common/log.ts';
import type { Database } from '../../src/db/database.ts';
import { StoreUnavailable } from '../../src/db/store-unavailable.ts';
import { leaseMs } from '../../src/jobs/job-queue.ts';
import { Aggregation } from '../../src/sonar/aggregation/aggregation.ts';
import type { NamedNodes } from '../../src/sonar/aggregation/named-nodes.ts';
import { lockNetwork, mergeNodes } from '../../src/sonar/node-decisions.ts';
import { findSnapshot, scanOf } from '../../src/sonar/scan-snapshot.ts';
import { indexSnapshot } from '../../src/sonar/search-index.ts';
import { storeChunk } from '../../src/sonar/store-scanned-hosts.ts';
import { refuseRows } from '../support/sql/refuse-rows.ts';
import { createStoreWithTables, type TestStore } from '../support/test-store.ts';

type Row = Record<string, unknown>;
interface Completion {
  snapshotId: string;
  created: NamedNodes;
  outdated: NamedNodes;
}

let store: TestStore;
let database: Database;
let clock: ManualClock;
let nextId: () => string;
let spaceId: string;
let lines: LogLine[];
let completions: Completion[];
let failed: string[];

beforeAll(async () => {
  store = (await createStoreWithTables('embedded'))!;
  database = await store.open();
  clock = new ManualClock();
  nextId = createIdSource(new ManualClock());
  spaceId = nextId();
  await database.query(
    `insert into space (space_id, display_name, created_at, updated_at) values ($1, 'Test', $2, $2)`,
    [spaceId, now()],
  );
});
beforeEach(() => {
  lines = [];
  completions = [];
  failed = [];
});
afterAll(() => store?.remove());

const rowsOf = async <T = Row>(text: string, values: unknown[] = []) =>
  (await database.query<T>(text, values)).rows;
const now = () => isoTime(clock.now());
const jobs = () => rowsOf(`select payload from job where queue = 'sonar-aggregation'`);

let processes = 0;
/** A process of the server, with at most this many hosts per transaction. */
function processWith(hosts: number, of = database): Aggregation {
  const deps = { database: of, clock, instance: `p${++processes}`, nextId };
  return new Aggregation(
    { ...deps, log: (line) => void lines.push(line) },
    {
      onProgress: () => undefined,
      complete: async (_tx, { snapshotId }, { created, outdated }) =>
        void completions.push({ snapshotId, created, outdated }),
      fail: async (_tx, snapshotId) => {
        failed.push(snapshotId);
        return null;
      },
      onEnded: () => undefined,
    },
    { hosts, milliseconds: 20 },
  );
}

/** The database of a process that dies after so many commits; `onDeath` runs before the process notices. */
function dyingAfter(commits: number, onDeath: () => Promise<void> = async () => undefined): Database {
  let left = commits;
  const check = () => {
    if (left <= 0) throw new StoreUnavailable('the process has died');
  };
  return {
    kind: database.kind,
    query: (...call: Parameters<Database['query']>) => {
      check();
      return database.query(...call);
    },
    transaction: async <T>(work: Parameters<Database['transaction']>[0]) => {
      check();
      const result = await database.transaction(work);
      left -= 1;
      if (left === 0) await onDeath();
      check();
      return result as T;
    },
  } as unknown as Database;
}

interface Site {
  spaceId: string;
  networkId: string;
}

async function makeSite(): Promise<Site> {
  const networkId = nextId();
  await database.query(
    `insert into resource (space_id, kind, id, body, created_at, updated_at)
     values ($1, 'network', $2, '{"displayName": "Site", "configuration": {"newDays": 1, "outdatedDays": 3}}', $3, $3)`,
    [spaceId, networkId, now()],
  );
  return { spaceId, networkId };
}

/** Stores a scan whose hosts have all arrived. */
async function arrive(site: Site, hosts: readonly ScannedHost[], aggregation: Aggregation): Promise<string> {
  const snapshotId = nextId();
  await database.query(
    `insert into snapshot (snapshot_id, space_id, network_id, status, settings, heard_at, created_at, updated_at)
     values ($1, $2, $3, 'started', '{}', $4, $4, $4)`,
    [snapshotId, site.spaceId, site.networkId, now()],
  );
  await database.transaction(async (tx) => {
    for (let at = 0; at < hosts.length; at += 4)
      await storeChunk(tx, nextId, {
        ...{ ...site, snapshotId, chunk: at / 4, refusals: [], now: now() },
        hosts: hosts.slice(at, at + 4),
      });
    await tx.query(
      `update snapshot set status = 'processing', terminated_at = $2, started_at = $2 where snapshot_id = $1`,
      [snapshotId, now()],
    );
    await aggregation.add(tx, scanOf((await findSnapshot(tx, snapshotId))!, 'processing'));
  });
  return snapshotId;
}

/** Lets processes work until the queue is empty; each has so many hosts per transaction and dies after so many commits. */
async function work(
  lives: Iterator<{ hosts: number; commits?: number; overtaken?: boolean }>,
): Promise<void> {
  while ((await jobs()).length > 0) {
    const { value } = lives.next();
    const { hosts, commits, overtaken } = value as { hosts: number; commits?: number; overtaken?: boolean };
    const takeOver = async () => {
      if (!overtaken) return;
      clock.advance(leaseMs + 1);
      await processWith(hosts, dyingAfter(1)).idle();
    };
    await processWith(hosts, commits === undefined ? database : dyingAfter(commits, takeOver)).idle();
    clock.advance(leaseMs + 1);
  }
}

function* forever<T>(value: T): Iterator<T> {
  for (;;) yield value;
}

/** Everything that scans have made of a site; nodes are named after their first host. */
async function contentOf({ networkId }: Site, snapshots: readonly string[]): Promise<unknown> {
  const hosts = await rowsOf<Record<string, string | null>>(
    `select snapshot_id, chunk, place, managed_node_id, device_id, aggregation_type, matched_by, display_name
     from snapshot_node where network_id = $1 order by array_position($2::uuid[], snapshot_id), chunk, place`,
    [networkId, snapshots],
  );
  const names = new Map<unknown, number>();
  for (const { managed_node_id, device_id } of hosts)
    for (const id of [managed_node_id, device_id])
      if (id !== null && !names.has(id)) names.set(id, names.size);
  const named = (rows: Row[]) =>
    rows
      .map((row) => ({ ...row, managed_node_id: names.get(row.managed_node_id) ?? row.managed_node_id }))
      .map((row) => JSON.stringify(row))
      .sort();
  const nodes = await rowsOf(
    `select managed_node_id, display_name, named, addr, macaddr, system_family, system_version, system_serial, vendor, facts,
       windows_updates, number_of_addresses, number_of_windows_updates, outdated_told, first_seen_at, last_seen_at
     from managed_node where network_id = $1`,
    [networkId],
  );
  return {
    hosts: hosts.map((row) => ({
      ...row,
      snapshot_id: snapshots.indexOf(row.snapshot_id!),
      managed_node_id: names.get(row.managed_node_id),
      device_id: names.get(row.device_id),
    })),
    nodes: named(nodes),
    signatures: named(
      await rowsOf('select managed_node_id, kind, value from managed_node_signature where network_id = $1', [
        networkId,
      ]),
    ),
    cloned: named(
      await rowsOf('select kind, value from cloned_signature where network_id = $1', [networkId]),
    ),
    values: named(
      await rowsOf('select managed_node_id, field, value from managed_node_value where network_id = $1', [
        networkId,
      ]),
    ),
    snapshots: await rowsOf(
      `select status, number_of_nodes, number_of_processed_nodes, number_of_addresses, number_of_created_nodes,
         number_of_merged_nodes, number_of_unidentified_nodes from snapshot where network_id = $1
       order by array_position($2::uuid[], snapshot_id)`,
      [networkId, snapshots],
    ),
    told: snapshots.map((id) =>
      completions
        .filter(({ snapshotId }) => snapshotId === id)
        .map(({ created, outdated }) => [
          created.numberOfNodes,
          created.nodes.map(({ displayName }) => displayName),
          outdated.numberOfNodes,
          outdated.nodes.map(({ displayName }) => displayName).sort(),
        ]),
    ),
  };
}

type Lives = () => Iterator<{ hosts: number; commits?: number; overtaken?: boolean }>;

const start = Date.parse('2027-01-01T00:00:00Z');
const day = 86_400_000;

/** What a series of scans, one every two days, makes of a new site. */
async function resultOf(scans: readonly (readonly ScannedHost[])[], lives: Lives): Promise<unknown> {
  clock = new ManualClock(start);
  const site = await makeSite();
  const snapshots: string[] = [];
  for (const [index, hosts] of scans.entries()) {
    clock.advance(start + index * 2 * day - clock.now());
    const snapshotId = await arrive(site, hosts, processWith(1));
    snapshots.push(snapshotId);
    await work(lives());
    await indexSnapshot(database, snapshotId, (_id, error) => {
      throw error;
    });
  }
  return contentOf(site, snapshots);
}

const parse = (hosts: readonly unknown[]) => hosts.map((one) => scannedHost.parse(one));

const bit = (max: number) => fc.option(fc.integer({ min: 0, max }), { nil: null, freq: 2 });
/** Hosts that share addresses and signatures of each strength, copied ones too. */
const anyHost = fc
  .record({
    addr: fc.integer({ min: 1, max: 9 }),
    more: bit(9),
    mac: bit(4),
    serial: bit(3),
    id: bit(3),
    kb: bit(3),
  })
  .map(({ addr, more, mac, serial, id, kb }) =>
    scannedHost.parse({
      addresses: [addr, ...(more === null || more === addr ? [] : [more])].map((one) => ({
        addr: `10.1.0.${one}`,
        hostnames: [{ hostname: `h${one}` }],
        ...(mac === null ? {} : { macaddr: `00:11:22:33:44:0${mac}` }),
      })),
      ...(serial === null ? {} : { system: { family: 'Linux', version: '1', serial: `serial${serial}` } }),
      ...(id === null ? {} : { signatures: { footprint: `machine${id}` } }),
      ...(kb === null
        ? {}
        : { windowsUpdates: [{ hotfixId: `KB${kb}`, description: '', installedAt: null }] }),
    }),
  );

describe('the hosts of scans', () => {
  test('become the same nodes in batches of any size, and through deaths and takeovers at any commit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyHost, { minLength: 4, maxLength: 10 }), { minLength: 2, maxLength: 2 }),
        fc.array(
          fc.record({
            hosts: fc.constantFrom(1, 3, 7),
            commits: fc.integer({ min: 1, max: 4 }),
            overtaken: fc.boolean(),
          }),
          { minLength: 1, maxLength: 5 },
        ),
        async (scans, lives) => {
          const whole = await resultOf(scans, () => forever({ hosts: 1000 }));
          expect(await resultOf(scans, () => forever({ hosts: 1 }))).toEqual(whole);
          expect(await resultOf(scans, () => forever({ hosts: 7 }))).toEqual(whole);
          const interrupted = function* () {
            for (;;) yield* lives;
          };
          expect(await resultOf(scans, interrupted)).toEqual(whole);
        },
      ),
      { numRuns: 4, seed: 16 },
    );
  }, 180_000);

  test('of a site are the same nodes in batches of any size', async () => {
    const scans = [0, 1].map((scan) =>
      parse(siteHosts({ seed: 'aggregation', count: 20, packages: 1, scan }).slice(scan, 16 + scan)),
    );
    const whole = await resultOf(scans, () => forever({ hosts: 1000 }));
    expect(await resultOf(scans, () => forever({ hosts: 1 }))).toEqual(whole);
    expect(await resultOf(scans, () => forever({ hosts: 7, commits: 2 }))).toEqual(whole);
  }, 120_000);
});

const hostOf = (addr: number, mac: number, serial?: string) =>
  scannedHost.parse({
    addresses: [
      { addr: `10.1.0.${addr}`, hostnames: [{ hostname: `h${addr}` }], macaddr: `00:11:22:33:44:0${mac}` },
    ],
    ...(serial ? { system: { family: 'Linux', version: '1', serial } } : {}),
  });

test('a copied value identifies again when no scan has found it twice for as long as nodes take to be outdated', async () => {
  const site = await makeSite();
  const copied = (addr: number, mac: number) => ({
    ...hostOf(addr, mac),
    signatures: { footprint: 'copied for a test' },
  });
  const scan = async (...hosts: ScannedHost[]) => {
    await arrive(site, hosts, processWith(1));
    await work(forever({ hosts: 50 }));
    const [{ count }] = (await rowsOf<{ count: string }>(
      'select count(*) from managed_node where network_id = $1',
      [site.networkId],
    )) as [{ count: string }];
    return Number(count);
  };
  expect(await scan(copied(1, 1), copied(2, 2))).toBe(2);
  clock.advance(2 * day);
  expect(await scan(copied(1, 1))).toBe(2);
  // Another network card: a new node while the value counts as copied.
  expect(await scan(copied(1, 3))).toBe(3);
  clock.advance(2 * day);
  expect(await scan(copied(1, 3))).toBe(3);
  expect(await scan(copied(1, 4))).toBe(3);
});

test('a node that a user merges between two batches is merged from then on', async () => {
  const site = await makeSite();
  const hosts = [hostOf(1, 1), hostOf(2, 2)];
  await arrive(site, hosts, processWith(1));
  await work(forever({ hosts: 1 }));
  const [first, second] = await rowsOf<{ id: string }>(
    'select managed_node_id as id from managed_node where network_id = $1 order by display_name',
    [site.networkId],
  );
  const snapshotId = await arrive(site, hosts, processWith(1));
  // The clones, and the first host.
  await processWith(1, dyingAfter(2)).idle();
  const t = await loadTranslator('en');
  await database.transaction(async (tx) => {
    await lockNetwork(tx, site);
    await mergeNodes(tx, { ...site, t, nextId, createdBy: 'user', now: now() }, first!.id, second!.id);
  });
  clock.advance(leaseMs + 1);
  await work(forever({ hosts: 1 }));
  expect(
    await rowsOf(
      'select managed_node_id as id, number_of_addresses as count from managed_node where network_id = $1',
      [site.networkId],
    ),
  ).toEqual([{ id: first!.id, count: 2 }]);
  expect(
    await rowsOf(
      'select managed_node_id as id, device_id from snapshot_node where snapshot_id = $1 order by chunk, place',
      [snapshotId],
    ),
  ).toEqual([
    { id: first!.id, device_id: null },
    { id: first!.id, device_id: second!.id },
  ]);
});

test('a host that the database rejects is marked as failed alone', async () => {
  const site = await makeSite();
  const end = await refuseRows(() => database, 'managed_node', `new.display_name = 'h5'`);
  const snapshotId = await arrive(
    site,
    [4, 5, 6].map((one) => hostOf(one, one)),
    processWith(1),
  );
  await work(forever({ hosts: 50 }));
  await end();
  expect(
    await rowsOf(
      'select display_name as name, aggregation_type as type from snapshot_node where snapshot_id = $1 order by 1',
      [snapshotId],
    ),
  ).toEqual([
    { name: 'h4', type: 'created' },
    { name: 'h5', type: 'failed' },
    { name: 'h6', type: 'created' },
  ]);
  expect(
    await rowsOf(
      'select status, number_of_processed_nodes as done, number_of_created_nodes as created from snapshot where snapshot_id = $1',
      [snapshotId],
    ),
  ).toEqual([{ status: 'succeeded', done: 3, created: 2 }]);
  expect(completions.map((one) => one.created.numberOfNodes)).toEqual([2]);
  expect(lines).toContainEqual(
    expect.objectContaining({ level: 'error', message: 'a host could not be merged', error: 'poison' }),
  );
});

test('a scan whose end the database always rejects fails', async () => {
  const site = await makeSite();
  const end = await refuseRows(() => database, 'snapshot', `new.status = 'succeeded'`);
  const snapshotId = await arrive(site, [hostOf(1, 1)], processWith(1));
  const one = processWith(1);
  for (let attempt = 0; attempt < 6; attempt++) {
    await one.idle();
    clock.advance(3_600_000);
  }
  await end();
  expect(await jobs()).toEqual([]);
  expect(failed).toEqual([snapshotId]);
});

test('a scan that is removed between two batches ends', async () => {
  const site = await makeSite();
  const hosts = Array.from({ length: 9 }, (_, at) => hostOf(at + 1, at + 1));
  const snapshotId = await arrive(site, hosts, processWith(1));
  await processWith(1, dyingAfter(3)).idle();
  await database.query('delete from snapshot where snapshot_id = $1', [snapshotId]);
  clock.advance(leaseMs + 1);
  await processWith(1).idle();
  expect(await jobs()).toEqual([]);
  expect(completions).toEqual([]);
});

test('a process that closes releases the scan after its transaction', async () => {
  const site = await makeSite();
  const random = seededRandom('close');
  const hosts = Array.from({ length: 9 }, (_, at) => hostOf(at + 1, at + 1));
  const snapshotId = await arrive(site, hosts, processWith(1));
  const stopAt = 2 + Math.floor(random() * 5);
  let commits = 0;
  const closing: Aggregation = processWith(1, {
    kind: database.kind,
    query: (...call: Parameters<Database['query']>) => database.query(...call),
    transaction: async (step: Parameters<Database['transaction']>[0]) => {
      const result = await database.transaction(step);
      if (++commits === stopAt) void closing.close();
      return result;
    },
  } as unknown as Database);
  await closing.idle();
  await closing.close();
  expect(commits).toBe(stopAt);
  // At once, without waiting for the end of the lease.
  await processWith(50).idle();
  expect(
    await rowsOf('select status, number_of_created_nodes as created from snapshot where snapshot_id = $1', [
      snapshotId,
    ]),
  ).toEqual([{ status: 'succeeded', created: 9 }]);
});
