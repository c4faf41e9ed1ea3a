// Calls against a scripted peer on a clock of the test: repetitions, failover, late answers, forks, timers.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../../src/common/clock.ts';
import { headerOf, sequenceOf } from '../../../src/pigeon/sip/message.ts';
import type { TrunkOptions } from '../../../src/pigeon/sip/user-agent.ts';
import { countedBytes, MemoryNetwork, ScriptedPeer, settle } from './scripted-peer.ts';
import { agent, CallRecorder, offer, type TestAgent, trunkOptions } from './support.ts';

const here = { address: '10.0.0.1', port: 5060 };

let network: MemoryNetwork;
let clock: ManualClock;
let peer: ScriptedPeer;
let second: ScriptedPeer;
let caller: TestAgent;

beforeEach(async () => {
  network = new MemoryNetwork();
  clock = new ManualClock();
  peer = new ScriptedPeer(network, { address: '10.0.0.2', port: 5060 }, here);
  second = new ScriptedPeer(network, { address: '10.0.0.3', port: 5060 }, here);
  await start();
});
afterEach(async () => {
  const closed = caller.close();
  await settle();
  clock.advance(5000);
  await closed;
});

async function start(first: Partial<TrunkOptions> = {}): Promise<void> {
  caller = agent(
    {
      trunks: [
        trunkOptions({ name: 'first', host: '10.0.0.2', user: 'u', password: 'p', ...first }),
        trunkOptions({ name: 'second', host: '10.0.0.3' }),
      ],
      local: here,
      clock,
      random: countedBytes(),
    },
    network,
  );
  await caller.start();
  await settle();
  // The first pings are not of interest.
  for (const one of [peer, second]) {
    for (const ping of one.requests.splice(0)) one.reply(ping, 200);
  }
  await settle();
}

async function call() {
  const events = new CallRecorder();
  const placed = caller.call('090', offer, events);
  await settle();
  return { events, placed, invite: peer.got('INVITE').at(-1)! };
}

async function answeredCall(headers: { name: string; value: string }[] = []) {
  const made = await call();
  peer.accept(made.invite, { headers });
  await settle();
  return made;
}

async function pass(milliseconds: number) {
  await settle();
  clock.advance(milliseconds);
  await settle();
}

describe('a trunk that does not answer', () => {
  test('gets an INVITE three times in two seconds; then the next trunk is called', async () => {
    const { events, placed } = await call();
    await pass(1999);
    expect([peer.got('INVITE').length, second.got('INVITE').length]).toEqual([3, 0]);
    await pass(1);
    expect(placed.trunk).toBe('second');
    second.accept(second.got('INVITE')[0]!);
    await settle();
    expect(events.lines).toEqual(['answered answer']);
    expect(caller.trunks()[0]).toMatchObject({
      state: 'unreachable',
      detail: { word: 'pigeon.detail.no-response' },
    });
    // A later call starts with the trunk that is there.
    await call();
    expect([peer.got('INVITE').length, second.got('INVITE').length]).toEqual([3, 2]);
  });

  test('is canceled when it rings late, and hung up when it answers late', async () => {
    const { invite } = await call();
    await pass(2000);
    peer.reply(invite, 180);
    await settle();
    expect(peer.got('CANCEL')).toHaveLength(1);
    peer.reply(peer.got('CANCEL')[0]!, 200);
    peer.accept(invite);
    await settle();
    expect(peer.methods).toBe('INVITE INVITE INVITE CANCEL ACK BYE');
  });

  test('is not called again when it asks for a password late', async () => {
    const { invite } = await call();
    await pass(2000);
    const header = { name: 'WWW-Authenticate', value: 'Digest realm="r", nonce="n", qop="auth"' };
    peer.reply(invite, 401, { headers: [header] });
    await settle();
    expect(peer.methods).toBe('INVITE INVITE INVITE ACK');
  });

  test('is given up when it takes the call and nothing happens; the next calls begin at the other one', async () => {
    const { events, placed, invite } = await call();
    peer.reply(invite, 100);
    await pass(11_999);
    expect(second.got('INVITE')).toHaveLength(0);
    await pass(1);
    expect(peer.got('CANCEL')).toHaveLength(1);
    peer.reply(peer.got('CANCEL')[0]!, 200);
    expect(placed.trunk).toBe('second');
    second.reply(second.got('INVITE')[0]!, 100);
    // There is no other trunk any more.
    await pass(30_000);
    second.reply(second.got('INVITE')[0]!, 180);
    await settle();
    expect(events.lines).toEqual(['progress 180']);
    // The first one answers late.
    peer.accept(invite);
    await settle();
    expect(peer.methods).toBe('INVITE CANCEL ACK BYE');
    expect(second.got('CANCEL')).toHaveLength(0);
  });

  test('is skipped for a minute after it was given up, and stays as available as it was', async () => {
    const { invite } = await call();
    peer.reply(invite, 100);
    await pass(12_000);
    await call();
    for (const one of second.got('INVITE')) second.accept(one);
    expect([peer.got('INVITE').length, second.got('INVITE').length]).toEqual([1, 2]);
    expect(caller.trunks()[0]).toMatchObject({ state: 'reachable' });
    await pass(60_000);
    await call();
    expect(peer.got('INVITE')).toHaveLength(2);
  });

  test('is not given up while the other one is away', async () => {
    await pass(30_000);
    for (const ping of peer.got('OPTIONS')) peer.reply(ping, 200);
    await pass(4000);
    expect(caller.trunks().map(({ state }) => state)).toEqual(['reachable', 'unreachable']);
    const { events, invite } = await call();
    peer.reply(invite, 100);
    await pass(13_000);
    peer.reply(invite, 180);
    await settle();
    expect(events.lines).toEqual(['progress 180']);
    expect(peer.got('CANCEL')).toEqual([]);
  });

  test('that rings in time is not given up', async () => {
    const { invite, placed } = await call();
    peer.reply(invite, 100);
    await pass(11_000);
    peer.reply(invite, 180);
    await pass(60_000);
    expect([peer.methods, placed.trunk]).toEqual(['INVITE', 'first']);
  });

  test('makes the call fail when no trunk is left', async () => {
    const { events } = await call();
    await pass(2000);
    await pass(2000);
    expect(events.lines).toEqual(['failed trunkAway no response']);
  });
});

