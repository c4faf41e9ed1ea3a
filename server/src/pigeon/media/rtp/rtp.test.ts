// Packets, reports, and the order and statistics of what is received.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Reception } from './reception.ts';
import { parseReport, type SenderReport, writeReport } from './rtcp.ts';
import { parseRtp, type RtpPacket, writeRtp } from './rtp.ts';
import { SrtpReceiver } from './srtp.ts';

function packet(sequence: number, more: Partial<RtpPacket> = {}): RtpPacket {
  const timestamp = (sequence * 160) >>> 0;
  return { payloadType: 0, marker: false, sequence, timestamp, ssrc: 1, payload: Buffer.of(1, 2), ...more };
}

describe('RTP', () => {
  it('reads what it writes', () => {
    const sent = packet(65_535, {
      marker: true,
      payloadType: 101,
      ssrc: 0xffff_fffe,
      timestamp: 0xffff_ff00,
    });
    expect(parseRtp(writeRtp(sent))).toEqual(sent);
  });

  it('leaves out contributing sources, extension and padding', () => {
    const plain = writeRtp(packet(1));
    const full = Buffer.concat([
      plain.subarray(0, 12),
      Buffer.alloc(8, 7),
      Buffer.from('bede0001aabbccdd', 'hex'),
      plain.subarray(12),
      Buffer.of(0, 0, 3),
    ]);
    full[0] = 0x80 | 0x20 | 0x10 | 2;
    expect(parseRtp(full)?.payload).toEqual(Buffer.of(1, 2));
  });

  it.each([
    ['an empty datagram', ''],
    ['a cut header', '8000000100000001000000'],
    ['another version', '400000010000000100000001aa'],
    ['RTCP', '80c8000600000001000000010000000100000001'],
    ['more contributing sources than bytes', '8f0000010000000100000001aa'],
    ['a cut extension', '900000010000000100000001bede'],
    ['an extension longer than the datagram', '900000010000000100000001bedeffff'],
    ['padding of nothing', 'a00000010000000100000001aa00'],
    ['padding longer than the payload', 'a00000010000000100000001aa09'],
  ])('is not %s', (_, hex) => {
    expect(parseRtp(Buffer.from(hex, 'hex'))).toBeNull();
  });

  it('throws for no bytes at all, in no parser', () => {
    const receiver = new SrtpReceiver(Buffer.alloc(30, 1));
    const start = fc.constantFrom('80', '90', 'a0', 'bf', '8f', '80c8', '81c9', '9fc80006', '');
    fc.assert(
      fc.property(start, fc.uint8Array({ maxLength: 200 }), (head, tail) => {
        const bytes = Buffer.concat([Buffer.from(head, 'hex'), tail]);
        parseRtp(bytes);
        parseReport(bytes, 1);
        expect(receiver.unprotect(bytes)).toBeNull();
        expect(receiver.unprotectRtcp(bytes)).toBeNull();
      }),
      { numRuns: 2000 },
    );
  });
});

describe('RTCP', () => {
  const report: SenderReport = {
    ssrc: 5,
    name: 'c0ffee',
    time: Date.parse('2026-01-01T00:00:00.500Z'),
    timestamp: 1234,
    packets: 10,
    octets: 1600,
    reception: {
      ssrc: 9,
      fractionLost: 12,
      lost: 34,
      highestSequence: 70_000,
      jitter: 5,
      lastReport: 0x1234_5678,
      sinceLastReport: 65_536,
    },
    leaves: true,
  };

  it('reads of its own reports what concerns the reader', () => {
    // 2026-01-01 is 3976214400 seconds after 1900: the middle of the time is its lower half and the fraction.
    expect(parseReport(writeReport(report), 9)).toEqual({
      sentAt: (((3_976_214_400 & 0xffff) << 16) | 0x8000) >>> 0,
      lostOfOurs: 34,
    });
    expect(parseReport(writeReport(report), 8)?.lostOfOurs).toBeNull();
  });

  it('is made of whole packets: report, description, goodbye', () => {
    const bytes = writeReport(report);
    const types: number[] = [];
    for (let at = 0; at < bytes.length; at += 4 + 4 * bytes.readUInt16BE(at + 2)) types.push(bytes[at + 1]!);
    expect(types).toEqual([200, 202, 203]);
    expect(parseReport(bytes.subarray(0, -1), 9)).toBeNull();
    expect(parseReport(writeReport({ ...report, reception: null, leaves: false }), 9)?.lostOfOurs).toBeNull();
  });
});

