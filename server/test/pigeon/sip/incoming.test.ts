// Calls of a trunk to the user agent, against a scripted peer on a clock of the test.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../../src/common/clock.ts';
import { headerOf, type SipRequest } from '../../../src/pigeon/sip/message.ts';
import type { IncomingCall } from '../../../src/pigeon/sip/user-agent.ts';
import { countedBytes, MemoryNetwork, ScriptedPeer, settle } from './scripted-peer.ts';
import { agent, answer, CallRecorder, type TestAgent, trunkOptions } from './support.ts';

const here = { address: '10.0.0.1', port: 5060 };

let clock: ManualClock;
let peer: ScriptedPeer;
let callee: TestAgent;
let calls: IncomingCall[];

beforeEach(async () => {
  const network = new MemoryNetwork();
  clock = new ManualClock();
  calls = [];
  peer = new ScriptedPeer(network, { address: '10.0.0.2', port: 5060 }, here);
  callee = agent(
    {
      ...{ local: here, clock, random: countedBytes() },
      trunks: [trunkOptions({ host: '10.0.0.2' })],
      onIncoming: (call) => calls.push(call),
    },
    network,
  );
  await callee.start();
  await settle();
  peer.reply(peer.requests[0]!, 200);
  await settle();
});
afterEach(async () => {
  const closed = callee.close();
  await pass(1000);
  await closed;
});

async function pass(milliseconds: number): Promise<void> {
  await settle();
  clock.advance(milliseconds);
  await settle();
}

async function send(request: SipRequest): Promise<SipRequest> {
  peer.send(request);
  await settle();
  return request;
}

const statuses = () => peer.responses.map(({ status }) => status);
const last = () => peer.responses.at(-1)!;

describe('an answered call', () => {
  test('repeats its answer until the ACK; a repeated INVITE is no second call', async () => {
    const invite = await send(peer.invitation('c'));
    await send(invite);
    const events = new CallRecorder();
    const call = calls[0]!.answer(answer, events);
    await pass(500);
    await pass(1000);
    expect(calls).toHaveLength(1);
    expect(statuses()).toEqual([100, 100, 200, 200, 200]);
    await send(peer.following(invite, 'ACK', last()));
    await pass(10_000);
    expect(peer.responses).toHaveLength(5);
    call.hangUp();
    await settle();
    expect(peer.got('BYE')[0]!.uri).toBe('sip:peer@10.0.0.2:5060');
    expect(events.lines).toEqual(['ended us BYE']);
  });

  test('ends when no ACK arrives', async () => {
    await send(peer.invitation('c'));
    const events = new CallRecorder();
    calls[0]!.answer(answer, events);
    for (let second = 0; second < 32; second += 1) await pass(1000);
    expect(events.lines).toEqual(['ended timer no ACK']);
    expect(peer.got('BYE')).toHaveLength(1);
  });

  test('says BYE after the ACK only', async () => {
    const invite = await send(peer.invitation('c'));
    calls[0]!.answer(answer, new CallRecorder()).hangUp();
    await settle();
    expect(peer.got('BYE')).toHaveLength(0);
    await send(peer.following(invite, 'ACK', last()));
    expect(peer.got('BYE')).toHaveLength(1);
  });
});

test('a canceled call is refused with 487 and reported once', async () => {
  const invite = await send(peer.invitation('c'));
  let canceled = 0;
  calls[0]!.onCancel(() => {
    canceled += 1;
  });
  calls[0]!.ring();
  await send(peer.following(invite, 'CANCEL'));
  expect(statuses()).toEqual([100, 180, 200, 487]);
  // Without its ACK the refusal is repeated.
  await pass(500);
  expect(statuses()).toEqual([100, 180, 200, 487, 487]);
  await send({ ...peer.following(invite, 'ACK', last()), headers: ackHeaders(invite) });
  await pass(10_000);
  calls[0]!.answer(answer, new CallRecorder());
  await settle();
  expect([peer.responses.length, canceled]).toEqual([5, 1]);
});

test('a caller that says BYE before the answer cancels the call', async () => {
  const invite = await send(peer.invitation('c'));
  let canceled = 0;
  calls[0]!.onCancel(() => {
    canceled += 1;
  });
  calls[0]!.ring();
  await settle();
  await send(peer.following(invite, 'BYE', last(), 2));
  expect(statuses()).toEqual([100, 180, 200, 487]);
  expect(canceled).toBe(1);
});

/** The ACK of a refusal has the branch of its INVITE. */
const ackHeaders = (invite: SipRequest) =>
  invite.headers.map(({ name, value }) => ({
    name,
    value: name === 'CSeq' ? '1 ACK' : value,
  }));