test.each([
  [503, [], 'failed trunkAway 503 Service Unavailable'],
  [408, [], 'failed unreachable 408 Request Timeout'],
  [500, [], 'failed unreachable 500 Server Internal Error'],
  [502, [], 'failed unreachable 502 Unknown'],
  [504, [], 'failed unreachable 504 Unknown'],
  [500, [180], 'failed unreachable 500 Server Internal Error', true],
  [501, [], 'failed unreachable 501 Unknown', true],
  [503, [180], 'failed trunkAway 503 Service Unavailable', true],
  [408, [180], 'failed noAnswer 408 Request Timeout', true],
  [486, [], 'failed busy 486 Busy Here', true],
  [600, [], 'failed busy 600 Busy Everywhere', true],
  [480, [180], 'failed noAnswer 480 Temporarily Unavailable', true],
  [404, [], 'failed wrongNumber 404 Not Found', true],
  [484, [], 'failed wrongNumber 484 Unknown', true],
  [403, [], 'failed rejected 403 Forbidden', true],
  [603, [], 'failed rejected 603 Decline', true],
  [429, [], 'failed rateLimited 429 Unknown', true],
  [302, [], 'failed unreachable 302 Unknown', true],
  [488, [], 'failed unreachable 488 Not Acceptable Here', true],
])(
  'a final %s after %j is reported as it is, or by the next trunk',
  async (status, before, line, final = false) => {
    for (const one of [peer, second]) {
      one.onRequest = (request) => {
        if (request.method !== 'INVITE') return;
        for (const provisional of before) one.reply(request, provisional);
        one.reply(request, status);
      };
    }
    const { events } = await call();
    expect(events.lines.at(-1)).toBe(line);
    expect(peer.methods).toBe('INVITE ACK');
    expect(second.methods).toBe(final ? '' : 'INVITE ACK');
  },
);

test('a refusal that is repeated gets its ACK again, and is reported once', async () => {
  const { events, invite } = await call();
  peer.reply(invite, 486);
  peer.reply(invite, 486);
  await settle();
  expect(peer.methods).toBe('INVITE ACK ACK');
  expect(events.lines).toEqual(['failed busy 486 Busy Here']);
});

