// Keys as events and as tones: received, told apart from speech, and counted once.
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { pcma, pcmu } from '../g711.ts';
import { frameLength } from '../playout.ts';
import type { RtpPacket } from '../rtp/rtp.ts';
import { columnFrequencies, keyGrid, keyTone, peakOf, rowFrequencies, sines } from '../tones.ts';
import { EventKeys, writeEvent } from './event-keys.ts';
import { KeyPresses } from './key-presses.ts';
import { KeySender } from './key-sender.ts';
import { ToneKeys } from './tone-keys.ts';

const keys = keyGrid.join('');

/** Pseudo-random numbers from -1 to 1, always the same ones. */
function noiseSource(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 0x8000_0000 - 1;
  };
}

describe('telephone events', () => {
  function heard(
    ...packets: { key: string; timestamp: number; end?: boolean; duration?: number; ssrc?: number }[]
  ) {
    const log: string[] = [];
    const receiver = new EventKeys({
      began: (key) => log.push(key),
      continues: () => log.push('.'),
    });
    for (const { key, timestamp, end = false, duration = 160, ssrc = 1 } of packets)
      receiver.take({ timestamp, ssrc, payload: writeEvent({ key, isEnd: end, duration }) } as RtpPacket);
    return log.join('');
  }

  it('is one press for all packets with the same timestamp', () => {
    const start = { key: '5', timestamp: 800 };
    const end = { ...start, end: true };
    expect(heard(start, start, end, end, end)).toBe('5....');
  });

  it('is a press even if only one of its packets arrives, the last or the first', () => {
    expect(heard({ key: '5', timestamp: 800, end: true }, { key: '5', timestamp: 4000, end: true })).toBe(
      '55',
    );
    expect(
      heard({ key: '5', timestamp: 800 }, { key: '5', timestamp: 4000 }, { key: '#', timestamp: 6000 }),
    ).toBe('55#');
  });

  it('ignores late packets of an earlier press, also over the end of the timestamps', () => {
    expect(
      heard(
        { key: '1', timestamp: 0xffff_ff00 },
        { key: '2', timestamp: 900 },
        { key: '1', timestamp: 0xffff_ff00 },
      ),
    ).toBe('12');
  });

  it('goes on after the longest duration with a new timestamp', () => {
    const long = { key: '7', timestamp: 100, duration: 0xffff };
    expect(heard(long, { key: '7', timestamp: 100 + 0xffff }, { key: '7', timestamp: 300_000 })).toBe('7.7');
  });

  it('starts again with another source and after a large step back', () => {
    expect(heard({ key: '1', timestamp: 9000 }, { key: '1', timestamp: 10, ssrc: 2 })).toBe('11');
    expect(heard({ key: '1', timestamp: 900_000 }, { key: '1', timestamp: 10 })).toBe('11');
  });

  it('is no key for other events, and for cut payloads', () => {
    const receiver = new EventKeys({
      began: () => expect.unreachable(),
      continues: () => expect.unreachable(),
    });
    for (const hex of ['', '0500', '108a00a0', 'ff8a00a0'])
      receiver.take({ timestamp: 1, ssrc: 1, payload: Buffer.from(hex, 'hex') } as RtpPacket);
  });
});

