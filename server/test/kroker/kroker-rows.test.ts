// Which rows of Krokers are read and written when gateways come and go, and what is told of it.
import { kroker } from '@yagura/core/kroker/kroker';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isoTime, ManualClock } from '../../src/common/clock.ts';
import { createIdSource } from '../../src/common/id.ts';
import type { LogLine } from '../../src/common/log.ts';
import { deriveSecret, sha256 } from '../../src/common/secrets/server-secret.ts';
import type { Database } from '../../src/db/database.ts';
import { failedResult } from '../../src/delivery/send-result.ts';
import { credentialBehaviour } from '../../src/kroker/credential-behaviour.ts';
import { GatewayPresence, type KrokerChange } from '../../src/kroker/gateway-presence.ts';
import {
  findKrokerToken,
  findValidConnections,
  refreshGateways,
  removeGateway,
  storeGateway,
  storeGatewayHello,
} from '../../src/kroker/gateway-store.ts';
import { krokerBehaviour } from '../../src/kroker/kroker-behaviour.ts';
import { KrokerNotices } from '../../src/kroker/kroker-notices.ts';
import {
  approveSetup,
  checkIn,
  collectToken,
  findSetup,
  type SetupDeps,
  startSetup,
} from '../../src/kroker/setup-store.ts';
import { findItem } from '../../src/resource/item-store.ts';
import type { RequestContext } from '../../src/resource/request-context.ts';
import { createSealing } from '../../src/resource/sealing/sealed-fields.ts';
import type { NoticeDeps } from '../../src/resource/sealing/sealed-notice.ts';
import { trackDatabase } from '../jobs/tracked-database.ts';
import { refuseRows } from '../support/sql/refuse-rows.ts';
import { createStoreWithTables, type TestStore } from '../support/test-store.ts';

const spaceId = '0190a0a0-9999-7000-8000-000000000001';
const otherSpaceId = '0190a0a0-9999-7000-8000-000000000002';
const ids = ['a', 'b', 'c', 'd', 'e'].map((digit) => `0190a0a0-9999-7000-8000-00000000000${digit}`);
const [first, second, third] = ids as [string, string, string];
const minute = 60_000;

let store: TestStore;
let database: Database;
let settled: () => Promise<void>;
let clock: ManualClock;
let lines: LogLine[];

beforeAll(async () => {
  store = (await createStoreWithTables('embedded'))!;
  ({ database, settled } = trackDatabase(await store.open()));
  await database.query(
    `insert into space (space_id, display_name, created_at, updated_at) values ($1, 'Test', now(), now())`,
    [spaceId],
  );
}, 120_000);
afterAll(() => store?.remove());
beforeEach(() => {
  clock = new ManualClock();
  lines = [];
});
afterEach(async () => {
  const tables = [
    'resource',
    'kroker_state',
    'kroker_connection',
    'kroker_log',
    'kroker_notice',
    'kroker_setup',
    'job',
  ];
  for (const table of tables) await database.query(`delete from ${table}`);
});

const log = (line: LogLine) => void lines.push(line);
const rowsOf = async (text: string) => (await database.query<Record<string, unknown>>(text)).rows;
const at = (offset = 0) => isoTime(clock.now() + offset);
const tokenOf = (krokerId: string) => `ykr_${krokerId}`;

/** Stores a Kroker that was connected before, with changes of its state. */
async function addKroker(krokerId: string, state: Record<string, unknown> = {}): Promise<void> {
  await database.query(
    `insert into resource (space_id, kind, id, body, created_at, updated_at)
     values ($1, 'kroker', $2, jsonb_build_object('displayName', $3::text), now(), now())`,
    [spaceId, krokerId, `kroker ${ids.indexOf(krokerId)}`],
  );
  await database.query(
    `insert into kroker_state (kroker_id, space_id, public_key, thumbprint, token_hash, connected, last_connected_at, gateway_version)
     values ($1, $2, '{}', 'thumbprint', $3, $4, $5, $6)`,
    [
      ...[krokerId, spaceId, sha256(tokenOf(krokerId))],
      ...[
        state.connected ?? false,
        state.lastAt ?? null,
        state.version === undefined ? '1.0' : state.version,
      ],
    ],
  );
}
const connect = (krokerId: string, now = clock.now(), connectionId = krokerId) =>
  storeGateway(
    database,
    { krokerId, spaceId, connectionId },
    { instance: 'one', replicaUrl: 'http://one', now },
  );