test('ringing that the caller must know of is repeated until its PRACK', async () => {
  const invite = await send(peer.invitation('c', [{ name: 'Require', value: '100rel' }]));
  calls[0]!.ring('v=0\r\ns=early\r\n');
  await pass(500);
  expect(statuses()).toEqual([100, 183, 183]);
  const number = headerOf(last(), 'RSeq');
  const prack = (sequence: number, rack: string) =>
    send(peer.following(invite, 'PRACK', peer.responses[1], sequence, [{ name: 'RAck', value: rack }]));
  await prack(2, `${number} 9 INVITE`);
  await prack(3, `${number} 1 INVITE`);
  await pass(10_000);
  expect(statuses()).toEqual([100, 183, 183, 481, 200]);
});

test('a call over two paths is taken once', async () => {
  await send(peer.invitation('c'));
  await send(peer.invitation('c'));
  expect(calls).toHaveLength(1);
  expect(last().status).toBe(482);
});

test.each([
  [
    'an unknown extension',
    [{ name: 'Require', value: '100rel, precondition' }],
    420,
    'Unsupported: precondition',
  ],
  [
    'a session timer that is too short',
    [
      { name: 'Session-Expires', value: '30' },
      { name: 'Supported', value: 'timer' },
    ],
    422,
    'Min-SE: 90',
  ],
])('%s is refused', async (_name, headers, status, expected) => {
  await send(peer.invitation('c', headers));
  const { headers: sent, status: actual } = last();
  expect(actual).toBe(status);
  expect(sent.map(({ name, value }) => `${name}: ${value}`)).toContain(expected);
  expect(calls).toEqual([]);
});

test('requests outside a call', async () => {
  const other = async (method: string, change = (value: string) => value) => {
    const request = peer.invitation(`c-${method}`);
    request.method = method;
    for (const header of request.headers) {
      if (header.name === 'CSeq') header.value = `1 ${method}`;
      if (header.name === 'To') header.value = change(header.value);
    }
    await send(request);
    return last().status;
  };
  expect(await other('OPTIONS')).toBe(200);
  expect(headerOf(last(), 'Allow')).toContain('INVITE');
  expect(await other('BYE')).toBe(481);
  expect(await other('CANCEL')).toBe(481);
  expect(await other('REFER')).toBe(603);
  expect(await other('MESSAGE')).toBe(405);
  expect(await other('INFO', (value) => `${value};tag=nobody`)).toBe(481);
  const count = peer.responses.length;
  expect(await other('ACK')).toBe(481);
  expect(peer.responses).toHaveLength(count);
});

test('malformed and huge messages are refused or dropped, and calls go on', async () => {
  const bytes = (text: string) => Buffer.from(text);
  const head = `INVITE sip:agent@10.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP 10.0.0.2;branch=z9hG4bKx\r\n`;
  const rest = 'From: <sip:a@b>;tag=a\r\nTo: <sip:a@b>\r\nCall-ID: m\r\n';
  for (const text of [
    `${head}${rest}CSeq: 1 BYE\r\n\r\n`,
    `${head}${rest}CSeq: 99999999999 INVITE\r\n\r\n`,
    `${head}${rest}CSeq: 1 INVITE\r\nContent-Length: 10\r\n\r\nshort`,
    `${head}CSeq: 1 INVITE\r\n\r\n`,
  ]) {
    peer.sendBytes(bytes(text));
    await settle();
  }
  // Two have no usable CSeq or no sender, which a response would repeat.
  expect(statuses()).toEqual([400, 400]);
  peer.sendBytes(bytes(`${head}${rest}CSeq: 1 INVITE\r\nX: ${'y'.repeat(70_000)}\r\n\r\n`));
  peer.sendBytes(bytes(`${head}${rest}${'X: y\r\n'.repeat(300)}CSeq: 1 INVITE\r\n\r\n`));
  peer.sendBytes(Buffer.alloc(60_000));
  await settle();
  expect(peer.responses).toHaveLength(2);
  // A caller without a usable address.
  const lost = peer.invitation('lost');
  await send({ ...lost, headers: lost.headers.filter(({ name }) => name !== 'Contact') });
  expect(last().status).toBe(400);
  await send(peer.invitation('c'));
  expect(calls).toMatchObject([{ from: '0900', to: 'agent' }]);
  expect(callee.logged.filter(({ level }) => level === 'error')).toEqual([]);
});

test('an error in a handler is logged and disturbs nothing', async () => {
  const invite = await send(peer.invitation('c'));
  const events = new CallRecorder();
  events.infoKey = () => {
    throw new Error('of the handler');
  };
  calls[0]!.answer(answer, events);
  await settle();
  await send(peer.following(invite, 'ACK', last()));
  const info = peer.following(invite, 'INFO', last(), 2, [
    { name: 'Content-Type', value: 'application/dtmf' },
  ]);
  await send({ ...info, body: Buffer.from('1') });
  expect(last().status).toBe(200);
  expect(callee.logged).toContainEqual(expect.objectContaining({ level: 'error', error: 'of the handler' }));
  await send(peer.following(invite, 'BYE', peer.responses[1], 3));
  expect(events.lines).toEqual(['ended peer BYE']);
});