describe('tones', () => {
  function heard(samples: Int16Array, codec = pcmu): string {
    let found = '';
    const tones = new ToneKeys({
      began: (key) => {
        found += key;
      },
      continues: () => undefined,
    });
    const received = codec.decode(codec.encode(samples));
    for (let at = 0; at < received.length; at += frameLength)
      tones.push(received.subarray(at, at + frameLength));
    return found;
  }

  /** Silence, then each part, then silence. */
  function sequence(...parts: Int16Array[]): Int16Array {
    return Int16Array.from([new Int16Array(211), ...parts, new Int16Array(400)].flatMap((part) => [...part]));
  }

  const levels = [-6, -18, -30];
  const twists = [-6, 0, 6];
  const deviations = [0.985, 1, 1.015];

  it.each(levels)(
    'are found from 45 ms at %d dBm0 with twist and deviation, wherever they begin',
    (level) => {
      const missed: string[] = [];
      for (const [index, key] of [...keys].entries())
        for (const twist of twists)
          for (const deviation of deviations) {
            const tone = sines(
              [
                { frequency: rowFrequencies[index >> 2]! * deviation, dBm0: level + Math.min(0, twist) },
                { frequency: columnFrequencies[index & 3]! * deviation, dBm0: level - Math.max(0, twist) },
              ],
              45,
            );
            const offset = new Int16Array((index * 7 + twist) & 63);
            if (heard(sequence(offset, tone)) !== key) missed.push(`${key} ${twist} ${deviation}`);
          }
      expect(missed).toEqual([]);
    },
  );

  it('are one press however long, and two with a pause of 40 ms', () => {
    const pause = new Int16Array(320);
    expect(heard(sequence(keyTone('5', 3000)))).toBe('5');
    expect(heard(sequence(...[...'112233##'].flatMap((key) => [keyTone(key, 50), pause])), pcma)).toBe(
      '112233##',
    );
  });

  it('are found in noise 15 dB below', () => {
    const noise = noiseSource();
    const noisy = [...keys].flatMap((key) => [
      keyTone(key, 60, -12).map((sample) => sample + noise() * Math.sqrt(3) * peakOf(-24)),
      new Int16Array(480),
    ]);
    expect(heard(sequence(...noisy))).toBe(keys);
  });

  it('are not found below 25 ms, of one frequency alone, with too much twist, or 4 % beside', () => {
    for (const key of keys) expect(heard(sequence(keyTone(key, 24)))).toBe('');
    expect(heard(sequence(sines([{ frequency: 770, dBm0: -6 }], 500)))).toBe('');
    const pair = (low: number, high: number, detune = 1) =>
      sines(
        [
          { frequency: 770 * detune, dBm0: low },
          { frequency: 1336 * detune, dBm0: high },
        ],
        500,
      );
    expect(heard(sequence(pair(-6, -6)))).toBe('5');
    expect(heard(sequence(pair(-6, -18)))).toBe('');
    expect(heard(sequence(pair(-6, -6, 1.04)))).toBe('');
    expect(heard(sequence(pair(-45, -45)))).toBe('');
  });

  it('are the same press after a lost packet, and another one after a pause', () => {
    let found = '';
    const tones = new ToneKeys({
      began: (key) => {
        found += key;
      },
      continues: () => undefined,
    });
    tones.push(keyTone('8', 100));
    tones.interrupt(true);
    tones.push(keyTone('8', 100));
    expect(found).toBe('8');
    tones.interrupt(false);
    tones.push(keyTone('8', 100));
    expect(found).toBe('88');
  });

  it('are not found in noise', () => {
    const noise = noiseSource();
    for (const level of [300, 3000, 30_000])
      expect(heard(Int16Array.from({ length: 80_000 }, () => noise() * level))).toBe('');
  });

  it('are not found in speech', ({ skip }) => {
    const text =
      'Press one to confirm, press two to forward the alert, press nine to hear it again. The database has been ' +
      'slow since three forty two; the disk is ninety eight percent full. We do need to move the queue, you know. ' +
      'Web zero one in Tokyo does not answer. Call zero three, one two three four, five six seven eight. Thank you.';
    for (const voice of ['en-us', 'en-us+f3']) {
      const { status, stdout } = spawnSync('espeak-ng', ['-v', voice, '--stdin', '--stdout'], {
        input: text,
      });
      if (status !== 0) {
        const reason = 'espeak-ng is not installed: no speech to test the detection of tones with';
        if (process.env.CI === 'true') throw new Error(reason);
        skip(reason);
      }
      const speech = atTelephoneRate(stdout);
      expect(speech.length).toBeGreaterThan(10 * 8000);
      expect(heard(speech)).toBe('');
    }
  });

  /** Samples of a 16-bit mono WAV file, simply picked at 8000 Hz: what is aliased is one more trial. */
  function atTelephoneRate(wav: Buffer): Int16Array {
    const step = wav.readUInt32LE(24) / 8000;
    const count = Math.floor((wav.length - 44) / 2 / step);
    return Int16Array.from({ length: count }, (_, at) => wav.readInt16LE(44 + 2 * Math.floor(at * step)));
  }
});

describe('presses', () => {
  function presses() {
    const clock = { time: 0 };
    const reported: string[] = [];
    const subject = new KeyPresses(
      () => clock.time,
      (key, source) => reported.push(`${key} ${source}`),
    );
    return { clock, reported, subject };
  }

  it('are reported once when they come as tone and as event, in either order', () => {
    const { clock, reported, subject } = presses();
    for (const [first, second] of [
      ['tone', 'rtpEvent'],
      ['rtpEvent', 'tone'],
    ] as const) {
      subject.began('4', first);
      clock.time += 60;
      subject.began('4', second);
      clock.time += 1000;
    }
    expect(reported).toEqual(['4 tone', '4 rtpEvent']);
  });

  it('are the same as long as they last', () => {
    const { clock, reported, subject } = presses();
    subject.began('4', 'rtpEvent');
    for (let elapsed = 0; elapsed < 2000; elapsed += 20) {
      clock.time += 20;
      subject.continues('4');
    }
    subject.began('4', 'tone');
    clock.time += 251;
    subject.began('4', 'rtpEvent');
    expect(reported).toEqual(['4 rtpEvent', '4 rtpEvent']);
  });

  it('are two when the same source reports two, and when keys differ', () => {
    const { reported, subject } = presses();
    subject.began('4', 'rtpEvent');
    subject.began('4', 'tone');
    subject.began('4', 'rtpEvent');
    subject.began('4', 'tone');
    subject.began('5', 'tone');
    expect(reported).toEqual(['4 rtpEvent', '4 rtpEvent', '5 tone']);
  });

  it('are at most 20 a second', () => {
    const { clock, reported, subject } = presses();
    for (let count = 0; count < 1000; count++) subject.began('1', 'rtpEvent');
    expect(reported).toHaveLength(20);
    clock.time += 1000;
    subject.began('2', 'rtpEvent');
    expect(reported.at(-1)).toBe('2 rtpEvent');
  });
});

describe('sending keys', () => {
  it('sends a press of 100 ms, its end three times, and a pause', async () => {
    const sender = new KeySender();
    const frame = new Int16Array(frameLength);
    const sent = sender.send('#');
    const steps = Array.from({ length: 12 }, (_, tick) => sender.next(1000 + tick * 160, true, frame));
    const events = steps.flatMap((step) => (step && step !== 'frame' ? [step] : []));
    expect(events.map(({ payload }) => payload.toString('hex'))).toEqual([
      '0b0a00a0',
      '0b0a0140',
      '0b0a01e0',
      '0b0a0280',
      '0b0a0320',
      '0b8a0320',
      '0b8a0320',
      '0b8a0320',
    ]);
    expect(new Set(events.map(({ timestamp }) => timestamp))).toEqual(new Set([1000]));
    expect(events.map(({ marker }) => marker)).toEqual([true, ...new Array(7).fill(false)]);
    expect(steps.slice(8)).toEqual(['frame', 'frame', 'frame', null]);
    await sent;
  });

  it('refuses what is no key', async () => {
    for (const key of ['', '10', 'x', 'e'])
      await expect(new KeySender().send(key)).rejects.toThrow('a key is one of 0-9, *, #, A-D');
  });
});
