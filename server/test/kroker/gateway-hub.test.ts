// The connections of gateways to one process: who may connect, which connection counts, and how each one ends.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { controlChannel, encodeFrame, gatewaySubprotocol } from '@yagura/core/greac/stream/frame';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { isoTime, ManualClock } from '../../src/common/clock.ts';
import { createIdSource } from '../../src/common/id.ts';
import type { LogLine } from '../../src/common/log.ts';
import { sha256 } from '../../src/common/secrets/server-secret.ts';
import { type Change, ChangeBus } from '../../src/db/change-bus.ts';
import type { Database } from '../../src/db/database.ts';
import { GatewayHub } from '../../src/kroker/gateway-hub.ts';
import { trackDatabase } from '../jobs/tracked-database.ts';
import { createStoreWithTables, type TestStore } from '../support/test-store.ts';

const spaceId = '0190a0a0-abcd-7000-8000-000000000001';
const [first, second] = ['a', 'b'].map((digit) => `0190a0a0-abcd-7000-8000-00000000000${digit}`) as [
  string,
  string,
];
const tokenOf = (krokerId: string) => `ykr_${krokerId.padEnd(43, 'x')}`;
const hello = { type: 'hello', protocols: [1], version: '1.0', signingKey: 'k'.repeat(43), sessions: [] };

let store: TestStore;
let database: Database;
let settled: () => Promise<void>;
let clock: ManualClock;
let hub: GatewayHub;
let server: Server;
let published: Change[];
let lines: LogLine[];
/** What the hub told to its listener and to the presence. */
let told: string[];
/** A hello is worked on until this resolves. */
let helloHeld: Promise<void> | undefined;
let permitted: boolean;
let blocked: string[];
let refusals: { status: number }[];
let sockets: WebSocket[];
/** Ends the connections at the server, as a network that is lost does. */
let streams: Duplex[];
/** The space that gateways connect to. */
let host: string;