const states = () => rowsOf('select * from kroker_state order by kroker_id');
const connections = () => rowsOf('select * from kroker_connection order by kroker_id');

describe('the row of a gateway', () => {
  test('is found by the token in its own space', async () => {
    for (const id of [first, second]) await addKroker(id);
    expect(await findKrokerToken(database, spaceId, tokenOf(second))).toEqual({
      ...{ krokerId: second, displayName: 'kroker 1', tokenHash: sha256(tokenOf(second)) },
    });
    expect(await findKrokerToken(database, spaceId, `${tokenOf(second)}x`)).toBeUndefined();
    expect(await findKrokerToken(database, otherSpaceId, tokenOf(second))).toBeUndefined();
    const connection = (krokerId: string, token: string) => ({ krokerId, tokenHash: sha256(token) });
    const own = connection(first, tokenOf(first));
    const all = [own, connection(first, tokenOf(second)), connection(third, tokenOf(third))];
    expect(await findValidConnections(database, all)).toEqual(new Set([own]));
  });

  test('is stored for the newest connection, refreshed while it lives, and removed with it alone', async () => {
    for (const id of [first, second, third]) await addKroker(id);
    await connect(first, clock.now(), ids[3]);
    await connect(second);
    clock.advance(1000);
    await connect(first);
    const row = { space_id: spaceId, instance: 'one', replica_url: 'http://one' };
    expect(await connections()).toEqual([
      { ...row, kroker_id: first, connection_id: first, connected_at: at(), seen_at: at() },
      { ...row, kroker_id: second, connection_id: second, connected_at: at(-1000), seen_at: at(-1000) },
    ]);
    await refreshGateways(database, [], clock.now());
    await refreshGateways(database, [first, third], clock.now() + 5);
    expect(await connections()).toMatchObject([
      { connected_at: at(), seen_at: at(5) },
      { connected_at: at(-1000), seen_at: at(-1000) },
    ]);
    expect((await states()).map(({ last_connected_at }) => last_connected_at)).toEqual([at(5), null, null]);
    // The connection that was replaced ends later.
    await removeGateway(database, ids[3]!);
    expect(await connections()).toHaveLength(2);
    await removeGateway(database, first);
    expect(await connections()).toMatchObject([{ kroker_id: second }]);
  });

  test('holds what the gateway says of itself, and tells whether its key is another one', async () => {
    for (const id of [first, second]) await addKroker(id, { version: null });
    const hello = (signingKey: string, version = '2.0') =>
      database.transaction((tx) => storeGatewayHello(tx, first, { version, signingKey }, clock.now()));
    expect([await hello('key'), await hello('key'), await hello('other', '2\u0000.1')]).toEqual([
      ...[false, false, true],
    ]);
    expect(await states()).toMatchObject([
      { gateway_version: '2.1', signing_key: 'other', last_connected_at: at() },
      { gateway_version: null, signing_key: null, last_connected_at: null },
    ]);
  });
});

