// Two sessions on loopback, packet by packet: nothing waits for the clock.
import { createSocket, type Socket } from 'node:dgram';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../common/clock.ts';
import { createMediaSession } from './create-media-session.ts';
import { pcmu } from './g711.ts';
import { joinCalls } from './join-calls.ts';
import type { MediaOptions, MediaSession } from './media-session.ts';
import { PacketScheduler } from './packet-scheduler.ts';
import { parseReport } from './rtp/rtcp.ts';
import { parseRtp, type RtpPacket, writeRtp } from './rtp/rtp.ts';
import { keyTone, sines } from './tones.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

interface Party {
  session: MediaSession;
  keys: string[];
  heard: number[];
}

const clock = new ManualClock(0);
const scheduler = new PacketScheduler(clock);

async function open(options: Partial<MediaOptions> = {}): Promise<Party> {
  const keys: string[] = [];
  const heard: number[] = [];
  const session = await createMediaSession({
    bindAddress: '127.0.0.1',
    publicAddress: '127.0.0.1',
    security: 'never',
    events: {
      key: (key, source) => keys.push(`${key} ${source}`),
      audio: (samples) => heard.push(...samples),
    },
    scheduler,
    ...options,
  });
  closers.push(() => session.close());
  return { session, keys, heard };
}

async function connected(first: Partial<MediaOptions> = {}, second: Partial<MediaOptions> = {}) {
  const parties = { a: await open(first), b: await open(second) };
  parties.a.session.accept(parties.b.session.answer(parties.a.session.offer()));
  return parties;
}

