// The two sockets of a session: which packets are taken from whom, and where ours go (symmetric RTP, RFC 4961).
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { isIP } from 'node:net';
import { translatable } from '../../common/translatable-text.ts';
import { isPublicAddress, parseAddress } from '../../delivery/address-range.ts';
import { type MediaOptions, MediaRefused } from './media-session.ts';
import type { RemoteMedia } from './negotiation.ts';
import { parseRtp, type RtpPacket } from './rtp/rtp.ts';
import { SrtpReceiver, SrtpSender } from './rtp/srtp.ts';

/** Milliseconds without a packet after which another port, or another accepted address, may take over. */
const relearnAfterMs = 1000;
/** Datagrams handled between two packets of ours; a flood must not delay other calls. */
const maxPerTick = 64;
/** Attempts to get two adjacent ports from the system. */
const maxAttempts = 50;

export interface TransportListener {
  rtp(packet: RtpPacket): void;
  rtcp(datagram: Buffer): void;
}

interface Source {
  address: string;
  port: number;
  heardAt: number;
}

type TransportOptions = Pick<MediaOptions, 'bindAddress' | 'ports' | 'acceptsFrom'> & {
  randomBytes(size: number): Buffer;
  now(): number;
  /** Our master key and salt. */
  key: Buffer;
};

export class PacketTransport {
  sent = 0;
  received = 0;
  ignored = 0;
  failed = 0;
  readonly port: number;
  private readonly rtp: Socket;
  private readonly rtcp: Socket;
  private readonly options: TransportOptions;
  private readonly listener: TransportListener;
  private remote: RemoteMedia | undefined;
  private readonly sources: { rtp?: Source; rtcp?: Source } = {};
  /** The announced address is not public, so that packets may come from another one. */
  private isBehindTranslation = false;
  private encryption: { sender: SrtpSender; receiver: SrtpReceiver } | undefined;
  private handled = 0;
  private isClosed = false;

  private constructor([rtp, rtcp]: [Socket, Socket], options: TransportOptions, listener: TransportListener) {
    this.rtp = rtp;
    this.rtcp = rtcp;
    this.port = rtp.address().port;
    this.options = options;
    this.listener = listener;
    rtp.on('message', (datagram, from) => this.handleRtp(datagram, from));
    rtcp.on('message', (datagram, from) => this.handleRtcp(datagram, from));
  }

  static async open(options: TransportOptions, listener: TransportListener): Promise<PacketTransport> {
    return new PacketTransport(await openSockets(options), options, listener);
  }

  /** Applies a description of the other party. */
  setRemote(remote: RemoteMedia): void {
    const before = this.remote;
    this.remote = remote;
    if (before?.address !== remote.address || before?.port !== remote.port) {
      this.sources.rtp = undefined;
      this.sources.rtcp = undefined;
      const announced = remote.address === null ? null : parseAddress(remote.address);
      this.isBehindTranslation = announced !== null && !isPublicAddress(announced);
    }
    if (!remote.crypto) this.encryption = undefined;
    else if (!this.encryption || !before?.crypto?.key.equals(remote.crypto.key))
      this.encryption = {
        // Our key stays the same, and so does the count of our packets.
        sender: this.encryption?.sender ?? new SrtpSender(this.options.key),
        receiver: new SrtpReceiver(remote.crypto.key),
      };
  }

  /** Begins the time of the next packet. */
  startTick(): void {
    this.handled = 0;
  }

  sendRtp(packet: Buffer): void {
    const to = this.sources.rtp ?? this.remote;
    this.sendTo(this.rtp, this.encryption?.sender.protect(packet) ?? packet, to);
    this.sent++;
  }

  /** Calls back when the datagram has left, also when it could not. */
  sendRtcp(packet: Buffer, done: () => void = () => undefined): void {
    const { remote } = this;
    const to = this.sources.rtcp ?? (remote && { address: remote.address, port: remote.reportPort });
    this.sendTo(this.rtcp, this.encryption?.sender.protectRtcp(packet) ?? packet, to, done);
  }

  /** Closes the sockets after a last report. */
  close(goodbye: Buffer | null): void {
    if (this.isClosed) return;
    if (goodbye) this.sendRtcp(goodbye, () => this.rtcp.close());
    else this.rtcp.close();
    this.isClosed = true;
    this.rtp.close();
  }