describe('the presence of gateways', () => {
  let presence: GatewayPresence;
  let told: string[];
  let wakes: number;
  let failsFor: string | undefined;

  beforeEach(() => {
    told = [];
    wakes = 0;
    failsFor = undefined;
    presence = new GatewayPresence({
      ...{ database, clock, log, nextId: createIdSource(clock) },
      notices: {
        async add(_tx, { krokerId, event, displayName }) {
          if (krokerId === failsFor) throw new Error('poison');
          told.push(`${displayName} ${event}`);
        },
        wake: () => void wakes++,
      },
    });
    presence.start();
  });
  afterEach(() => presence.close());
  const check = async () => {
    await presence.runNow();
    return told.splice(0);
  };
  const logged = () => rowsOf('select kroker_id, event, subject, "user" from kroker_log order by kroker_id');

  test('is looked at every fifteen seconds', async () => {
    await addKroker(first);
    await connect(first);
    clock.advance(14_999);
    await settled();
    expect(told).toEqual([]);
    clock.advance(1);
    await settled();
    expect(told).toEqual(['kroker 0 connected']);
  });

  test('begins when a connection is seen, for those alone that are connected', async () => {
    for (const id of [first, second, third]) await addKroker(id);
    await addKroker(ids[3]!, { version: null });
    await addKroker(ids[4]!, { connected: true });
    clock.advance(minute);
    await connect(first, clock.now() - 59_999);
    await connect(second, clock.now() - 60_000);
    for (const id of ids.slice(3)) await connect(id);
    expect(await check()).toEqual(['kroker 0 connected']);
    expect(wakes).toBe(1);
    expect((await states()).map(({ connected }) => connected)).toEqual([true, false, false, false, true]);
    expect(await logged()).toEqual([
      { kroker_id: first, event: 'connected', subject: 'kroker 0', user: null },
    ]);
    expect(await check()).toEqual([]);
  });

  test('ends after three minutes without a connection, but not before the server runs for three', async () => {
    await addKroker(first, { connected: true, lastAt: at() });
    await addKroker(second, { connected: true, lastAt: at(1) });
    await addKroker(third, { connected: true, lastAt: at(-minute) });
    clock.advance(3 * minute - 1);
    expect(await check()).toEqual([]);
    await connect(third);
    clock.advance(1);
    expect(await check()).toEqual(['kroker 0 disconnected']);
    expect((await states()).map(({ connected }) => connected)).toEqual([false, true, true]);
    expect(await logged()).toMatchObject([{ kroker_id: first, event: 'disconnected' }]);
    clock.advance(1);
    expect(await check()).toEqual(['kroker 1 disconnected']);
  });

  test('that cannot be stored is undone, told in the log and tried again after a minute', async () => {
    for (const id of [first, second]) await addKroker(id);
    for (const id of [first, second]) await connect(id);
    failsFor = first;
    expect(await check()).toEqual(['kroker 1 connected']);
    expect((await states()).map(({ connected }) => connected)).toEqual([false, true]);
    expect(await logged()).toMatchObject([{ kroker_id: second }]);
    expect(lines).toMatchObject([
      { message: 'the presence of a gateway could not be stored', krokerId: first, error: 'poison' },
    ]);
    failsFor = undefined;
    clock.advance(minute - 1);
    await connect(first);
    expect(await check()).toEqual([]);
    clock.advance(1);
    expect(await check()).toEqual(['kroker 0 connected']);
  });

  test('is told by one of the servers that look at the same time', async () => {
    await addKroker(first);
    await connect(first);
    const query = database.query.bind(database);
    const late: Database = Object.create(database, {
      query: {
        async value(text: string, values: unknown[]) {
          const found = await query(text, values);
          expect(await check()).toEqual(['kroker 0 connected']);
          return found;
        },
      },
    });
    const other: KrokerChange[] = [];
    const notices = { add: async (_tx: unknown, change: KrokerChange) => void other.push(change), wake() {} };
    await new GatewayPresence({
      database: late,
      clock,
      log,
      nextId: createIdSource(clock),
      notices,
    }).runNow();
    expect(other).toEqual([]);
    expect(await logged()).toHaveLength(1);
  });
});