test('a trunk that answers 503 with Retry-After is skipped for that time', async () => {
  second.onRequest = (request) => {
    if (request.method === 'INVITE') second.accept(request);
  };
  peer.onRequest = (request) => {
    if (request.method === 'INVITE')
      peer.reply(request, 503, { headers: [{ name: 'Retry-After', value: '20' }] });
  };
  await call();
  await call();
  expect([peer.got('INVITE').length, second.got('INVITE').length]).toEqual([1, 2]);
  await pass(20_000);
  await call();
  expect(peer.got('INVITE')).toHaveLength(2);
});

describe('hanging up before the answer', () => {
  test('waits for a response before CANCEL, and ends the call at once', async () => {
    const { events, placed, invite } = await call();
    placed.hangUp();
    await pass(0);
    expect(events.lines).toEqual(['failed noAnswer canceled']);
    expect(peer.methods).toBe('INVITE');
    peer.reply(invite, 100);
    await settle();
    expect(peer.methods).toBe('INVITE CANCEL');
    await pass(3000);
    expect(peer.got('INVITE')).toHaveLength(1);
  });

  test('acknowledges an answer that crossed the CANCEL and hangs up; each repetition gets its ACK', async () => {
    const { events, placed, invite } = await call();
    peer.reply(invite, 180);
    await settle();
    placed.hangUp();
    await settle();
    peer.accept(invite);
    peer.accept(invite);
    await settle();
    expect(peer.methods).toBe('INVITE CANCEL ACK ACK BYE');
    expect(events.lines).toEqual(['progress 180', 'failed noAnswer canceled']);
    const cancel = peer.got('CANCEL')[0]!;
    expect(headerOf(cancel, 'Via')).toBe(headerOf(invite, 'Via')?.replace(/;rport=5060;received=.*/, ''));
  });

  test('is over after four seconds if the peer does not end the call', async () => {
    const { events, placed, invite } = await call();
    peer.reply(invite, 180);
    await settle();
    placed.hangUp();
    await pass(3999);
    expect(events.lines).toEqual(['progress 180']);
    await pass(1);
    expect(events.lines).toEqual(['progress 180', 'failed noAnswer canceled']);
  });
});

test('of two phones that answer the second is acknowledged and hung up', async () => {
  const { events, invite } = await call();
  peer.reply(invite, 180, { tag: 'one' });
  peer.reply(invite, 183, { tag: 'two', body: 'v=0\r\ns=early\r\n' });
  peer.reply(invite, 200, { tag: 'two' });
  peer.accept(invite, { tag: 'one' });
  await settle();
  expect(events.lines).toEqual(['progress 180', 'progress 183 early', 'answered early']);
  expect(peer.methods).toBe('INVITE ACK ACK BYE');
  expect(peer.requests.map((request) => /tag=(.*)/.exec(headerOf(request, 'To')!)?.[1])).toEqual([
    undefined,
    'two',
    'one',
    'one',
  ]);
});

test('requests of a call take the recorded route, and the target that the peer changed to', async () => {
  const route = { name: 'Record-Route', value: '<sip:10.0.0.3;lr>, <sip:10.0.0.2;lr>' };
  const { placed, invite } = await call();
  // The route of the answer counts, not that of an early response.
  peer.reply(invite, 180, { headers: [{ name: 'Record-Route', value: '<sip:10.0.0.8;lr>' }] });
  peer.accept(invite, { headers: [route] });
  await settle();
  expect(peer.methods).toBe('INVITE ACK');
  const target = { name: 'Contact', value: '<sip:moved@10.0.0.9>' };
  const update = peer.inDialog(invite, 'UPDATE', 1);
  update.headers = [...update.headers.filter(({ name }) => name !== 'Contact'), target];
  peer.send(update);
  await settle();
  placed.hangUp();
  await settle();
  const bye = peer.got('BYE')[0]!;
  expect(bye.uri).toBe('sip:moved@10.0.0.9');
  expect(bye.headers.filter(({ name }) => name === 'Route').map(({ value }) => value)).toEqual([
    '<sip:10.0.0.2;lr>',
    '<sip:10.0.0.3;lr>',
  ]);
  expect(sequenceOf(bye).number).toBe(sequenceOf(invite).number + 1);
});

test('a reliable provisional response gets one PRACK, a repetition or a gap gets none', async () => {
  const { events, invite } = await call();
  const reliable = (number: number) => ({
    headers: [
      { name: 'Require', value: '100rel' },
      { name: 'RSeq', value: String(number) },
    ],
  });
  for (const number of [7, 7, 9, 8]) peer.reply(invite, 180, reliable(number));
  await settle();
  expect(peer.got('PRACK').map((prack) => headerOf(prack, 'RAck'))).toEqual(['7 1 INVITE', '8 1 INVITE']);
  expect(events.lines).toEqual(['progress 180', 'progress 180']);
});

