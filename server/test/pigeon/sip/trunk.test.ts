// Trunks: registration, pings, addresses, options.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../../src/common/clock.ts';
import { detailText } from '../../../src/common/detail.ts';
import { headerOf, type SipRequest } from '../../../src/pigeon/sip/message.ts';
import type { TrunkOptions } from '../../../src/pigeon/sip/user-agent.ts';
import { countedBytes, MemoryNetwork, ScriptedPeer, settle } from './scripted-peer.ts';
import { agent, CallRecorder, offer, type TestAgent, trunkOptions } from './support.ts';

const here = { address: '10.0.0.1', port: 5060 };
const password = 'a-very-secret-password';

let network: MemoryNetwork;
let clock: ManualClock;
let peer: ScriptedPeer;
let phone: TestAgent | undefined;

beforeEach(() => {
  network = new MemoryNetwork();
  clock = new ManualClock();
  peer = new ScriptedPeer(network, { address: '10.0.0.2', port: 5060 }, here);
});
afterEach(async () => {
  const closed = phone?.close();
  await pass(2000);
  await closed;
  phone = undefined;
});

async function pass(milliseconds: number): Promise<void> {
  await settle();
  clock.advance(milliseconds);
  await settle();
}

async function start(trunk: Partial<TrunkOptions>): Promise<TestAgent> {
  phone = agent(
    {
      ...{ local: here, clock, random: countedBytes() },
      trunks: [trunkOptions({ host: '10.0.0.2', ...trunk })],
    },
    network,
  );
  await phone.start();
  await settle();
  return phone;
}

const registering = { registers: true, user: 'u', password } as const;
const expiresOf = (request: SipRequest) => headerOf(request, 'Expires');
const challenge = (nonce: string, more = '') => ({
  headers: [{ name: 'WWW-Authenticate', value: `Digest realm="r", nonce="${nonce}", qop="auth"${more}` }],
});

describe('a registration', () => {
  test('answers the challenge, is refreshed at half of the granted time, and removed at the end', async () => {
    peer.onRequest = (request) => {
      if (!headerOf(request, 'Authorization')) peer.reply(request, 401, challenge('n'));
      else {
        const contact = headerOf(request, 'Contact')!.replace(/;expires=.*/, '');
        const value = `<sip:other@10.0.0.9>;expires=9000, ${contact};expires=100`;
        peer.reply(request, 200, { headers: [{ name: 'Contact', value }] });
      }
    };
    const { trunks } = await start(registering);
    expect(trunks.call(phone)).toEqual([
      { name: 'main', state: 'registered', since: clock.now(), detail: '200 OK' },
    ]);
    const [first, second] = peer.requests;
    expect(headerOf(first!, 'Contact')).toBe('<sip:u@10.0.0.1:5060>;expires=600');
    expect(headerOf(first!, 'Call-ID')).toBe(headerOf(second!, 'Call-ID'));
    expect([first, second].map((one) => headerOf(one!, 'CSeq'))).toEqual(['1 REGISTER', '2 REGISTER']);
    await pass(49_999);
    expect(peer.requests).toHaveLength(2);
    await pass(1);
    expect(peer.requests).toHaveLength(4);
    await phone!.close();
    expect(expiresOf(peer.requests.at(-1)!)).toBe('0');
  });

  test('lasts as long as the registrar demands (423)', async () => {
    peer.onRequest = (request) => {
      if (expiresOf(request) === '1800') peer.reply(request, 200);
      else peer.reply(request, 423, { headers: [{ name: 'Min-Expires', value: '1800' }] });
    };
    const { trunks } = await start(registering);
    expect(trunks.call(phone)[0]?.state).toBe('registered');
    await pass(899_999);
    expect(peer.requests).toHaveLength(2);
    await pass(1);
    expect(peer.requests.map(expiresOf)).toEqual(['600', '1800', '1800']);
  });

  test('with a wrong password is tried twice, then rarely; the password is nowhere', async () => {
    peer.onRequest = (request) => peer.reply(request, 401, challenge(`n${peer.requests.length}`));
    const started = await start(registering);
    expect(peer.requests).toHaveLength(2);
    await pass(20_000);
    expect(peer.requests).toHaveLength(2);
    for (let minute = 0; minute < 60; minute += 1) await pass(60_000);
    // At most once in four minutes in the end.
    expect(peer.requests.length).toBeGreaterThan(20);
    expect(peer.requests.length).toBeLessThan(50);
    expect(started.trunks()[0]).toMatchObject({ state: 'unregistered', detail: '401 Unknown' });
    const events = new CallRecorder();
    started.call('1', offer, events);
    await pass(0);
    expect(JSON.stringify([started.logged, events.lines])).not.toContain(password);
    expect(peer.requests.some(({ headers }) => JSON.stringify(headers).includes(password))).toBe(false);
  });

  test('is tried again after silence, and a nonce that expired is replaced', async () => {
    const started = await start(registering);
    await pass(3999);
    expect(started.trunks()[0]?.detail).toBe('');
    await pass(1);
    expect(started.trunks()[0]).toMatchObject({
      state: 'unregistered',
      detail: { word: 'pigeon.detail.no-response' },
    });
    let asked = 0;
    peer.onRequest = (request) => {
      asked += 1;
      if (asked < 3) peer.reply(request, 401, challenge(`n${asked}`, asked > 1 ? ', stale=true' : ''));
      else peer.reply(request, 200);
    };
    await pass(2000);
    expect(started.trunks()[0]).toMatchObject({ state: 'registered' });
    expect(asked).toBe(3);
  });
});

