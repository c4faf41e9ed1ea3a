// Two user agents call each other over UDP, TCP and TLS on the loopback interface.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ManualClock } from '../../../src/common/clock.ts';
import { isRequest, printMessage } from '../../../src/pigeon/sip/message.ts';
import { responseTo } from '../../../src/pigeon/sip/server-transaction.ts';
import { StreamFramer } from '../../../src/pigeon/sip/stream-framer.ts';
import type {
  IncomingCall,
  OutgoingCall,
  SipTransport,
  TrunkOptions,
  UserAgentOptions,
} from '../../../src/pigeon/sip/user-agent.ts';
import { agent, answer, CallRecorder, offer, type TestAgent, trunkOptions } from './support.ts';

/** For a busy machine. */
const within = { timeout: 10_000 };

let tls: { key: string; cert: string };

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'yagura-sip-'));
  const [key, cert] = [join(folder, 'key'), join(folder, 'cert')];
  execFileSync(
    'openssl',
    [
      ...[
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '2',
      ],
      ...['-subj', '/CN=carrier.test', '-addext', 'subjectAltName=DNS:carrier.test'],
      ...['-keyout', key, '-out', cert],
    ],
    { stdio: 'ignore' },
  );
  tls = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  rmSync(folder, { recursive: true });
});

const agents: TestAgent[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const one of agents.splice(0)) await one.close();
});

async function started(options: Partial<UserAgentOptions>): Promise<TestAgent> {
  const created = agent(options);
  agents.push(created);
  await created.start();
  return created;
}

/** A caller and a callee that hands each call to `onIncoming`. */
async function pair(
  transport: SipTransport,
  onIncoming: (call: IncomingCall) => void,
  trunk: Partial<TrunkOptions> = {},
) {
  const callee = await started({
    trunks: [trunkOptions({ name: 'caller', port: 9, callerId: 'callee' })],
    onIncoming,
    listen: transport === 'udp' ? undefined : transport === 'tcp' ? { transport } : { transport, ...tls },
  });
  const caller = await started({
    trunks: [
      trunkOptions({ transport, port: callee.port, ca: tls.cert, servername: 'carrier.test', ...trunk }),
    ],
  });
  return { caller, callee };
}

describe.each<SipTransport>(['udp', 'tcp', 'tls'])('over %s', (transport) => {
  test('a call is answered, changed, given keys, transferred and hung up', async () => {
    const heard = new CallRecorder();
    heard.referred = async (number) => number === '0800';
    let incoming: IncomingCall | undefined;
    let leg: OutgoingCall | undefined;
    const { caller } = await pair(transport, (call) => {
      incoming = call;
      call.ring();
      leg = call.answer(answer, heard);
    });
    const events = new CallRecorder();
    const call = caller.call('090#12', offer, events);
    await events.until('answered');
    expect(incoming).toMatchObject({ from: '0312345678', to: '090#12', sdp: offer });
    expect(call.trunk).toBe('main');
    expect(await call.offer(offer.replace('=offer', '=hold'))).toBe(answer);
    expect(await leg!.offer(offer.replace('=offer', '=back'))).toBe(answer);
    heard.answerSdp = '';
    expect(await call.offer(offer)).toBeNull();
    expect([await leg!.sendInfoKey('5'), await call.sendInfoKey('#')]).toEqual([true, true]);
    expect([await call.refer('0800'), await call.refer('0801')]).toEqual([true, false]);
    call.hangUp();
    await heard.until('ended');
    expect(events.lines).toEqual([
      'progress 180',
      'answered answer',
      'offered back',
      'key 5',
      'ended us BYE',
    ]);
    expect(heard.lines).toEqual(['offered hold', 'offered offer', 'key #', 'ended peer BYE']);
  });

  test('a call is refused as busy, canceled, and ended by the callee', async () => {
    const calls: IncomingCall[] = [];
    let onCall = (_call: IncomingCall) => {};
    const { caller } = await pair(transport, (call) => {
      calls.push(call);
      onCall(call);
    });
    onCall = (call) => call.reject(486);
    const busy = new CallRecorder();
    caller.call('1', offer, busy);
    await busy.until('failed');
    expect(busy.lines).toEqual(['failed busy 486 Busy Here']);

    onCall = (call) => call.ring('v=0\r\ns=early\r\n');
    const canceled = new CallRecorder();
    const call = caller.call('2', offer, canceled);
    await canceled.until('progress 183 early');
    const gone = new Promise<void>((resolve) => calls[1]!.onCancel(resolve));
    call.hangUp();
    await gone;
    await canceled.until('failed');
    expect(canceled.lines).toEqual(['progress 183 early', 'failed noAnswer 487 Request Terminated']);

    const heard = new CallRecorder();
    onCall = (call) => call.answer(answer, heard).hangUp();
    const ended = new CallRecorder();
    caller.call('3', offer, ended);
    await ended.until('ended');
    expect(ended.lines).toEqual(['answered answer', 'ended peer BYE']);
    expect(heard.lines).toEqual(['ended us BYE']);
  });
});

