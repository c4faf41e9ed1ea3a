// The audio of one call: paces what is sent, and turns what is received into audio and keys.
import { randomBytes as systemRandomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { EventKeys } from './keys/event-keys.ts';
import { KeyPresses } from './keys/key-presses.ts';
import { KeySender } from './keys/key-sender.ts';
import { ToneKeys } from './keys/tone-keys.ts';
import type {
  CreateMediaSession,
  MediaEvents,
  MediaOptions,
  MediaSession,
  MediaStatistics,
} from './media-session.ts';
import {
  answerOffer,
  type LocalMedia,
  offeredCryptoTag,
  type RemoteMedia,
  readAnswer,
  writeOffer,
} from './negotiation.ts';
import { type PacketScheduler, packetMs, sharedScheduler } from './packet-scheduler.ts';
import { PacketTransport, type TransportListener } from './packet-transport.ts';
import { frameLength, Playout } from './playout.ts';
import { Reception } from './rtp/reception.ts';
import { parseReport, writeReport } from './rtp/rtcp.ts';
import { type RtpPacket, writeRtp } from './rtp/rtp.ts';
import { masterKeyLength } from './rtp/srtp.ts';

const reportTicks = 5000 / packetMs;
/** Samples without audio after which what follows is another tone. */
const pauseLength = 3 * frameLength;

export const createMediaSession: CreateMediaSession = async (options) => {
  const randomBytes = options.randomBytes ?? systemRandomBytes;
  const scheduler = options.scheduler ?? sharedScheduler;
  const key = randomBytes(masterKeyLength);
  const listener: TransportListener = {
    rtp: (packet) => session.receive(packet),
    rtcp: (datagram) => session.receiveReport(datagram),
  };
  const transport = await PacketTransport.open(
    { ...options, randomBytes, now: () => scheduler.now(), key },
    listener,
  );
  const local: LocalMedia = {
    address: options.publicAddress ?? options.bindAddress,
    port: transport.port,
    family: isIP(options.bindAddress) === 6 ? 6 : 4,
    security: options.security,
    crypto: { tag: offeredCryptoTag, key },
    sessionId: String(randomBytes(4).readUInt32BE()),
  };
  const session = new RtpMediaSession(local, transport, scheduler, options.events, randomBytes);
  return session;
};

class RtpMediaSession implements MediaSession {
  private readonly local: LocalMedia;
  private readonly transport: PacketTransport;
  private readonly scheduler: PacketScheduler;
  private readonly events: MediaEvents;
  private listener: Partial<MediaEvents> | null = null;
  private remote: RemoteMedia | undefined;
  private version = 0;
  private lastDescription = '';

  private readonly ssrc: number;
  private readonly name: string;
  private readonly firstTimestamp: number;
  private sequence: number;
  private timestamp = 0;
  private octets = 0;
  /** Tick of the last packet; the first one follows none. */
  private lastTick = -1;
  private reportTick = 0;
  private worstLatenessMs = 0;
  private readonly frame = new Int16Array(frameLength);
  private readonly playout = new Playout();
  private readonly keySender = new KeySender();
  private readonly removeSender: () => void;
  private isClosed = false;

  private readonly presses: KeyPresses;
  private readonly eventKeys: EventKeys;
  private readonly toneKeys: ToneKeys;
  private readonly reception: Reception;
  private lostByPeer = 0;
  private readonly receivedFrame = new Int16Array(frameLength);
  private receivedLength = 0;
  private expectedTimestamp: number | undefined;
  /** The last audio received, to be repeated once in the place of a lost packet. */
  private lastSamples: Int16Array = new Int16Array(0);

  constructor(
    local: LocalMedia,
    transport: PacketTransport,
    scheduler: PacketScheduler,
    events: MediaEvents,
    randomBytes: NonNullable<MediaOptions['randomBytes']>,
  ) {
    this.local = local;
    this.transport = transport;
    this.scheduler = scheduler;
    this.events = events;
    const random = randomBytes(18);
    this.ssrc = random.readUInt32BE(0);
    this.firstTimestamp = random.readUInt32BE(4);
    // In the lower half, so that a receiver of encrypted packets cannot mistake the first round (RFC 3711, 3.3.1).
    this.sequence = random.readUInt16BE(8) & 0x7fff;
    this.name = random.subarray(10).toString('hex');
    this.presses = new KeyPresses(
      () => scheduler.now(),
      (key, source) => {
        this.events.key(key, source);
        this.listener?.key?.(key, source);
      },
    );
    this.eventKeys = new EventKeys({
      began: (key) => this.presses.began(key, 'rtpEvent'),
      continues: (key) => this.presses.continues(key),
    });
    this.toneKeys = new ToneKeys({
      began: (key) => this.presses.began(key, 'tone'),
      continues: (key) => this.presses.continues(key),
    });
    this.reception = new Reception((packet) => this.deliver(packet));
    this.removeSender = scheduler.add((tick, dueAt) => this.sendTick(tick, dueAt));
  }

  get isEncrypted(): boolean {
    return Boolean(this.remote?.crypto);
  }

  offer(publicAddress = this.local.address): string {
    this.local.address = publicAddress;
    return this.describe((version) => writeOffer(this.local, version));
  }

  accept(remoteSdp: string): void {
    this.applyRemote(readAnswer(remoteSdp, this.local));
  }

  answer(remoteSdp: string): string {
    const { remote, write } = answerOffer(remoteSdp, this.local);
    this.applyRemote(remote);
    return this.describe(write);
  }

  play(samples: Int16Array): Promise<boolean> {
    return this.isClosed ? Promise.resolve(false) : this.playout.play(samples);
  }

  stopPlaying(): void {
    this.playout.stop();
  }

  send(samples: Int16Array): void {
    this.playout.join(samples);
  }

  playRingingTone(): void {
    this.playout.playRingingTone();
  }

  sendKey(key: string): Promise<void> {
    return this.isClosed ? Promise.resolve() : this.keySender.send(key);
  }

  listen(listener: Partial<MediaEvents> | null): void {
    this.listener = listener;
  }

  statistics(): MediaStatistics {
    const { sent, received, ignored, failed } = this.transport;
    return {
      sent,
      received,
      lost: this.reception.lost,
      ignored,
      failed,
      jitterMs: this.reception.jitterMs,
      lostByPeer: this.lostByPeer,
      worstLatenessMs: this.worstLatenessMs,
    };
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.removeSender();
    this.playout.stop();
    this.keySender.close();
    this.transport.close(this.remote ? this.report(true) : null);
  }

  receive(packet: RtpPacket): void {
    const { remote } = this;
    if (!remote || this.isClosed) return;
    const isAudio = remote.codecsByType.has(packet.payloadType);
    if (!isAudio && remote.eventTypes.has(packet.payloadType)) this.eventKeys.take(packet);
    this.reception.take(packet, this.scheduler.now(), isAudio);
  }

  receiveReport(datagram: Buffer): void {
    const report = parseReport(datagram, this.ssrc);
    if (report?.sentAt) this.reception.heardOf(report.sentAt, this.scheduler.now());
    if (report?.lostOfOurs) this.lostByPeer = report.lostOfOurs;
  }

  /** A description with a version that rises with each change. */
  private describe(write: (version: number) => string): string {
    const description = write(0);
    if (description !== this.lastDescription) this.version++;
    this.lastDescription = description;
    return write(this.version);
  }

  private applyRemote(remote: RemoteMedia): void {
    this.remote = remote;
    this.transport.setRemote(remote);
  }

  private sendTick(tick: number, dueAt: number): void {
    this.transport.startTick();
    const { remote } = this;
    this.timestamp = (this.firstTimestamp + tick * frameLength) >>> 0;
    if (!remote?.address) return;
    if (remote.direction === 'sendrecv' || remote.direction === 'recvonly') {
      this.sendPacket(remote, tick);
      this.worstLatenessMs = Math.max(this.worstLatenessMs, this.scheduler.now() - dueAt);
    }
    if (this.reportTick === 0) this.reportTick = tick + reportTicks;
    if (tick < this.reportTick) return;
    this.reportTick = tick + reportTicks;
    this.transport.sendRtcp(this.report(false));
  }

  private sendPacket(remote: RemoteMedia, tick: number): void {
    const event = this.keySender.next(this.timestamp, remote.eventType !== null, this.frame);
    if (event === null) this.playout.next(this.frame);
    const isEvent = event !== null && event !== 'frame';
    const payload = isEvent ? event.payload : remote.codec.encode(this.frame);
    const packet = writeRtp({
      payloadType: isEvent ? remote.eventType! : remote.payloadType,
      marker: isEvent ? event.marker : tick !== this.lastTick + 1,
      sequence: this.sequence,
      timestamp: isEvent ? event.timestamp : this.timestamp,
      ssrc: this.ssrc,
      payload,
    });
    this.lastTick = tick;
    this.sequence = (this.sequence + 1) & 0xffff;
    this.octets += payload.length;
    this.transport.sendRtp(packet);
  }

  private report(leaves: boolean): Buffer {
    const now = this.scheduler.now();
    return writeReport({
      ssrc: this.ssrc,
      name: this.name,
      time: now,
      timestamp: this.timestamp,
      packets: this.transport.sent,
      octets: this.octets,
      reception: this.reception.report(now),
      leaves,
    });
  }

  /** Takes the next packet in order; null for a lost one. */
  private deliver(packet: RtpPacket | null): void {
    if (!packet) {
      this.hear(this.lastSamples);
      this.lastSamples = new Int16Array(this.lastSamples.length);
      return;
    }
    const codec = this.remote?.codecsByType.get(packet.payloadType);
    if (!codec) return;
    const samples = codec.decode(packet.payload);
    const missing =
      this.expectedTimestamp === undefined ? 0 : (packet.timestamp - this.expectedTimestamp) | 0;
    if (missing !== 0) this.toneKeys.interrupt(missing > 0 && missing < pauseLength);
    this.expectedTimestamp = packet.timestamp + samples.length;
    this.lastSamples = samples;
    this.toneKeys.push(samples);
    this.hear(samples);
  }

  private hear(samples: Int16Array): void {
    for (let at = 0; at < samples.length; ) {
      const count = Math.min(frameLength - this.receivedLength, samples.length - at);
      this.receivedFrame.set(samples.subarray(at, at + count), this.receivedLength);
      this.receivedLength += count;
      at += count;
      if (this.receivedLength < frameLength) break;
      this.receivedLength = 0;
      this.events.audio?.(this.receivedFrame);
      this.listener?.audio?.(this.receivedFrame);
    }
  }
}