describe('a notification about a Kroker', () => {
  let notices: KrokerNotices;
  let sent: Parameters<NoticeDeps['send']>[0][];
  let fails: boolean;
  const sealing = createSealing(deriveSecret(Buffer.alloc(32)));

  beforeEach(async () => {
    await addKroker(first);
    sent = [];
    fails = false;
    notices = new KrokerNotices({
      ...{ database, clock, log, nextId: createIdSource(clock), instance: 'one', random: () => 0.5, sealing },
      originOf: () => 'https://yagura.example',
      async send(outgoing) {
        sent.push(outgoing);
        const result = failedResult('delivery.threw', {}, { retry: true });
        return fails ? result : { ...result, outcome: 'succeeded' };
      },
    });
  });
  afterEach(() => notices.close());

  const addSetting = (displayName: string, changes: object = {}, space = spaceId) =>
    database.query(
      `insert into resource (space_id, kind, id, body, created_at, updated_at)
       values ($1, 'kroker-notification', gen_random_uuid(), $2, now(), now())`,
      [
        space,
        {
          ...{ displayName, disabled: false, krokerIds: [], events: ['connected', 'disconnected'] },
          ...{ kind: 'webhook', parameters: { url: `https://example.com/${displayName}` } },
          ...changes,
        },
      ],
    );
  const change = (event: KrokerChange['event'] = 'connected'): KrokerChange => ({
    ...{ spaceId, krokerId: first, displayName: 'Tokyo', event },
  });
  const add = (event?: KrokerChange['event']) => database.transaction((tx) => notices.add(tx, change(event)));
  const urls = () =>
    sent.map(({ request }) => new URL((request as { url: string }).url).pathname.slice(1)).toSorted();
  const left = async () => [await rowsOf('select 1 from kroker_notice'), await rowsOf('select 1 from job')];

  test('is sent for the settings that want it, and once', async () => {
    await addSetting('all');
    await addSetting('of-this', { krokerIds: [second, first] });
    await addSetting('of-another', { krokerIds: [second] });
    await addSetting('of-another-event', { events: ['disconnected'] });
    await addSetting('disabled', { disabled: true });
    await add();
    await notices.idle();
    expect(urls()).toEqual(['all', 'of-this']);
    expect(sent[0]).toMatchObject({ kind: 'webhook', attempt: 1 });
    expect(sent.map(({ request }) => request)).toContainEqual({
      ...{ url: 'https://example.com/all', method: 'POST', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ event: 'connected', krokerId: first, krokerName: 'Tokyo', at: at() }),
    });
    expect(await left()).toEqual([[], []]);
    expect(await rowsOf('select 1 from kroker_log')).toEqual([]);
    sent = [];
    await add('disconnected');
    await notices.idle();
    expect(urls()).toEqual(['all', 'of-another-event', 'of-this']);
  });

  test('by mail says in both languages what happened, with a link', async () => {
    await addSetting('mail', { kind: 'email', parameters: { to: ['a@example.com'] } });
    await add('disconnected');
    await notices.idle();
    expect(sent).toMatchObject([{ kind: 'email', request: { to: [{ email: 'a@example.com' }] } }]);
    const { subject, text } = sent[0]!.request as { subject: string; text: string };
    expect(subject).toMatch(/^\[Tokyo\] .+ \/ .+/);
    expect(text).toContain('https://yagura.example/');
    expect(text.match(/Tokyo/g)).toHaveLength(2);
    expect(text).toMatch(new RegExp(`/${first}\n$`));
  });

  test('that still fails at the sixth attempt is given up, and the log of the Kroker names its setting', async () => {
    await addSetting('dead');
    fails = true;
    await add();
    for (let attempt = 1; attempt <= 6; attempt++) {
      expect(await rowsOf('select 1 from kroker_notice')).toHaveLength(1);
      await notices.idle();
      expect(sent).toHaveLength(attempt);
      const [job] = await rowsOf('select run_at from job');
      if (job) clock.advance(Date.parse(job.run_at as string) - clock.now());
    }
    expect(await left()).toEqual([[], []]);
    expect(await rowsOf('select space_id, kroker_id, event, subject, "user" from kroker_log')).toEqual([
      { space_id: spaceId, kroker_id: first, event: 'notification-failed', subject: 'dead', user: null },
    ]);
  });

  test('whose end cannot be logged ends nevertheless', async () => {
    await addSetting('dead');
    fails = true;
    await add();
    await database.query('update job set attempts = 5');
    const end = await refuseRows(() => database, 'kroker_log', `new.event = 'notification-failed'`);
    await notices.idle();
    await end();
    expect(await rowsOf('select 1 from job')).toEqual([]);
    expect(lines).toContainEqual(
      expect.objectContaining({ message: 'the outcome of an attempt could not be stored', error: 'poison' }),
    );
  });

  test.each(['kroker_notice', 'job'])('is of no change when it cannot be stored in %s', async (table) => {
    await addSetting('all');
    const end = await refuseRows(() => database, table, 'true', 'insert');
    await expect(add()).rejects.toThrow('poison');
    await end();
    expect(await left()).toEqual([[], []]);
  });

  test('of a Kroker that was deleted meanwhile is not sent', async () => {
    await addSetting('all');
    await add();
    await database.query('delete from kroker_notice');
    await notices.idle();
    expect(sent).toEqual([]);
    expect(await left()).toEqual([[], []]);
  });
});