  private sendTo(
    socket: Socket,
    datagram: Buffer,
    to: { address: string | null; port: number } | undefined,
    done?: () => void,
  ): void {
    // A party on hold has no address.
    if (this.isClosed || !this.remote?.address || !to?.address || !to.port || to.port > 65_535) {
      done?.();
      return;
    }
    socket.send(datagram, to.port, to.address, (error) => {
      if (error) this.failed++;
      done?.();
    });
  }

  private handleRtp(datagram: Buffer, from: RemoteInfo): void {
    const packet = this.isExpected('rtp', from)
      ? parseRtp((this.encryption ? this.encryption.receiver.unprotect(datagram) : datagram) ?? noBytes)
      : null;
    if (!packet) {
      this.ignored++;
      return;
    }
    this.received++;
    this.sources.rtp = { address: from.address, port: from.port, heardAt: this.options.now() };
    this.listener.rtp(packet);
  }

  private handleRtcp(datagram: Buffer, from: RemoteInfo): void {
    if (!this.isExpected('rtcp', from)) return;
    const plain = this.encryption ? this.encryption.receiver.unprotectRtcp(datagram) : datagram;
    if (!plain) return;
    this.sources.rtcp = { address: from.address, port: from.port, heardAt: this.options.now() };
    this.listener.rtcp(plain);
  }

  private isExpected(kind: 'rtp' | 'rtcp', from: RemoteInfo): boolean {
    const { remote, options } = this;
    if (this.isClosed || ++this.handled > maxPerTick || !remote?.address) return false;
    const isAnnounced = from.address === remote.address;
    if (!isAnnounced && !(this.isBehindTranslation && options.acceptsFrom?.(from.address))) return false;
    const source = this.sources[kind];
    const port = kind === 'rtp' ? remote.port : remote.reportPort;
    return (
      !source ||
      (from.address === source.address && from.port === source.port) ||
      (isAnnounced && from.port === port) ||
      options.now() - source.heardAt > relearnAfterMs
    );
  }
}

const noBytes = Buffer.alloc(0);

/** An even port and the next one. */
async function openSockets(options: TransportOptions): Promise<[Socket, Socket]> {
  for (const port of candidates(options)) {
    const rtp = await bind(options.bindAddress, port);
    if (!rtp) continue;
    const own = rtp.address().port;
    try {
      const rtcp = own % 2 === 0 ? await bind(options.bindAddress, own + 1) : null;
      if (rtcp) return [rtp, rtcp];
    } catch (error) {
      rtp.close();
      throw error;
    }
    rtp.close();
  }
  throw new MediaRefused('noPort', translatable('pigeon.detail.media.no-port'));
}

function candidates({ ports, randomBytes }: TransportOptions): number[] {
  if (!ports) return new Array<number>(maxAttempts).fill(0);
  const first = ports.first + (ports.first % 2);
  const pairs = Math.max(0, Math.floor((ports.last - first + 1) / 2));
  // Begins anywhere, so that a port is not reused soon: late packets of its last call may still come.
  const start = pairs > 0 ? randomBytes(4).readUInt32BE() % pairs : 0;
  return Array.from({ length: pairs }, (_, index) => first + 2 * ((start + index) % pairs));
}

/** Null when the port is in use. */
function bind(address: string, port: number): Promise<Socket | null> {
  const family = isIP(address) === 6 ? 6 : 4;
  const socket = createSocket({
    type: `udp${family}`,
    ipv6Only: family === 6,
    // Addresses are numeric: packets leave at once instead of after a look at the resolver.
    lookup: (name, _options, callback) => callback(null, name, family),
  });
  return new Promise((resolve, reject) => {
    socket.once('error', (error: NodeJS.ErrnoException) => {
      socket.close();
      if (error.code === 'EADDRINUSE') resolve(null);
      else reject(error);
    });
    socket.bind(port, address, () => {
      socket.removeAllListeners('error');
      // Errors of sending come with their packet; others, such as a port that is not reachable, concern one datagram.
      socket.on('error', () => undefined);
      resolve(socket);
    });
  });
}
