// Brings the received packets of one source into order and counts what is missing (RFC 3550, 6.4.1 and appendix A).
import { sampleRate } from '../media-session.ts';
import type { ReceptionReport } from './rtcp.ts';
import type { RtpPacket } from './rtp.ts';

/** Packets that wait for an earlier one; with one more the earlier one counts as lost. */
const maxWaiting = 3;
/** Numbers by which a packet may be ahead or behind; further ones are a new start if the next packet continues them. */
const maxJump = 100;
/** Lost packets in a row that are reported one by one. */
const maxReportedLost = 10;

export class Reception {
  received = 0;
  lost = 0;
  private readonly deliver: (packet: RtpPacket | null) => void;
  private ssrc: number | undefined;
  /** Sequence number to be delivered next, counted on over its rounds. */
  private next = 0;
  private readonly waiting = new Map<number, RtpPacket>();
  /** Sequence number that would confirm a new start. */
  private restartAt: number | undefined;
  private transit: number | undefined;
  private jitter = 0;
  private lastSent = { sentAt: 0, arrivedAt: 0 };
  private reported = { received: 0, lost: 0 };

  /** @param deliver Called with the packets in order, and with null for each that is lost. */
  constructor(deliver: (packet: RtpPacket | null) => void) {
    this.deliver = deliver;
  }

  get jitterMs(): number {
    return (this.jitter / sampleRate) * 1000;
  }

  /** Takes a packet; its distance to others counts for the jitter if `isTimed`. */
  take(packet: RtpPacket, arrivedAt: number, isTimed: boolean): void {
    if (packet.ssrc !== this.ssrc) this.restart(packet);
    const ahead = ((packet.sequence - this.next) << 16) >> 16;
    if (Math.abs(ahead) > maxJump) {
      if (packet.sequence !== this.restartAt) {
        this.restartAt = (packet.sequence + 1) & 0xffff;
        return;
      }
      this.restart(packet);
    }
    this.restartAt = undefined;
    const index = this.next + (((packet.sequence - this.next) << 16) >> 16);
    if (index < this.next || this.waiting.has(index)) return;
    this.received++;
    if (isTimed) this.measure(packet, arrivedAt);
    this.waiting.set(index, packet);
    if (this.waiting.size > maxWaiting) this.skip();
    this.deliverWaiting();
  }

  /** Remembers the time of a report of the sender, which the next report of ours repeats. */
  heardOf(sentAt: number, arrivedAt: number): void {
    this.lastSent = { sentAt, arrivedAt };
  }

  /** Report about the time since the last one; null when nothing was received yet. */
  report(now: number): ReceptionReport | null {
    if (this.ssrc === undefined) return null;
    const lost = this.lost - this.reported.lost;
    const expected = this.received - this.reported.received + lost;
    this.reported = { received: this.received, lost: this.lost };
    const { sentAt, arrivedAt } = this.lastSent;
    return {
      ssrc: this.ssrc,
      fractionLost: expected > 0 ? Math.min(255, Math.floor((lost * 256) / expected)) : 0,
      lost: this.lost,
      highestSequence: Math.max(0, this.next - 1),
      jitter: Math.round(this.jitter),
      lastReport: sentAt,
      sinceLastReport: sentAt === 0 ? 0 : Math.round(((now - arrivedAt) * 65_536) / 1000),
    };
  }

  private restart(packet: RtpPacket): void {
    this.ssrc = packet.ssrc;
    this.next = packet.sequence;
    this.waiting.clear();
    this.restartAt = undefined;
    this.transit = undefined;
  }

  private measure(packet: RtpPacket, arrivedAt: number): void {
    const transit = ((arrivedAt * sampleRate) / 1000 - packet.timestamp) % 0x1_0000_0000;
    if (this.transit !== undefined) {
      const deviation = Math.abs(transit - this.transit);
      // A jump of the timestamps is no delay.
      if (deviation < sampleRate) this.jitter += (deviation - this.jitter) / 16;
    }
    this.transit = transit;
  }

  private skip(): void {
    const first = Math.min(...this.waiting.keys());
    const missing = first - this.next;
    this.lost += missing;
    for (let count = Math.min(missing, maxReportedLost); count > 0; count--) this.deliver(null);
    this.next = first;
  }

  private deliverWaiting(): void {
    for (let packet = this.waiting.get(this.next); packet; packet = this.waiting.get(this.next)) {
      this.waiting.delete(this.next);
      this.next++;
      this.deliver(packet);
    }
  }
}