describe('session timers', () => {
  const expires = (refresher: string) => [
    { name: 'Session-Expires', value: `100;refresher=${refresher}` },
    { name: 'Require', value: 'timer' },
  ];

  test('are refreshed at half of the interval; a peer that is gone ends the call', async () => {
    const { events } = await answeredCall([...expires('uac'), { name: 'Allow', value: 'INVITE, UPDATE' }]);
    await pass(50_000);
    const [update] = peer.got('UPDATE');
    expect(headerOf(update!, 'Session-Expires')).toBe('100;refresher=uac');
    peer.reply(update!, 200, { headers: expires('uac') });
    await pass(50_000);
    peer.reply(peer.got('UPDATE')[1]!, 481);
    await settle();
    expect(events.lines).toEqual(['answered answer', 'ended peer 481 Call/Transaction Does Not Exist']);
  });

  test('are refreshed by re-INVITE where the peer does not know UPDATE', async () => {
    const { events, invite } = await answeredCall(expires('uac'));
    await pass(50_000);
    const again = peer.got('INVITE')[1]!;
    expect(again.body).toEqual(invite.body);
    peer.accept(again, { headers: expires('uac') });
    await settle();
    expect(peer.methods).toBe('INVITE ACK INVITE ACK');
    expect(events.lines).toEqual(['answered answer', 'changed answer']);
  });

  test('end the call with BYE when the peer does not refresh', async () => {
    const { events, invite } = await answeredCall(expires('uas'));
    await pass(50_000);
    peer.send(
      peer.inDialog(invite, 'UPDATE', 1, [
        { name: 'Session-Expires', value: '100;refresher=uac' },
        { name: 'Supported', value: 'timer' },
      ]),
    );
    await settle();
    expect(headerOf(peer.responses.at(-1)!, 'Session-Expires')).toBe('100;refresher=uac');
    await pass(67_000);
    expect(peer.got('BYE')).toHaveLength(0);
    await pass(1000);
    expect(peer.got('BYE')).toHaveLength(1);
    expect(events.lines).toEqual(['answered answer', 'ended timer session expired']);
  });

  test('take the longer interval that a proxy demands, and refuse one that is too short', async () => {
    const { invite } = await call();
    peer.reply(invite, 422, { headers: [{ name: 'Min-SE', value: '3600' }] });
    await settle();
    const again = peer.got('INVITE')[1]!;
    expect(['Session-Expires', 'Min-SE'].map((name) => headerOf(again, name))).toEqual(['3600', '3600']);
    await pass(300);
    peer.accept(again);
    await pass(3000);
    const short = [
      { name: 'Session-Expires', value: '60' },
      { name: 'Supported', value: 'timer' },
    ];
    peer.send(peer.inDialog(again, 'UPDATE', 1, short));
    await settle();
    expect(peer.responses.at(-1)).toMatchObject({ status: 422 });
    expect(headerOf(peer.responses.at(-1)!, 'Min-SE')).toBe('90');
  });
});

test('a longer interval demanded of a caller with a password is a new request, with its own challenge', async () => {
  const challenge = { name: 'Proxy-Authenticate', value: 'Digest realm="r", nonce="n", qop="auth"' };
  peer.onRequest = (request) => {
    if (request.method !== 'INVITE') return;
    if (!headerOf(request, 'Proxy-Authorization')) peer.reply(request, 407, { headers: [challenge] });
    else if (headerOf(request, 'Session-Expires') !== '3600')
      peer.reply(request, 422, { headers: [{ name: 'Min-SE', value: '3600' }] });
    else peer.accept(request);
  };
  const { events } = await call();
  expect(events.lines).toEqual(['answered answer']);
  expect(peer.got('INVITE').map((one) => headerOf(one, 'CSeq'))).toEqual(
    [1, 2, 3, 4].map((number) => `${number} INVITE`),
  );
});