beforeAll(async () => {
  store = (await createStoreWithTables('embedded'))!;
  ({ database, settled } = trackDatabase(await store.open()));
  await database.query(
    `insert into space (space_id, display_name, created_at, updated_at) values ($1, 'Test', now(), now())`,
    [spaceId],
  );
  server = createServer();
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const gate = {
      spaceId: host,
      permits: () => permitted,
      noteBlocked: ({ address, path }: { address: string; path: string }) =>
        void blocked.push(`${address} ${path}`),
    };
    streams.push(socket);
    hub.upgrade(gate, request, socket, head).catch((problem: { status: number }) => {
      refusals.push(problem);
      socket.end(`HTTP/1.1 ${problem.status} Refused\r\n\r\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}, 120_000);
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await store?.remove();
});
beforeEach(async () => {
  clock = new ManualClock();
  [published, lines, told, blocked, refusals, sockets, streams] = [[], [], [], [], [], [], []];
  permitted = true;
  helloHeld = undefined;
  host = spaceId;
  for (const krokerId of [first, second]) await addKroker(krokerId);
  // Of a process that ran before this one.
  await database.query(
    `insert into kroker_connection (kroker_id, space_id, instance, connection_id, connected_at, seen_at)
     values ($1, $2, 'dead', $1, now(), now())`,
    [first, spaceId],
  );
  // A connection of the test before may end only now, and belongs to that test.
  const own = told;
  const changes = new ChangeBus({ database, clock, log: () => {}, instance: 'one' });
  changes.listen((list) => void published.push(...list));
  hub = new GatewayHub({
    ...{ database, clock, changes, nextId: createIdSource(clock), instance: 'one', replicaUrl: null },
    log: (line) => void lines.push(line),
    addressOf: () => '192.0.2.1',
    onPresence: async () => void own.push('presence'),
  });
  await hub.start({
    async onHello({ displayName }, { version }, welcome) {
      own.push(`${displayName} says hello with ${version}`);
      await helloHeld;
      welcome();
    },
    onReport: () => undefined,
    onFrame: () => undefined,
    onDisconnected: ({ displayName }) => void own.push(`${displayName} is gone`),
  });
});
afterEach(async () => {
  for (const socket of sockets) socket.terminate();
  await hub.close();
  for (const table of ['resource', 'kroker_state', 'kroker_connection', 'kroker_log'])
    await database.query(`delete from ${table}`);
});

async function addKroker(krokerId: string): Promise<void> {
  await database.query(
    `insert into resource (space_id, kind, id, body, created_at, updated_at)
     values ($1, 'kroker', $2, jsonb_build_object('displayName', $3::text), now(), now())`,
    [spaceId, krokerId, krokerId === first ? 'Tokyo' : 'Osaka'],
  );
  await database.query(
    `insert into kroker_state (kroker_id, space_id, public_key, thumbprint, token_hash) values ($1, $2, '{}', 'x', $3)`,
    [krokerId, spaceId, sha256(tokenOf(krokerId))],
  );
}

interface Connected {
  socket: WebSocket;
  /** Close code. */
  closed: Promise<number>;
  pings: number;
  say(message: object): void;
}

/** Connects and waits until the connection is stored. */
async function connect(krokerId: string, options: { autoPong?: boolean } = {}): Promise<Connected> {
  const socket = open(`Bearer ${tokenOf(krokerId)}`, gatewaySubprotocol, options);
  const connected: Connected = {
    socket,
    closed: new Promise((resolve) => socket.on('close', resolve)),
    pings: 0,
    say: (message) =>
      socket.send(encodeFrame('control', controlChannel, Buffer.from(JSON.stringify(message)))),
  };
  socket.on('ping', () => void connected.pings++);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  await hub.idle();
  return connected;
}
function open(authorization: string, subprotocol: string, options = {}): WebSocket {
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const socket = new WebSocket(url, subprotocol, { headers: { authorization }, ...options });
  sockets.push(socket);
  return socket;
}
const greet = async (connected: Connected) => {
  const welcomed = new Promise((resolve) => connected.socket.once('message', resolve));
  connected.say(hello);
  await welcomed;
  await hub.idle();
};
/** Whether the connection is open at both ends: what the server sent before has arrived. */
const isOpen = async ({ socket }: Connected) => {
  await new Promise((resolve) => {
    socket.once('pong', resolve).once('close', resolve);
    if (socket.readyState === WebSocket.OPEN) socket.ping();
    else resolve(undefined);
  });
  return socket.readyState === WebSocket.OPEN;
};
const advance = async (milliseconds: number) => {
  clock.advance(milliseconds);
  await hub.idle();
  await settled();
};
const rows = async () =>
  (
    await database.query<Record<string, unknown>>(
      'select kroker_id, instance, connected_at, seen_at from kroker_connection order by kroker_id',
    )
  ).rows;

test.each([
  ['without a token', '', gatewaySubprotocol, 401],
  ['with a token of nobody', `Bearer ${tokenOf('nobody')}`, gatewaySubprotocol, 401],
  ['with a token of another form', `Bearer ${tokenOf(first)}x`, gatewaySubprotocol, 401],
  ['without the subprotocol', `Bearer ${tokenOf(first)}`, 'other', 400],
])('a gateway %s is refused', async (_what, authorization, subprotocol, status) => {
  await new Promise((resolve) => open(authorization, subprotocol).once('error', resolve));
  expect(refusals).toMatchObject([{ status }]);
  expect(blocked).toEqual([]);
});

test('a gateway of another space, or at an address that is not permitted, is refused', async () => {
  const attempt = () =>
    new Promise((resolve) => open(`Bearer ${tokenOf(first)}`, gatewaySubprotocol).once('error', resolve));
  host = second;
  await attempt();
  host = spaceId;
  permitted = false;
  await attempt();
  expect(refusals).toMatchObject([{ status: 401 }, { status: 403 }]);
  expect(blocked).toEqual([expect.stringMatching(/^192\.0\.2\.1 \//)]);
});

test('a connection is stored while it lasts, and its beginning and end are told', async () => {
  expect(await rows()).toEqual([]);
  const gateway = await connect(first);
  const at = isoTime(clock.now());
  expect(await rows()).toEqual([{ kroker_id: first, instance: 'one', connected_at: at, seen_at: at }]);
  expect([told, published]).toEqual([[], []]);
  await greet(gateway);
  expect(told).toEqual(['Tokyo says hello with 1.0', 'presence']);
  const change = { spaceId, resource: 'kroker', id: first, op: 'update', state: true, at };
  expect(published).toEqual([change]);
  expect((await database.query('select event from kroker_log')).rows).toEqual([]);
  gateway.socket.close();
  await gateway.closed;
  await expect.poll(() => told.length).toBe(3);
  await hub.idle();
  expect(told.at(-1)).toBe('Tokyo is gone');
  expect(await rows()).toEqual([]);
  expect(published).toEqual([change, change]);
});

test('another key of a gateway is written to the log of its Kroker', async () => {
  await database.query(`update kroker_state set signing_key = 'other'`);
  await greet(await connect(second));
  expect((await database.query('select kroker_id, event, subject from kroker_log')).rows).toEqual([
    { kroker_id: second, event: 'signing-key-changed', subject: 'Osaka' },
  ]);
});

test('a new connection of a gateway takes the place of its earlier one, and of no other', async () => {
  const [earlier, other] = [await connect(first), await connect(second)];
  clock.advance(1);
  const later = await connect(first);
  expect(await earlier.closed).toBe(4009);
  await expect.poll(() => told).toEqual(['Tokyo is gone']);
  await hub.idle();
  expect([await isOpen(later), await isOpen(other)]).toEqual([true, true]);
  expect((await rows()).map(({ kroker_id }) => kroker_id)).toEqual([first, second]);
});

test('two agents with one key are in the log of their Kroker, once an hour; a connection that was lost is not', async () => {
  const logged = async () =>
    (await database.query('select kroker_id, event, subject from kroker_log')).rows as unknown[];
  let current = await connect(first);
  const replace = async () => {
    clock.advance(1);
    const replaced = current;
    current = await connect(first);
    await replaced.closed;
    await hub.idle();
  };
  const entry = { kroker_id: first, event: 'replaced', subject: '192.0.2.1' };
  await replace();
  await expect.poll(logged).toEqual([entry]);
  await replace();
  await replace();
  expect(await logged()).toEqual([entry]);
  clock.advance(60 * 60_000);
  await replace();
  await expect.poll(logged).toEqual([entry, entry]);
  const lost = await connect(second);
  streams.at(-1)!.destroy();
  await lost.closed;
  await connect(second);
  await hub.idle();
  expect(await logged()).toEqual([entry, entry]);
});

test('a connection that says nothing ends after twenty seconds, once greeted after sixty', async () => {
  const silent = await connect(first, { autoPong: false });
  const greeted = await connect(second, { autoPong: false });
  await greet(greeted);
  await advance(19_999);
  expect([silent.socket.readyState, silent.pings]).toEqual([WebSocket.OPEN, 0]);
  await advance(1);
  await silent.closed;
  await expect.poll(() => greeted.pings).toBe(1);
  await advance(39_999);
  expect(greeted.socket.readyState).toBe(WebSocket.OPEN);
  await advance(1);
  await greeted.closed;
  await expect
    .poll(() => told.filter((text) => text.endsWith('gone')))
    .toEqual(['Tokyo is gone', 'Osaka is gone']);
});

test('a connection that answers goes on, and its row is refreshed', async () => {
  const gateway = await connect(first);
  await greet(gateway);
  const begun = isoTime(clock.now());
  for (let beat = 1; beat <= 4; beat++) {
    const answered = new Promise((resolve) => streams[0]!.once('data', resolve));
    await advance(20_000);
    await answered;
  }
  expect(gateway.socket.readyState).toBe(WebSocket.OPEN);
  expect(await rows()).toEqual([
    { kroker_id: first, instance: 'one', connected_at: begun, seen_at: isoTime(clock.now()) },
  ]);
});

test('a connection ends two seconds after its token was replaced, and the others go on', async () => {
  const [revoked, other] = [await connect(first), await connect(second)];
  await database.query('update kroker_state set token_hash = $2 where kroker_id = $1', [
    first,
    sha256('new'),
  ]);
  await advance(1_999);
  expect(await isOpen(revoked)).toBe(true);
  await advance(1);
  expect(await revoked.closed).toBe(4001);
  expect(await isOpen(other)).toBe(true);
});

test('a connection ends two seconds after its address is no longer permitted', async () => {
  const gateway = await connect(first);
  await advance(2_000);
  expect(await isOpen(gateway)).toBe(true);
  permitted = false;
  await advance(2_000);
  expect(await gateway.closed).toBe(4003);
});

test('the connections of a space end when it is erased, and those of another one do not', async () => {
  const gateway = await connect(first);
  hub.disconnectSpace(second);
  expect(await isOpen(gateway)).toBe(true);
  hub.disconnectSpace(spaceId);
  expect(await gateway.closed).toBe(4001);
});

test('when the server stops, gateways learn of it and their rows are removed', async () => {
  const gateways = [await connect(first), await connect(second)];
  await hub.close();
  expect(await Promise.all(gateways.map(({ closed }) => closed))).toEqual([1001, 1001]);
  await settled();
  expect(await rows()).toEqual([]);
  expect(told.toSorted()).toEqual(['Osaka is gone', 'Tokyo is gone']);
  expect(clock.timerCount).toBe(0);
});

test('a stop of the server waits for what a gateway has sent, and not for a gateway that reads nothing', async () => {
  let release = () => {};
  helloHeld = new Promise((resolve) => {
    release = resolve;
  });
  const gateway = await connect(first);
  gateway.say(hello);
  await expect.poll(() => told).toEqual(['Tokyo says hello with 1.0']);
  gateway.socket.pause();
  let hasClosed = false;
  const closed = hub.close().then(() => {
    hasClosed = true;
  });
  await settled();
  expect(hasClosed).toBe(false);
  release();
  await closed;
  await expect.poll(() => told.at(-1)).toBe('Tokyo is gone');
  await settled();
  expect(await rows()).toEqual([]);
});
