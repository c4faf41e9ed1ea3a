// Connected and disconnected gateways: shown, logged and notified.
import { krokerEvents } from '@yagura/core/kroker/kroker-log';
import { startHttpSink } from '@yagura/fixtures/sink/http-sink';
import { type KrokerMachine, setUpKroker } from '@yagura/fixtures/testbed/kroker-machine';
import { connectGateway, createSigningPair, type TestGateway } from '@yagura/fixtures/testbed/test-gateway';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import { findKrokerToken, findValidConnections } from '../../src/kroker/gateway-store.ts';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { refuseRows } from '../support/sql/refuse-rows.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

type Item = Record<string, unknown>;
/** How long a gateway may be away without a notification. */
const absenceMs = 3 * 60_000;

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let clock: ManualClock;
  let admin: ApiCall;
  let machine: KrokerMachine;
  let sink: Awaited<ReturnType<typeof startHttpSink>>;
  let count = 0;

  beforeAll(async () => {
    clock = new ManualClock(Date.now());
    sink = await startHttpSink();
    server = await startTestServer({ engine, clock, env: { YAGURA_OUTBOUND_ALLOW: '127.0.0.0/8' } });
    if (!server) return;
    admin = createApiCall(server.transportAs('privileged'));
    const body = { displayName: 'gateways', kind: 'webhook', parameters: { url: `${sink.url}/kroker` } };
    expect((await admin('POST', '/api/apps/kroker/kroker-notification-settings', body)).status).toBe(201);
  });
  beforeEach(async (context) => {
    if (!server) return context.skip();
    machine = await setUpKroker(server.transportAs('privileged'), { displayName: `kroker ${++count}` });
  });
  afterAll(async () => {
    await server?.stop();
    await sink?.close();
  });

  const path = () => `/api/apps/kroker/krokers/${machine.krokerId}`;
  const settled = async () => {
    await server!.settled();
    await server!.services.gatewayPresence.runNow();
    await server!.services.krokerNotices.idle();
  };
  const stateOf = async () => ((await admin('GET', path())).data as Item).connectionState;
  const logged = async () => {
    const { items } = (await admin('GET', `${path()}/logs?sort=createdAt`)).data as { items: Item[] };
    const presence: unknown[] = krokerEvents.filter((event) => event !== 'set-up');
    return items.map(({ event }) => event).filter((event) => presence.includes(event));
  };
  /** Events of the notifications about this Kroker. */
  const notified = () =>
    sink.requests
      .map(({ body }) => JSON.parse(body) as Item)
      .filter(({ krokerId }) => krokerId === machine.krokerId)
      .map(({ event }) => event);
  const connect = async (signingPair = createSigningPair()): Promise<TestGateway> => {
    const gateway = await connectGateway({ origin: server!.origin, machine, signingPair });
    await settled();
    return gateway;
  };
  /** Time passes with heartbeats. */
  const pass = async (milliseconds: number) => {
    for (let passed = 0; passed < milliseconds; passed += 10_000) {
      clock.advance(10_000);
      await server!.services.gateways.idle();
      await server!.services.gatewayPresence.runNow();
      await server!.services.krokerNotices.idle();
    }
  };

  test('a gateway is connected while its connection is open', async () => {
    expect(await stateOf()).toBe('unconnected');
    const gateway = await connect();
    expect(await stateOf()).toBe('connected');
    expect((await admin('GET', path())).data).toMatchObject({ gatewayVersion: 'test' });
    await gateway.close();
    await settled();
    expect(await stateOf()).toBe('unconnected');
  });

  test('a short loss of the connection is neither logged nor notified, a long one is', async () => {
    const pair = createSigningPair();
    const first = await connect(pair);
    expect(await logged()).toEqual(['connected']);
    expect(notified()).toEqual(['connected']);
    await first.close();
    await pass(absenceMs - 30_000);
    const second = await connect(pair);
    expect(await logged()).toEqual(['connected']);
    await second.close();
    await pass(absenceMs + 30_000);
    expect(await logged()).toEqual(['connected', 'disconnected']);
    expect(notified()).toEqual(['connected', 'disconnected']);
  });

  test('messages of unknown types are ignored, and the first twenty types are logged once', async () => {
    const gateway = await connect();
    const types = Array.from({ length: 25 }, (_, index) => `weather-${index}`);
    for (const type of [...types, ...types]) gateway.send({ type });
    await gateway.close();
    await settled();
    const logged = server!.logLines.filter(
      ({ message }) => message === 'a gateway sends messages of an unknown type',
    );
    expect(logged.map(({ type }) => type)).toEqual(types.slice(0, 20));
  });

  test('a stop of the server is no loss of its gateways', async () => {
    const pair = createSigningPair();
    await connect(pair);
    await server!.restart({}, async () => clock.advance(60 * 60_000));
    await settled();
    expect(await logged()).toEqual(['connected']);
    const again = await connect(pair);
    await pass(absenceMs + 30_000);
    expect(await logged()).toEqual(['connected']);
    // It has answered pings all the time, and sent nothing else.
    expect(await stateOf()).toBe('connected');
    await again.close();
  });

  test('a changed signing key is logged', async () => {
    const pair = createSigningPair();
    await (await connect(pair)).close();
    await (await connect(pair)).close();
    expect(await logged()).toEqual(['connected']);
    await (await connect()).close();
    expect(await logged()).toEqual(['connected', 'signing-key-changed']);
  });

  test('a gateway whose presence cannot be stored does not hold up the others', async () => {
    const refused = machine;
    const message = 'the presence of a gateway could not be stored';
    const end = await refuseRows(
      () => server!.services.database,
      'kroker_state',
      `new.kroker_id = '${refused.krokerId}' and new.connected`,
      'update',
    );
    const first = await connect();
    expect(await logged()).toEqual([]);
    machine = await setUpKroker(server!.transportAs('privileged'), { displayName: `kroker ${++count}` });
    const second = await connect();
    expect(await logged()).toEqual(['connected']);
    expect(
      server!.logLines.filter((line) => line.message === message && line.krokerId === refused.krokerId),
    ).toEqual([expect.objectContaining({ level: 'error', error: 'poison' })]);
    await end();
    machine = refused;
    await pass(60_000);
    expect(await logged()).toEqual(['connected']);
    await first.close();
    await second.close();
  });

  test('a connection with an earlier token is not valid while another one has the current token', async () => {
    const { database, spaceId } = server!.services;
    const find = async () => (await findKrokerToken(database, spaceId, machine.token))!;
    const before = await find();
    machine = await setUpKroker(server!.transportAs('privileged'), { krokerId: machine.krokerId });
    const current = await find();
    expect(current.krokerId).toBe(before.krokerId);
    expect(await findValidConnections(database, [before, current])).toEqual(new Set([current]));
    await admin('DELETE', path());
    expect(await findValidConnections(database, [before, current])).toEqual(new Set());
  });

  test('a deleted Kroker leaves no notification behind', async () => {
    const { database, spaceId } = server!.services;
    await database.query(
      `insert into kroker_notice (notice_id, space_id, kroker_id, setting_name, request, created_at)
       values (gen_random_uuid(), $1, $2, 'name', '{}', now())`,
      [spaceId, machine.krokerId],
    );
    await admin('DELETE', path());
    const { rows } = await database.query('select 1 from kroker_notice where kroker_id = $1', [
      machine.krokerId,
    ]);
    expect(rows).toEqual([]);
  });

  test('a gateway whose Kroker was set up again or deleted is disconnected', async () => {
    const gateway = await connect();
    const before = machine;
    machine = await setUpKroker(server!.transportAs('privileged'), { krokerId: machine.krokerId });
    clock.advance(2_000);
    expect(await gateway.closed).toBe(4001);
    await expect(connectGateway({ origin: server!.origin, machine: before })).rejects.toThrow('401');
    const current = await connect();
    await admin('DELETE', path());
    clock.advance(2_000);
    expect(await current.closed).toBe(4001);
  });
});