describe('a Kroker', () => {
  let setupDeps: SetupDeps;
  beforeEach(() => {
    const secret = deriveSecret(Buffer.alloc(32));
    setupDeps = { database, clock, nextId: createIdSource(clock), secret, spaceId };
  });
  const contextIn = (space: string, params = {}) =>
    ({
      ...{ spaceId: space, params, t: (key: string) => key, principal: { email: 'a@example.com' } },
      services: { database, clock, nextId: createIdSource(clock) },
    }) as unknown as RequestContext;

  test('counts as connected while its machine or its gateway was heard of', async () => {
    await addKroker(first, { lastAt: at(-119_999), version: null });
    await addKroker(second, { lastAt: at(-120_000), version: null });
    for (const id of ids.slice(2)) await addKroker(id, { lastAt: at() });
    await connect(ids[2]!, clock.now() - 59_999);
    await connect(ids[3]!, clock.now() - 60_000);
    const { table } = krokerBehaviour;
    const found: unknown[] = [];
    for (const id of ids) {
      const stored = await findItem(database, contextIn(spaceId), kroker, table!, id);
      found.push(stored!.item.connectionState);
    }
    expect(found).toEqual(['connected', 'unconnected', 'connected', 'unconnected', 'unconnected']);
  });

  test('takes its own log, set-up, notices and state with it when it is deleted, and those of no other', async () => {
    const setup = { publicKey: {} as never, thumbprint: 'x', hostName: 'gateway', address: '192.0.2.1' };
    for (const id of [first, second]) {
      await addKroker(id);
      await database.query(
        `insert into kroker_log (kroker_log_id, space_id, kroker_id, event, subject, created_at)
         values (gen_random_uuid(), $1, $2, 'set-up', 'x', now())`,
        [spaceId, id],
      );
      await database.query(
        `insert into kroker_notice (notice_id, space_id, kroker_id, setting_name, request, created_at)
         values (gen_random_uuid(), $1, $2, 'x', '{}', now())`,
        [spaceId, id],
      );
      const { userCode } = await startSetup(setupDeps, setup);
      await approveSetup(database, (await findSetup(database, setupDeps, spaceId, userCode))!, id);
    }
    const tables = ['kroker_log', 'kroker_setup', 'kroker_notice', 'kroker_state'];
    const left = () =>
      Promise.all(tables.map((table) => rowsOf(`select kroker_id from ${table} order by 1`)));
    const remove = (space: string) =>
      database.transaction((tx) => krokerBehaviour.afterRemove!(tx, contextIn(space), first, {}));
    await remove(otherSpaceId);
    expect((await left()).map((rows) => rows.length)).toEqual([2, 2, 2, 2]);
    await remove(spaceId);
    expect(await left()).toEqual(tables.map(() => [{ kroker_id: second }]));
  });

  test('is not kept out by machines of a few networks that fill the places of the space', async () => {
    const from = (address: string, hostName: string) =>
      startSetup(setupDeps, { publicKey: {} as never, thumbprint: 'x', hostName, address });
    for (let network = 0; network < 10; network++)
      for (let host = 0; host < 5; host++)
        await from(`2001:db8:0:${network}::${host}`, `flood ${network}.${host}`);
    await expect(from('2001:db8:0:3::abcd', 'flood')).rejects.toMatchObject({ status: 429 });
    const { userCode } = await from('192.0.2.1', 'wanted');
    for (let host = 0; host < 3; host++) await from(`198.51.100.${host}`, 'later');
    expect(await findSetup(database, setupDeps, spaceId, userCode)).toMatchObject({ hostName: 'wanted' });
    expect(await rowsOf('select setup_id from kroker_setup')).toHaveLength(50);
  });

  test('gets its token in its own space, and only its own credentials are dropped for a new key', async () => {
    const addCredential = (krokerId: string) =>
      database.query(
        `insert into resource (space_id, kind, id, parent_id, body, created_at, updated_at)
         values ($1, 'credential', gen_random_uuid(), $2, '{"displayName": "root", "encryptedData": "x"}', now(), now())`,
        [spaceId, krokerId],
      );
    for (const id of [first, second]) {
      await addKroker(id);
      await addCredential(id);
    }
    const machine = { publicKey: {} as never, thumbprint: 'new', hostName: 'gateway', address: '192.0.2.1' };
    const { userCode, deviceCode } = await startSetup(setupDeps, machine);
    await startSetup(setupDeps, machine);
    await approveSetup(database, (await findSetup(database, setupDeps, spaceId, userCode))!, first);
    await expect(collectToken({ ...setupDeps, spaceId: otherSpaceId }, deviceCode)).rejects.toMatchObject({
      status: 404,
    });
    const { token } = (await collectToken(setupDeps, deviceCode))!;
    expect(await rowsOf('select thumbprint from kroker_setup')).toHaveLength(1);
    expect((await states()).map(({ thumbprint }) => thumbprint)).toEqual(['new', 'thumbprint']);
    expect(
      await rowsOf(
        `select parent_id, body ? 'encryptedData' as kept, version::int from resource where kind = 'credential' order by parent_id`,
      ),
    ).toEqual([
      { parent_id: first, kept: false, version: 2 },
      { parent_id: second, kept: true, version: 1 },
    ]);
    expect(await rowsOf(`select id, version::int from resource where kind = 'kroker' order by id`)).toEqual([
      { id: first, version: 2 },
      { id: second, version: 1 },
    ]);
    expect(await checkIn({ ...setupDeps, spaceId: otherSpaceId }, token)).toBeNull();
    expect(await checkIn(setupDeps, token)).toEqual({
      ...{ krokerId: first, displayName: 'kroker 0', thumbprint: 'new' },
    });
    expect((await states()).map(({ last_connected_at }) => last_connected_at)).toEqual([at(), null]);
  });

  test('keeps the encrypted data of a credential that is edited without, unless its type changes', () => {
    const body = (input: object, before?: object) =>
      credentialBehaviour.body!(contextIn(spaceId), input as never, before as never);
    const [password, key] = [{ credentialType: 'password' }, { credentialType: 'private-key' }];
    expect(body(password)).toEqual(password);
    expect(body(key, password)).toEqual(key);
    expect(body(password, { ...password, encryptedData: 'old' })).toEqual({
      ...password,
      encryptedData: 'old',
    });
    const replaced = { ...key, encryptedData: 'new' };
    expect(body(replaced, { ...password, encryptedData: 'old' })).toEqual(replaced);
    expect(() => body(key, { ...password, encryptedData: 'old' })).toThrow(
      expect.objectContaining({ invalidParams: [{ name: 'encryptedData', reason: 'rule.required' }] }),
    );
  });
});