describe('reception', () => {
  function receive(packets: readonly RtpPacket[]) {
    const delivered: (number | null)[] = [];
    const reception = new Reception((one) => delivered.push(one ? one.sequence : null));
    for (const one of packets) reception.take(one, 0, true);
    return { delivered, reception };
  }
  const ofSequences = (...sequences: number[]) => receive(sequences.map((sequence) => packet(sequence)));

  it('puts packets into order and delivers each once', () => {
    expect(ofSequences(5, 7, 6, 6, 8, 11, 10, 9, 5).delivered).toEqual([5, 6, 7, 8, 9, 10, 11]);
  });

  it('counts a packet as lost when three later ones wait, and leaves it out when it comes at last', () => {
    const { delivered, reception } = ofSequences(1, 2, 4, 5, 6, 7, 3, 8);
    expect(delivered).toEqual([1, 2, null, 4, 5, 6, 7, 8]);
    expect(reception.lost).toBe(1);
    expect(reception.received).toBe(7);
  });

  it('goes on over the end of the numbers', () => {
    expect(ofSequences(65_534, 65_535, 1, 0, 2).delivered).toEqual([65_534, 65_535, 0, 1, 2]);
  });

  it('starts again with a new source, and with a jump that the next packet confirms', () => {
    const other = packet(300, { ssrc: 2 });
    expect(receive([packet(1), other, packet(301, { ssrc: 2 })]).delivered).toEqual([1, 300, 301]);
    expect(ofSequences(1, 2, 9000, 3, 4, 20_000, 20_001, 20_002).delivered).toEqual([
      1, 2, 3, 4, 20_001, 20_002,
    ]);
  });

  it('reports loss since the last report, and the jitter of RFC 3550', () => {
    const reception = new Reception(() => undefined);
    for (const sequence of [1, 2, 3, 5, 6, 7, 8]) reception.take(packet(sequence), 0, false);
    expect(reception.report(0)).toMatchObject({ ssrc: 1, lost: 1, fractionLost: 32, highestSequence: 8 });
    expect(reception.report(0)).toMatchObject({ lost: 1, fractionLost: 0 });
    const timed = new Reception(() => undefined);
    // Every second packet comes 4 ms late: 32 timestamps of deviation each time.
    for (let sequence = 1; sequence < 200; sequence++)
      timed.take(packet(sequence), sequence * 20 + (sequence % 2) * 4, true);
    expect(timed.jitterMs).toBeCloseTo(4, 3);
  });

  it('repeats the time of the last report of the sender', () => {
    const reception = new Reception(() => undefined);
    reception.take(packet(1), 0, true);
    reception.heardOf(77, 1000);
    expect(reception.report(3500)).toMatchObject({ lastReport: 77, sinceLastReport: 2.5 * 65_536 });
  });

  it('keeps its order and its counts for any packets', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 40 })),
        fc.integer({ min: 0, max: 65_535 }),
        (steps, start) => {
          const { delivered, reception } = ofSequences(...steps.map((step) => (start + step) & 0xffff));
          const sequences = delivered.filter((one) => one !== null);
          expect(new Set(sequences).size).toBe(sequences.length);
          for (const [index, sequence] of sequences.entries())
            if (index > 0) expect((sequence - sequences[index - 1]!) & 0xffff).toBeLessThan(100);
          expect(reception.received).toBeGreaterThanOrEqual(sequences.length);
        },
      ),
    );
  });
});
