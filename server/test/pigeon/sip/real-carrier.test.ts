// Calls over a real proxy that demands digest to real phones.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TrunkOptions } from '../../../src/pigeon/sip/user-agent.ts';
import { type Carrier, carrierPassword, isCarrierInstalled, numbers, startCarrier } from './real-carrier.ts';
import { agent, CallRecorder, type TestAgent, trunkOptions } from './support.ts';

/** For a busy machine. */
const within = { timeout: 10_000 };

const sdp = [
  ...['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 'c=IN IP4 127.0.0.1', 't=0 0'],
  ...['m=audio 9 RTP/AVP 0 101', 'a=rtpmap:0 PCMU/8000', 'a=rtpmap:101 telephone-event/8000', ''],
].join('\r\n');

describe.skipIf(!isCarrierInstalled())('kamailio and baresip', { timeout: 20_000 }, () => {
  let carrier: Carrier;
  let caller: TestAgent;

  const trunk = (options: Partial<TrunkOptions> = {}) =>
    trunkOptions({
      name: 'carrier',
      port: carrier.port,
      user: '0312345678',
      password: carrierPassword,
      registers: true,
      ...options,
    });

  beforeAll(async () => {
    carrier = await startCarrier();
    caller = agent({ trunks: [trunk()], local: { address: '0.0.0.0', port: 0 } });
    await caller.start();
  }, 20_000);
  afterAll(async () => {
    await caller?.close();
    await carrier?.close();
  });

  test('the trunk is registered', async () => {
    await expect
      .poll(() => caller.trunks()[0], within)
      .toMatchObject({ state: 'registered', detail: '200 OK' });
  });

  test('a call is answered with a description and hung up by us, and by the phone', async () => {
    for (const side of ['us', 'peer']) {
      const events = new CallRecorder();
      const call = caller.call(numbers.answered, sdp, events);
      await events.until('answered');
      if (side === 'us') call.hangUp();
      else carrier.phone('hangup');
      await events.until('ended');
      expect(events.lines.at(-1)).toBe(`ended ${side} BYE`);
    }
  });

  test('the carrier reaches us over our own TCP connection', async () => {
    const connected = agent({ trunks: [trunk({ transport: 'tcp' })] });
    await connected.start();
    const events = new CallRecorder();
    connected.call(numbers.answered, sdp, events);
    await events.until('answered');
    carrier.phone('hangup');
    await events.until('ended');
    expect(events.lines.at(-1)).toBe('ended peer BYE');
    expect(connected.trunks()[0]).toMatchObject({ state: 'registered' });
    await connected.close();
  });

  test('a call is rejected by the phone', async () => {
    const events = new CallRecorder();
    const incoming = carrier.phoneEvent('CALL_INCOMING');
    caller.call(numbers.ringing, sdp, events);
    await incoming;
    carrier.phone('hangup');
    await events.until('failed');
    expect(events.lines).toEqual(['progress 180', 'failed busy 486 Rejected']);
  });

  test('a call that nobody answers is canceled', async () => {
    const events = new CallRecorder();
    const closed = carrier.phoneEvent('CALL_CLOSED');
    const call = caller.call(numbers.ringing, sdp, events);
    await events.until('progress 180');
    call.hangUp();
    await events.until('failed');
    expect(events.lines.at(-1)).toMatch(/^failed noAnswer 487 /);
    await closed;
  });

  test('a wrong number is told apart from a wrong password', async () => {
    const wrongNumber = new CallRecorder();
    caller.call('9999', sdp, wrongNumber);
    await wrongNumber.until('failed');
    expect(wrongNumber.lines).toEqual(['failed wrongNumber 404 Not Found']);

    const refused = agent({ trunks: [trunk({ password: 'a-wrong-password' })] });
    await refused.start();
    const wrongPassword = new CallRecorder();
    refused.call(numbers.answered, sdp, wrongPassword);
    await wrongPassword.until('failed');
    expect(wrongPassword.lines).toEqual(['failed trunkAway 407 Proxy Authentication Required']);
    await expect
      .poll(() => refused.trunks()[0], within)
      .toMatchObject({ state: 'unregistered', detail: '401 Unauthorized' });
    expect(JSON.stringify([refused.logged, refused.trunks()])).not.toContain('a-wrong-password');
    await refused.close();
  });

  test('the second trunk takes the call when the first one is dead', async () => {
    const both = agent({
      trunks: [trunkOptions({ name: 'dead', host: '127.0.0.2', port: 9 }), trunk()],
    });
    await both.start();
    const events = new CallRecorder();
    const call = both.call(numbers.answered, sdp, events);
    await events.until('answered');
    expect(call.trunk).toBe('carrier');
    expect(both.trunks()).toMatchObject([
      { state: 'unreachable', detail: { word: 'pigeon.detail.no-response' } },
      { state: 'registered' },
    ]);
    call.hangUp();
    await both.close();
    expect(events.lines.at(-1)).toBe('ended us BYE');
  });
});