test('a trunk without registration is pinged, and away when it is silent or says 503', async () => {
  const states: (string | undefined)[] = [];
  const started = await start({});
  const note = () => states.push(started.trunks()[0]?.state);
  peer.reply(peer.requests[0]!, 404);
  await settle();
  note();
  await pass(30_000);
  await pass(4000);
  note();
  peer.onRequest = (request) => peer.reply(request, 200);
  await pass(2000);
  note();
  peer.onRequest = (request) => peer.reply(request, 503);
  await pass(30_000);
  note();
  expect(states).toEqual(['reachable', 'unreachable', 'reachable', 'unreachable']);
  expect(peer.requests.every(({ method }) => method === 'OPTIONS')).toBe(true);
});

describe('the address of a trunk', () => {
  test('is looked up as a service, best priority first; the next one is tried when it is silent', async () => {
    const other = new ScriptedPeer(network, { address: '10.0.0.3', port: 5070 }, here);
    network.services.set('_sip._udp.carrier.test', [
      { name: 'b.test', port: 5060, priority: 20, weight: 1 },
      { name: 'a.test', port: 5070, priority: 10, weight: 1 },
    ]);
    network.names.set('a.test', ['10.0.0.3']).set('b.test', ['10.0.0.2']);
    await start({ host: 'carrier.test', port: undefined });
    expect([other.requests.length, peer.requests.length]).toEqual([1, 0]);
    await pass(4000);
    await pass(2000);
    expect(peer.requests).toHaveLength(1);
  });

  test('with a port is looked up as a name; an unknown name makes the trunk unreachable', async () => {
    const started = await start({ host: 'carrier.test', port: 5060 });
    expect(started.trunks()[0]).toMatchObject({ state: 'unreachable', detail: 'unknown name carrier.test' });
    network.names.set('carrier.test', ['10.0.0.2']);
    await pass(2000);
    expect(peer.requests).toHaveLength(1);
  });

  test('is that of the outbound proxy, with a route over it', async () => {
    const started = await start({ host: 'unknown.test', outboundProxy: '10.0.0.2:5060' });
    peer.reply(peer.requests[0]!, 200);
    started.call('090', offer, new CallRecorder());
    await settle();
    const invite = peer.got('INVITE')[0]!;
    expect([invite.uri, headerOf(invite, 'Route')]).toEqual([
      'sip:090@carrier.test',
      '<sip:10.0.0.2:5060;lr>',
    ]);
  });
});