test('a certificate of somebody else is refused, and the trunk counts as away', async () => {
  const { caller } = await pair('tls', () => {}, { servername: 'other.test' });
  const events = new CallRecorder();
  caller.call('1', offer, events);
  await events.until('failed');
  expect(events.lines[0]).toMatch(/^failed trunkAway .*(altnames|certificate)/);
  expect(caller.trunks()[0]).toMatchObject({ state: 'unreachable' });
});

test('a connection that nothing listens on is refused, and the next trunk takes the call', async () => {
  const dead = await started({ listen: { transport: 'tcp' } });
  const { port } = dead;
  await dead.close();
  const heard = new CallRecorder();
  const callee = await started({ onIncoming: (call) => call.answer(answer, heard) });
  const caller = await started({
    trunks: [
      trunkOptions({ name: 'dead', transport: 'tcp', port }),
      trunkOptions({ name: 'alive', port: callee.port }),
    ],
  });
  const events = new CallRecorder();
  const numbers: string[] = [];
  const call = caller.call(
    (trunk) => {
      numbers.push(trunk);
      return trunk === 'alive' ? '+8190' : '090';
    },
    offer,
    events,
  );
  await events.until('answered');
  expect(call.trunk).toBe('alive');
  expect(numbers).toContain('dead');
});

test('a lost connection makes the trunk unreachable until it is connected again', async () => {
  const clock = new ManualClock();
  const listen = { transport: 'tcp' } as const;
  const callee = await started({ listen });
  const caller = await started({ clock, trunks: [trunkOptions({ transport: 'tcp', port: callee.port })] });
  const state = () => caller.trunks()[0];
  await expect.poll(state, within).toMatchObject({ state: 'reachable' });
  const { port } = callee;
  await callee.close();
  await expect
    .poll(state, within)
    .toMatchObject({ state: 'unreachable', detail: { word: 'pigeon.detail.connection-closed' } });
  await started({ listen, local: { address: '127.0.0.1', port } });
  clock.advance(1000);
  await expect.poll(state, within).toMatchObject({ state: 'reachable' });
});

test.each([
  ['after it rang', 180, 'failed unreachable connection closed'],
  ['before it rang', 100, 'answered answer'],
])('a call whose connection is lost %s', async (_name, status, line) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    const framer = new StreamFramer({
      onMessage: (message) => {
        if (!isRequest(message) || message.method !== 'INVITE') return;
        socket.end(printMessage(responseTo(message, status)));
      },
      onMalformed: (error) => expect.unreachable(error.message),
      onPing: () => undefined,
    });
    socket.on('data', (bytes) => framer.push(bytes));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const next = await started({ onIncoming: (call) => call.answer(answer, new CallRecorder()) });
  const caller = await started({
    clock: new ManualClock(),
    trunks: [
      trunkOptions({ transport: 'tcp', port: (server.address() as AddressInfo).port }),
      trunkOptions({ name: 'next', port: next.port }),
    ],
  });
  const events = new CallRecorder();
  caller.call('1', offer, events);
  await events.until(line);
  server.close();
});

test('connections: foreign ones are closed, pings are answered and sent, a huge message ends them', async () => {
  const clock = new ManualClock();
  const callee = await started({ clock, listen: { transport: 'tcp' } });
  const open = (localAddress: string) => {
    const socket = connect({ host: '127.0.0.1', port: callee.port, localAddress });
    sockets.push(socket);
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes;
    });
    return { socket, closed: once(socket, 'close'), text: () => text };
  };
  const foreign = open('127.0.0.2');
  await foreign.closed;
  expect(callee.ignoredMessages).toBe(1);

  const peer = open('127.0.0.1');
  peer.socket.write('\r\n\r\n');
  await expect.poll(peer.text, within).toBe('\r\n');
  clock.advance(25_000);
  await expect.poll(peer.text, within).toBe('\r\n\r\n\r\n');
  peer.socket.write(`OPTIONS sip:a SIP/2.0\r\n${'X: y\r\n'.repeat(20_000)}`);
  await peer.closed;
});