test('changes that cross are refused with 491, and ours is repeated later', async () => {
  const { events, invite, placed } = await answeredCall();
  const result = placed.offer(offer);
  await settle();
  const type = { name: 'Content-Type', value: 'application/sdp' };
  peer.send(peer.inDialog(invite, 'INVITE', 1, [type], offer));
  await settle();
  expect(peer.responses.at(-1)?.status).toBe(491);
  peer.reply(peer.got('INVITE')[1]!, 491);
  await pass(2099);
  expect(peer.got('INVITE')).toHaveLength(2);
  await pass(1901);
  peer.accept(peer.got('INVITE')[2]!);
  expect(await result).toContain('s=answer');
  // The peer's own repetition is taken now; without its ACK the answer is repeated.
  peer.send(peer.inDialog(invite, 'INVITE', 2, [type], offer));
  await settle();
  await pass(500);
  expect(peer.responses.filter(({ status }) => status === 200)).toHaveLength(2);
  expect(events.lines).toEqual(['answered answer', 'offered offer']);
});

test('a re-INVITE without a description gets an offer, and its ACK brings the answer', async () => {
  const { events, invite } = await answeredCall();
  const request = peer.inDialog(invite, 'INVITE', 1);
  peer.send(request);
  await settle();
  expect(peer.responses.at(-1)?.body.toString()).toContain('s=answer');
  const ack = peer.inDialog(invite, 'ACK', 1, [{ name: 'Content-Type', value: 'application/sdp' }], offer);
  peer.send(ack);
  await settle();
  expect(events.lines).toEqual(['answered answer', 'offered', 'changed offer']);
});

test('requests in a call: keys, old numbers, unknown extensions and methods, BYE with a reason', async () => {
  const { events, invite } = await answeredCall();
  const relay = { name: 'Content-Type', value: 'application/dtmf-relay' };
  const send = async (method: string, sequence: number, headers = [relay], body = '') => {
    peer.send(peer.inDialog(invite, method, sequence, headers, body));
    await settle();
    return peer.responses.at(-1)!.status;
  };
  expect(await send('INFO', 5, [relay], 'Signal= 5\r\nDuration= 160\r\n')).toBe(200);
  expect(await send('INFO', 6, [{ name: 'Content-Type', value: 'application/dtmf' }], '#')).toBe(200);
  expect(await send('INFO', 7, [relay], 'Signal=11\r\n')).toBe(200);
  expect(await send('INFO', 8, [relay], 'Signal=55\r\n')).toBe(415);
  expect(await send('INFO', 8, [relay], 'Signal=1\r\n')).toBe(500);
  expect(await send('OPTIONS', 9)).toBe(200);
  expect(await send('INFO', 10, [{ name: 'Require', value: 'precondition' }])).toBe(420);
  expect(await send('PUBLISH', 11)).toBe(405);
  expect(await send('REFER', 12, [{ name: 'Refer-To', value: '<sip:0800@elsewhere.test>' }])).toBe(603);
  expect(await send('PRACK', 13)).toBe(481);
  expect(await send('BYE', 14, [{ name: 'Reason', value: 'Q.850;cause=16' }])).toBe(200);
  expect(await send('INFO', 15, [relay], 'Signal=1')).toBe(481);
  expect(events.lines).toEqual(['answered answer', 'key 5', 'key #', 'key #', 'ended peer Q.850;cause=16']);
});

test('a transfer is reported by NOTIFY; a refusal and silence are failures', async () => {
  const { placed, invite } = await answeredCall();
  const refer = async (status: number) => {
    const result = placed.refer('0800');
    await settle();
    peer.reply(peer.got('REFER').at(-1)!, status);
    await settle();
    return result;
  };
  const notify = async (sequence: number, body: string, state = 'active') => {
    const headers = [
      { name: 'Event', value: 'refer' },
      { name: 'Subscription-State', value: state },
      { name: 'Content-Type', value: 'message/sipfrag' },
    ];
    peer.send(peer.inDialog(invite, 'NOTIFY', sequence, headers, body));
    await settle();
  };
  expect(await refer(603)).toBe(false);
  const accepted = refer(202);
  await settle();
  await notify(1, 'SIP/2.0 180 Ringing\r\n');
  await notify(2, 'SIP/2.0 200 OK\r\n', 'terminated');
  expect(await accepted).toBe(true);
  const silent = refer(202);
  await pass(60_000);
  expect(await silent).toBe(false);
});

test('a transfer is not asked for on a trunk that does not allow it', async () => {
  await start({ referAllowed: false });
  const { placed } = await answeredCall();
  expect(await placed.refer('0800')).toBe(false);
  expect(peer.got('REFER')).toEqual([]);
});