describe('a trunk with several addresses', () => {
  const silent = { host: 'carrier.test', port: 5060 } as const;
  const relay = { name: 'Content-Type', value: 'application/dtmf-relay' };

  test('may send requests of a call from where it began for an hour after a lookup without that address', async () => {
    network.names.set('carrier.test', ['10.0.0.2']);
    const next = new ScriptedPeer(network, { address: '10.0.0.3', port: 5060 }, here);
    next.onRequest = (request) => next.reply(request, 200);
    peer.onRequest = (request) => request.method === 'OPTIONS' && peer.reply(request, 200);
    const started = await start(silent);
    peer.reply(peer.requests[0]!, 200);
    const events = new CallRecorder();
    started.call('1', offer, events);
    await settle();
    const invite = peer.got('INVITE')[0]!;
    peer.accept(invite);
    await settle();
    network.names.set('carrier.test', ['10.0.0.3']);
    const minutes = async (count: number) => {
      for (let half = 0; half < count * 2; half += 1) await pass(30_000);
    };
    const press = async (sequence: number) => {
      peer.send(peer.inDialog(invite, 'INFO', sequence, [relay], `Signal=${sequence}`));
      await settle();
    };
    await minutes(2);
    expect(next.got('OPTIONS')).not.toEqual([]);
    expect(started.isAddressOf('main', '10.0.0.2')).toBe(true);
    await press(1);
    await minutes(57);
    await press(2);
    expect(events.lines).toEqual(['answered answer', 'key 1', 'key 2']);
    await minutes(4);
    await press(3);
    expect(started.isAddressOf('main', '10.0.0.2')).toBe(false);
    expect([events.lines.length, started.ignoredMessages]).toEqual([3, 1]);
  });

  test('is called at the next one after several calls got no response at once', async () => {
    network.names.set('carrier.test', ['10.0.0.2', '10.0.0.3']);
    const next = new ScriptedPeer(network, { address: '10.0.0.3', port: 5060 }, here);
    const started = await start(silent);
    peer.reply(peer.requests[0]!, 200);
    await settle();
    for (const number of ['1', '2']) started.call(number, offer, new CallRecorder());
    await pass(2000);
    started.call('3', offer, new CallRecorder());
    await settle();
    expect(next.got('INVITE').map(({ uri }) => uri)).toEqual(['sip:3@carrier.test']);
  });

  test('is reached in the IP version of the sockets only', async () => {
    network.names.set('carrier.test', ['2001:db8::2', '10.0.0.2']);
    const started = await start(silent);
    expect(peer.requests).toHaveLength(1);
    network.names.set('carrier.test', ['2001:db8::2']);
    await pass(4000);
    await pass(2000);
    expect(detailText(started.trunks()[0]!.detail)).toBe('carrier.test has no IPv4 address');
  });
});

test('each trunk is offered the address at which it reaches us; one that is unknown does not disturb the others', async () => {
  const anyAddress = { address: '0.0.0.0', port: 5060 };
  const second = new ScriptedPeer(network, { address: '172.16.0.2', port: 5070 }, anyAddress);
  const third = new ScriptedPeer(network, { address: '10.0.0.3', port: 5060 }, anyAddress);
  network.routes.set('172.16.0.2', '172.16.0.1');
  network.services.set('_sip._udp.service.test', [
    { name: 'host.service.test', port: 5070, priority: 1, weight: 1 },
  ]);
  network.names.set('host.service.test', ['172.16.0.2']);
  phone = agent(
    {
      ...{ local: anyAddress, clock, random: countedBytes() },
      trunks: [
        trunkOptions({ name: 'unknown', host: 'unknown.test' }),
        trunkOptions({ name: 'service', host: 'service.test', port: undefined }),
        trunkOptions({ name: 'proxied', host: 'unknown.test', outboundProxy: '10.0.0.3:5060' }),
      ],
    },
    network,
  );
  await phone.start();
  await settle();
  phone.call('1', (contactAddress) => `from ${contactAddress}`, new CallRecorder());
  await settle();
  const offers = (of: ScriptedPeer) => of.got('INVITE').map(({ body }) => body.toString());
  expect(offers(second)).toEqual(['from 172.16.0.1']);
  second.reply(second.got('INVITE')[0]!, 503);
  await settle();
  expect(offers(third)).toEqual(['from 10.0.0.1']);
});