/** Sends the packets of so many milliseconds; each arrives before the next. */
async function run(milliseconds: number, ...parties: Party[]): Promise<void> {
  for (let elapsed = 0; elapsed < milliseconds; elapsed += 20) {
    const before = parties.map(({ session }) => session.statistics());
    clock.advance(20);
    const sent = parties.map(({ session }, index) => session.statistics().sent - before[index]!.sent);
    const total = sent.reduce((sum, one) => sum + one, 0);
    await until(() => {
      const taken = parties.map(({ session }, index) => {
        const { received, ignored } = session.statistics();
        return received + ignored - before[index]!.received - before[index]!.ignored;
      });
      return taken.reduce((sum, one) => sum + one, 0) >= total;
    });
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await turn();
}

/** Best correlation of the sent samples with any part of the heard ones. */
function correlation(sent: Int16Array, heard: readonly number[]): number {
  let best = 0;
  for (let delay = 0; delay + sent.length <= heard.length; delay += 160) {
    let product = 0;
    let sentEnergy = 0;
    let heardEnergy = 0;
    for (let at = 0; at < sent.length; at++) {
      product += sent[at]! * heard[at + delay]!;
      sentEnergy += sent[at]! ** 2;
      heardEnergy += heard[at + delay]! ** 2;
    }
    best = Math.max(best, product / Math.sqrt(sentEnergy * heardEnergy));
  }
  return best;
}

/** A sound that changes all the time, so that only the same part of it correlates. */
function melody(milliseconds: number, base: number): Int16Array {
  const notes = Array.from({ length: milliseconds / 40 }, (_, index) =>
    sines([{ frequency: base + ((index * 7) % 12) * 45, dBm0: -12 }], 40),
  );
  return Int16Array.from(notes.flatMap((note) => [...note]));
}

const energy = (samples: readonly number[]) => samples.reduce((sum, sample) => sum + sample ** 2, 0);

/** A socket that plays another party or a stranger. */
async function stranger(
  address = '127.0.0.1',
): Promise<{ socket: Socket; port: number; packets: RtpPacket[] }> {
  const socket = createSocket('udp4');
  const packets: RtpPacket[] = [];
  socket.on('message', (datagram) => packets.push(parseRtp(datagram)!));
  await new Promise<void>((resolve) => socket.bind(0, address, resolve));
  closers.push(() => socket.close());
  return { socket, port: socket.address().port, packets };
}

function describing(port: number, ...lines: string[]): string {
  const session = ['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 'c=IN IP4 127.0.0.1', 't=0 0'];
  return [
    ...session,
    `m=audio ${port} RTP/AVP 0 101`,
    'a=rtpmap:101 telephone-event/8000',
    ...lines,
    '',
  ].join('\r\n');
}

const portOf = ({ session }: Party) => Number(/^m=audio (\d+)/m.exec(session.offer())![1]);

describe('audio', () => {
  it.each([
    ['µ-law', 'm=audio $1 RTP/AVP 0 8 101'],
    ['A-law', 'm=audio $1 RTP/AVP 8 101'],
  ])('is heard as it was sent, both ways at once (%s)', async (_, media) => {
    const a = await open();
    const b = await open();
    const offer = a.session.offer().replace(/^m=audio (\d+) .*$/m, media);
    a.session.accept(b.session.answer(offer));
    const [fromA, fromB] = [melody(600, 400), melody(600, 700)];
    const played = Promise.all([a.session.play(fromA), b.session.play(fromB)]);
    await run(700, a, b);
    expect(await played).toEqual([true, true]);
    expect(correlation(fromA, b.heard)).toBeGreaterThan(0.99);
    expect(correlation(fromB, a.heard)).toBeGreaterThan(0.99);
    expect(correlation(fromA, a.heard)).toBeLessThan(0.5);
    expect(b.session.statistics()).toMatchObject({ received: 35, lost: 0, ignored: 0, failed: 0 });
    expect(a.keys).toEqual([]);
  });

  it('stops within a packet, and silence keeps the way open', async () => {
    const { a, b } = await connected();
    const played = a.session.play(melody(2000, 500));
    await run(400, a, b);
    expect(energy(b.heard.slice(-160))).toBeGreaterThan(1_000_000);
    a.session.stopPlaying();
    expect(await played).toBe(false);
    b.heard.length = 0;
    await run(200, a, b);
    expect(b.heard).toHaveLength(1600);
    expect(energy(b.heard)).toBe(0);
  });

  it('waits for the other party to be known', async () => {
    const a = await open();
    const sound = melody(200, 400);
    const played = a.session.play(sound);
    await run(500, a);
    expect(a.session.statistics().sent).toBe(0);
    const b = await open();
    a.session.accept(b.session.answer(a.session.offer()));
    await run(300, a, b);
    expect(await played).toBe(true);
    expect(correlation(sound, b.heard)).toBeGreaterThan(0.99);
  });

  it('has sequence, timestamps and marker as RFC 3550 and 3551 want them', async () => {
    const peer = await stranger();
    const a = await open();
    a.session.accept(describing(peer.port));
    clock.advance(200);
    await until(() => peer.packets.length === 10);
    const [first] = peer.packets;
    for (const [index, packet] of peer.packets.entries()) {
      expect(packet.sequence).toBe((first!.sequence + index) & 0xffff);
      expect(packet.timestamp).toBe((first!.timestamp + index * 160) >>> 0);
      expect(packet).toMatchObject({ ssrc: first!.ssrc, payloadType: 0, marker: index === 0 });
      expect(packet.payload).toHaveLength(160);
    }
  });

  it('passes between two joined calls, with keys, until they are separated', async () => {
    const [left, right] = [await connected(), await connected()];
    const parties = [left.a, left.b, right.a, right.b];
    const separate = joinCalls(left.b.session, right.b.session);
    const [fromLeft, fromRight] = [melody(600, 400), melody(600, 700)];
    void left.a.session.play(fromLeft);
    void right.a.session.play(fromRight);
    await run(800, ...parties);
    expect(correlation(fromLeft, right.a.heard)).toBeGreaterThan(0.97);
    expect(correlation(fromRight, left.a.heard)).toBeGreaterThan(0.97);
    void left.a.session.sendKey('3');
    await run(500, ...parties);
    expect(left.b.keys).toEqual(['3 rtpEvent']);
    expect(right.a.keys).toEqual(['3 rtpEvent']);
    separate();
    await run(200, ...parties);
    right.a.heard.length = 0;
    void left.a.session.play(fromLeft);
    await run(200, ...parties);
    expect(energy(right.a.heard)).toBe(0);
  });
});

describe('keys', () => {
  it('go both ways as events, each once', async () => {
    const { a, b } = await connected();
    const sent = Promise.all([...'1#1'].map((key) => a.session.sendKey(key)));
    const answered = b.session.sendKey('*');
    await run(700, a, b);
    await Promise.all([sent, answered]);
    expect(b.keys).toEqual(['1 rtpEvent', '# rtpEvent', '1 rtpEvent']);
    expect(a.keys).toEqual(['* rtpEvent']);
  });

  it('go as tones to a party that takes no events', async () => {
    const a = await open();
    const b = await open();
    b.session.accept(a.session.answer(b.session.offer().replace(' 0 8 101', ' 0')));
    const sent = Promise.all([...'90'].map((key) => a.session.sendKey(key)));
    await run(500, a, b);
    await sent;
    expect(b.keys).toEqual(['9 tone', '0 tone']);
  });

  it('are one press when the tone comes before the event', async () => {
    const { a, b } = await connected();
    void a.session.play(keyTone('6', 60));
    await run(60, a, b);
    void a.session.sendKey('6');
    await run(400, a, b);
    expect(b.keys).toEqual(['6 tone']);
  });

  it('are one press as tone although a packet in it is lost', async () => {
    const peer = await stranger();
    const a = await open();
    a.session.accept(describing(peer.port));
    const tone = keyTone('2', 200);
    for (let index = 0; index < 14; index++) {
      const payload = pcmu.encode(tone.subarray((index % 10) * 160, (index % 10) * 160 + 160));
      if (index === 5) continue;
      const packet = { payloadType: 0, marker: false, sequence: index, timestamp: index * 160, ssrc: 4 };
      peer.socket.send(writeRtp({ ...packet, payload }), portOf(a), '127.0.0.1');
    }
    await until(() => a.session.statistics().received === 13);
    expect(a.session.statistics().lost).toBe(1);
    expect(a.keys).toEqual(['2 tone']);
  });
});

describe('packets from elsewhere', () => {
  const audio = writeRtp({
    payloadType: 0,
    marker: false,
    sequence: 1,
    timestamp: 0,
    ssrc: 4,
    payload: Buffer.alloc(160),
  });

  it('are ignored and counted, as is what is not RTP', async () => {
    const { a, b } = await connected();
    await run(100, a, b);
    const forger = await stranger('127.0.0.2');
    const event = Buffer.from('80e50001000000010000000105800320', 'hex');
    forger.socket.send(event, portOf(a), '127.0.0.1');
    forger.socket.send(Buffer.from('garbage'), portOf(a), '127.0.0.1');
    await until(() => a.session.statistics().ignored === 2);
    // The same address, but another port than the one that speaks.
    const neighbor = await stranger();
    neighbor.socket.send(event, portOf(a), '127.0.0.1');
    await until(() => a.session.statistics().ignored === 3);
    await run(100, a, b);
    expect(a.keys).toEqual([]);
    expect(a.heard).toHaveLength(1600);
    expect(forger.packets).toEqual([]);
    expect(neighbor.packets).toEqual([]);
  });

  it('are answered at the port they come from, if the address is the announced one', async () => {
    const peer = await stranger();
    const a = await open();
    a.session.accept(describing(9));
    const packet: RtpPacket = {
      payloadType: 0,
      marker: false,
      sequence: 1,
      timestamp: 0,
      ssrc: 4,
      payload: Buffer.alloc(160),
    };
    peer.socket.send(writeRtp(packet), portOf(a), '127.0.0.1');
    await until(() => a.session.statistics().received === 1);
    clock.advance(20);
    await until(() => peer.packets.length === 1);
    // After a second of silence another port may take over, as behind a router that forgot the first.
    const moved = await stranger();
    clock.advance(1020);
    moved.socket.send(writeRtp({ ...packet, sequence: 2 }), portOf(a), '127.0.0.1');
    await until(() => a.session.statistics().received === 2);
    clock.advance(20);
    await until(() => moved.packets.length === 1);
  });

  it('are taken and answered if the announced address is private and the other one is accepted', async () => {
    const peer = await stranger();
    const forger = await stranger('127.0.0.2');
    const acceptsFrom = (address: string) => address === '127.0.0.1';
    const answer = (address: string) => describing(9).replaceAll('127.0.0.1', address);
    const [behind, direct, closed] = [await open({ acceptsFrom }), await open({ acceptsFrom }), await open()];
    behind.session.accept(answer('192.168.1.20'));
    direct.session.accept(answer('1.1.1.1'));
    closed.session.accept(answer('192.168.1.20'));
    for (const { socket } of [peer, forger])
      for (const party of [behind, direct, closed]) socket.send(audio, portOf(party), '127.0.0.1');
    const counts = ({ session }: Party) => {
      const { received, ignored } = session.statistics();
      return [received, ignored];
    };
    await until(() => [behind, direct, closed].every((party) => counts(party)[0]! + counts(party)[1]! === 2));
    expect([behind, direct, closed].map(counts)).toEqual([
      [1, 1],
      [0, 2],
      [0, 2],
    ]);
    // Nothing may be sent to the announced addresses, which are of others.
    for (const { session } of [direct, closed]) session.close();
    clock.advance(20);
    await until(() => peer.packets.length === 1);
    expect(forger.packets).toEqual([]);
    // On hold nothing is sent, wherever the audio came from.
    behind.session.answer(answer('0.0.0.0'));
    const { sent } = behind.session.statistics();
    clock.advance(20);
    expect(behind.session.statistics().sent).toBe(sent);
  });

  it('do not delay a call when they come as a flood', async () => {
    const peer = await stranger();
    const a = await open();
    a.session.accept(describing(peer.port));
    for (let count = 0; count < 100; count++) peer.socket.send(audio, portOf(a), '127.0.0.1');
    await until(() => a.session.statistics().ignored === 36);
    expect(a.session.statistics().received).toBe(64);
  });
});

describe('changes of the session', () => {
  it('hold the call: nothing is sent, the reading waits, and goes on afterwards', async () => {
    const { a, b } = await connected();
    const sound = melody(600, 400);
    const played = a.session.play(sound);
    await run(200, a, b);
    for (const line of ['a=sendonly', 'a=inactive']) {
      const answer = a.session.answer(describing(portOf(b), line));
      expect(answer).toContain(line === 'a=sendonly' ? 'a=recvonly' : 'a=inactive');
      const { sent } = a.session.statistics();
      await run(500, a, b);
      expect(a.session.statistics().sent).toBe(sent);
    }
    expect(
      a.session.answer(describing(portOf(b)).replace('c=IN IP4 127.0.0.1', 'c=IN IP4 0.0.0.0')),
    ).toContain('a=recvonly');
    clock.advance(200);
    expect(a.session.answer(describing(portOf(b)))).toContain('a=sendrecv');
    await run(500, a, b);
    expect(await played).toBe(true);
    expect(correlation(sound, b.heard)).toBeGreaterThan(0.99);
  });

  it('name the address at which the other party reaches us, which is that of the last offer', async () => {
    const a = await open({ publicAddress: undefined });
    const b = await open();
    const addresses = (description: string) => description.match(/(?<=IN IP4 )\S+/g);
    expect(addresses(a.session.offer())).toEqual(['127.0.0.1', '127.0.0.1']);
    const offer = a.session.offer('127.0.0.2');
    expect(addresses(offer)).toEqual(['127.0.0.2', '127.0.0.2']);
    a.session.accept(b.session.answer(offer));
    expect(addresses(a.session.answer(b.session.offer()))).toEqual(['127.0.0.2', '127.0.0.2']);
  });

  it('move the call to another port; the version of our description rises only with changes', async () => {
    const { a, b } = await connected();
    await run(40, a, b);
    const versionOf = (description: string) => Number(/^o=- \d+ (\d+)/m.exec(description)![1]);
    const version = versionOf(a.session.offer());
    expect(versionOf(a.session.offer())).toBe(version);
    const c = await open();
    const answer = a.session.answer(c.session.offer());
    c.session.accept(answer);
    expect(versionOf(answer)).toBe(version + 1);
    expect(versionOf(a.session.answer(c.session.offer()))).toBe(version + 1);
    void c.session.sendKey('7');
    b.heard.length = 0;
    // Packets that still come from the old port do not keep the new one out.
    await run(200, a, b, c);
    expect(a.keys).toEqual(['7 rtpEvent']);
    expect(c.heard.length).toBe(1600);
    expect(b.heard).toEqual([]);
  });

  it('change nothing when they are refused', async () => {
    const { a, b } = await connected();
    expect(() => a.session.answer(describing(0))).toThrow('has no audio');
    expect(() => a.session.accept('v=0\r\nm=')).toThrow('malformed');
    await run(100, a, b);
    expect(b.heard).toHaveLength(800);
  });
});

describe('encryption', () => {
  it.each([
    ['required', 'required'],
    ['offered', 'required'],
    ['required', 'offered'],
    ['offered', 'offered'],
  ] as const)('carries audio and keys (%s, %s)', async (first, second) => {
    const { a, b } = await connected({ security: first }, { security: second });
    expect([a.session.isEncrypted, b.session.isEncrypted]).toEqual([true, true]);
    const sound = melody(200, 400);
    void a.session.play(sound);
    void b.session.sendKey('5');
    await run(300, a, b);
    expect(correlation(sound, b.heard)).toBeGreaterThan(0.99);
    expect(a.keys).toEqual(['5 rtpEvent']);
    // Without the key nothing is taken, not even from the right address and port.
    const { ignored } = a.session.statistics();
    a.session.accept(b.session.offer().replace(/inline:.*$/m, `inline:${'A'.repeat(40)}`));
    await run(100, a, b);
    expect(a.session.statistics().ignored).toBe(ignored + 5);
  });

  it('is not readable on the way', async () => {
    const peer = await stranger();
    const a = await open({ security: 'required' });
    const key = `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${'B'.repeat(40)}`;
    a.session.accept(describing(peer.port, key).replace('RTP/AVP', 'RTP/SAVP'));
    clock.advance(40);
    await until(() => peer.packets.length === 2);
    for (const { payload } of peer.packets) {
      expect(payload).toHaveLength(170);
      expect(new Set(payload).size).toBeGreaterThan(50);
    }
  });
});

describe('reports', () => {
  it('are sent every five seconds and at the end', async () => {
    const socket = createSocket('udp4');
    closers.push(() => socket.close());
    const reports: Buffer[] = [];
    socket.on('message', (datagram) => reports.push(datagram));
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    const a = await open();
    a.session.accept(describing(9, `a=rtcp:${socket.address().port}`));
    clock.advance(5040);
    await until(() => reports.length === 1);
    clock.advance(5000);
    await until(() => reports.length === 2);
    a.session.close();
    await until(() => reports.length === 3);
    for (const report of reports) expect(parseReport(report, 0)?.sentAt).toBeTypeOf('number');
    expect(reports.map((report) => report.includes(Buffer.from('81cb0001', 'hex')))).toEqual([
      false,
      false,
      true,
    ]);
  });
});

describe('ports', () => {
  it('are an even one of the range and the next; without a free pair there is no session', async () => {
    const a = await open();
    const first = portOf(a);
    expect(first % 2).toBe(0);
    const range = { ports: { first, last: first + 1 } };
    await expect(open(range)).rejects.toMatchObject({ name: 'MediaRefused', reason: 'noPort' });
    await expect(open({ ports: { first: first - 1, last: first } })).rejects.toMatchObject({
      reason: 'noPort',
    });
    a.session.close();
    await turn();
    expect(portOf(await open(range))).toBe(first);
  });

  it('are free again after the end, and nothing is left waiting', async () => {
    const { a, b } = await connected();
    const port = portOf(a);
    const played = a.session.play(melody(1000, 400));
    const key = a.session.sendKey('1');
    a.session.close();
    a.session.close();
    expect(await played).toBe(false);
    await key;
    expect(await a.session.play(melody(1000, 400))).toBe(false);
    await a.session.sendKey('1');
    await turn();
    const socket = createSocket('udp4');
    closers.push(() => socket.close());
    await new Promise<void>((resolve) => socket.bind(port, '127.0.0.1', resolve));
    b.session.close();
  });
});
