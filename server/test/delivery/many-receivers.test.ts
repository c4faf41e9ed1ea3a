// One alert to many receivers: healthy ones get it exactly once, failing ones at least once under the same
// id.
import { createHmac } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type HttpSink, startHttpSink } from '@yagura/fixtures/sink/http-sink';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import { AlertClient, api } from '../support/alert-client.ts';
import type { ActionRecordItem } from '../support/item-types.ts';
import { post } from '../support/post.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const minute = 60_000;
const alerts = 4;

let server: TestServer;
let clock: ManualClock;
let caller: AlertClient;
let sink: HttpSink;

beforeAll(async () => {
  clock = new ManualClock();
  sink = await startHttpSink();
  server = (await startTestServer({
    clock,
    env: { YAGURA_OUTBOUND_ALLOW: '127.0.0.0/8' },
  }))!;
  caller = new AlertClient(server, clock);
});
afterAll(async () => {
  await sink?.close();
  await server?.stop();
});

/** A slot whose messages are all delivered to each of these URLs. */
async function line(urls: Record<string, string>, by = caller) {
  const displayName = Object.keys(urls).join(' ').slice(0, 30);
  const slot = await by.make<{ receiveSlotId: string; primary: string }>('receive-slots', {
    displayName,
  });
  const { scopeId } = await by.make<{ scopeId: string }>('scopes', { displayName });
  await by.make('rules', {
    displayName,
    receiveSlotId: slot.receiveSlotId,
    eventParams: [{ scopeId, delta: 1 }],
  });
  const ids: Record<string, string> = {};
  for (const [name, url] of Object.entries(urls)) {
    const { actionId } = await by.make<{ actionId: string }>('actions', {
      displayName: name,
      kind: 'webhook',
      parameters: { url, body: '{"number":"{{message.content.body}}"}' },
    });
    ids[name] = actionId;
    await by.make(`scopes/${scopeId}/triggers`, {
      displayName: name,
      target: { kind: 'action', id: actionId },
    });
  }
  return {
    ids,
    send: async (number: number) => expect((await post(slot.primary, String(number))).status).toBe(202),
    records: (name: string) =>
      by.list<ActionRecordItem & { deliveryId: string }>(`action-records?filter=actionId eq "${ids[name]}"`),
  };
}

const requestsOf = (path: string) => sink.requests.filter(({ url }) => url === path);