test('requests from elsewhere are ignored and counted; those of the trunk and of allowed addresses are answered', async () => {
  const started = await start({ allowedAddresses: ['10.0.0.4'] });
  const stranger = new ScriptedPeer(network, { address: '10.0.0.6', port: 5060 }, here);
  const allowed = new ScriptedPeer(network, { address: '10.0.0.4', port: 5080 }, here);
  for (const one of [stranger, allowed, peer]) {
    one.send({
      ...one.invitation('x'),
      method: 'OPTIONS',
      headers: withMethod(one.invitation('x'), 'OPTIONS'),
    });
    one.send(one.invitation(`y-${one.at.address}`));
    one.sendBytes(Buffer.from('nonsense\r\n\r\n'));
    await settle();
  }
  expect(stranger.responses).toEqual([]);
  expect(allowed.responses.map(({ status }) => status)).toEqual([200, 603]);
  expect(peer.responses.map(({ status }) => status)).toEqual([200, 603]);
  expect(started.ignoredMessages).toBe(3);
  const lines = started.logged.filter(({ message }) => message.includes('were ignored'));
  expect(lines).toMatchObject([{ level: 'warn', address: '10.0.0.6', total: 1 }]);
});

const withMethod = (request: SipRequest, method: string) =>
  request.headers.map(({ name, value }) => ({
    name,
    value: name === 'CSeq' ? value.replace('INVITE', method) : value,
  }));

test('a request of another number is refused before anything is sent', async () => {
  const started = await start({});
  peer.reply(peer.requests[0]!, 200);
  await settle();
  for (const number of ['', '1\r\nX: y', '1@evil.test', '1;x', '1?x', 'é', '9'.repeat(65)]) {
    const events = new CallRecorder();
    started.call(number, offer, events);
    await settle();
    expect(events.lines).toEqual(['failed wrongNumber invalid characters in the number']);
  }
  const events = new CallRecorder();
  started.call(() => null, offer, events);
  await settle();
  expect(events.lines).toEqual(['failed trunkAway no trunk takes this number']);
  expect(peer.requests).toHaveLength(1);
});

test.each<[Partial<TrunkOptions>, string]>([
  [{ name: '' }, 'name is empty'],
  [{ host: 'a b' }, 'host is no name or address'],
  [{ domain: 'a\r\nX: y' }, 'domain is no name or address'],
  [{ port: 70_000 }, 'port is invalid'],
  [{ user: 'a@b' }, 'user has invalid characters'],
  [{ callerId: '1>' }, 'callerId has invalid characters'],
  [{ password: `${password}\n` }, 'password has a line break'],
  [{ registers: true }, 'user is empty but the trunk registers'],
  [{ expiresSeconds: 0 }, 'expiresSeconds is not from 1 to 86400'],
  [{ outboundProxy: 'a b' }, 'outboundProxy is no host with a port'],
  [{ allowedAddresses: ['carrier.test'] }, 'allowedAddresses has something that is no address'],
])('the options %j are refused', (options, problem) => {
  const create = () => agent({ trunks: [trunkOptions(options)] });
  expect(create).toThrow(`SIP trunk "${options.name ?? 'main'}": ${problem}`);
  expect(create).not.toThrow(password);
});