/** Number of requests to a path per delivery id. */
function arrivals(path: string): number[] {
  const counts = new Map<string, number>();
  for (const { headers } of requestsOf(path)) {
    const id = headers['webhook-id']!;
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return [...counts.values()];
}

test('healthy receivers get every alert exactly once beside dead, endless, redirecting and flapping ones, through a restart', async () => {
  const dead = await startHttpSink();
  await dead.close();
  const broken = { kind: 'close', when: 'before' } as const;
  const flapping = [{ kind: 'status', status: 503 }, broken, { kind: 'ok' }] as const;
  sink.behave({ kind: 'sequence', steps: [...flapping, ...flapping, ...flapping] }, '/flapping');
  sink.behave({ kind: 'endless' }, '/endless');
  sink.behave({ kind: 'redirect', to: 'http://169.254.169.254/latest' }, '/redirecting');
  const { send, records } = await line({
    healthy: `${sink.url}/healthy`,
    dead: `${dead.url}/dead`,
    endless: `${sink.url}/endless`,
    redirecting: `${sink.url}/redirecting`,
    flapping: `${sink.url}/flapping`,
    other: `${sink.url}/other`,
  });
  for (let number = 1; number <= alerts; number++) {
    await send(number);
    if (number === 2) await server.restart();
  }
  for (let turn = 0; turn < 8; turn++) {
    await server.settled();
    clock.sleep(15 * minute);
    clock.advance(1000);
  }
  await server.restart();
  await server.settled();
  const once = new Array(alerts).fill(1);
  expect(arrivals('/healthy')).toEqual(once);
  expect(arrivals('/other')).toEqual(once);
  // An endless response confirms that the request arrived: it is cut off and not retried.
  expect(arrivals('/endless')).toEqual(once);
  expect(arrivals('/flapping')).toHaveLength(alerts);
  for (const name of ['healthy', 'endless', 'flapping', 'other']) {
    const found = await records(name);
    expect(
      found.map(({ status }) => status),
      name,
    ).toEqual(new Array(alerts).fill('succeeded'));
    expect(new Set(found.map(({ deliveryId }) => deliveryId))).toEqual(
      new Set(requestsOf(`/${name}`).map(({ headers }) => headers['webhook-id'])),
    );
  }
  for (const record of await records('redirecting')) {
    expect(record.attempts.at(-1)!.reason!.word).toBe('delivery.redirectRefused');
  }
  const waiting = await records('dead');
  expect(waiting.map(({ status }) => status)).toEqual(new Array(alerts).fill('waiting'));
  expect(waiting.every(({ attempts }) => attempts.length > 2)).toBe(true);
});

test('a renewed secret signs beside the old one for a day, and alone from then on', async () => {
  const { ids, send } = await line({ signed: `${sink.url}/signed` });
  const path = `${api}/actions/${ids.signed}/signing-secret`;
  const secretBy = async (method: string, at: string) =>
    ((await caller.callApi(method, at)).data as { secret: string }).secret;
  const old = await secretBy('GET', path);
  const fresh = await secretBy('POST', `${path}/renew`);
  expect(fresh).not.toBe(old);
  expect(await secretBy('GET', path)).toBe(fresh);
  const signaturesOf = async () => {
    const before = requestsOf('/signed').length;
    await send(before);
    await server.settled();
    const { headers, body } = requestsOf('/signed')[before]!;
    const by = (secret: string) =>
      `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
        .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
        .digest('base64')}`;
    return { signature: headers['webhook-signature']!.split(' '), by };
  };
  const both = await signaturesOf();
  expect(both.signature).toEqual([both.by(fresh), both.by(old)]);
  clock.sleep(24 * 60 * minute);
  await server.restart();
  const alone = await signaturesOf();
  expect(alone.signature).toEqual([alone.by(fresh)]);
});

test('a receiver that answers after the time-out gets the alert again under the same id', async () => {
  const ids: unknown[] = [];
  let held: ServerResponse | undefined;
  const late = createServer((request, response) => {
    ids.push(request.headers['webhook-id']);
    if (ids.length === 1) held = response;
    else response.end('in time');
  });
  await new Promise<void>((resolve) => late.listen(0, '127.0.0.1', resolve));
  const { port } = late.address() as AddressInfo;
  const env = { YAGURA_OUTBOUND_ALLOW: '127.0.0.0/8' };
  const webhookTimeouts = { whole: 1000 };
  const hasty = (await startTestServer({ clock, env, webhookTimeouts }))!;
  try {
    const { send, records } = await line(
      { late: `http://127.0.0.1:${port}/` },
      new AlertClient(hasty, clock),
    );
    await send(1);
    await hasty.settled();
    const [waiting] = await records('late');
    expect(waiting).toMatchObject({
      status: 'waiting',
      attempts: [{ outcome: 'failed', statusCode: null, reason: { word: 'delivery.timeout' } }],
    });
    // The late response has no effect.
    held!.end('too late');
    await hasty.settled();
    expect((await records('late'))[0]).toEqual(waiting);
    clock.sleep(15 * minute);
    clock.advance(1000);
    await hasty.settled();
    expect((await records('late'))[0]).toMatchObject({
      status: 'succeeded',
      deliveryId: waiting!.deliveryId,
      attempts: [{ outcome: 'failed' }, { outcome: 'succeeded', statusCode: 200, reply: 'in time' }],
    });
    expect(ids).toEqual([waiting!.deliveryId, waiting!.deliveryId]);
  } finally {
    await hasty.stop();
    late.close();
  }
});
