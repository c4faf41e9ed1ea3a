// The two sockets of a session: which packets are taken from whom, and where ours go (symmetric RTP, RFC 4961).
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { isIP } from 'node:net';
import { type MediaOptions, MediaRefused } from './media-session.ts';
import type { RemoteMedia } from './negotiation.ts';
import { parseRtp, type RtpPacket } from './rtp/rtp.ts';
import { SrtpReceiver, SrtpSender } from './rtp/srtp.ts';

/** Milliseconds without a packet after which another port of the same address may take over. */
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
  port: number;
  heardAt: number;
}

type TransportOptions = Pick<MediaOptions, 'bindAddress' | 'ports'> & {
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
    const port = this.sources.rtp?.port ?? this.remote?.port;
    this.sendTo(this.rtp, this.encryption?.sender.protect(packet) ?? packet, port);
    this.sent++;
  }

  /** Calls back when the datagram has left, also when it could not. */
  sendRtcp(packet: Buffer, done: () => void = () => undefined): void {
    const port = this.sources.rtcp?.port ?? this.remote?.reportPort;
    this.sendTo(this.rtcp, this.encryption?.sender.protectRtcp(packet) ?? packet, port, done);
  }

  /** Closes the sockets after a last report. */
  close(goodbye: Buffer | null): void {
    if (this.isClosed) return;
    if (goodbye) this.sendRtcp(goodbye, () => this.rtcp.close());
    else this.rtcp.close();
    this.isClosed = true;
    this.rtp.close();
  }

  private sendTo(socket: Socket, datagram: Buffer, port: number | undefined, done?: () => void): void {
    const address = this.remote?.address;
    if (this.isClosed || !address || !port || port > 65_535) {
      done?.();
      return;
    }
    socket.send(datagram, port, address, (error) => {
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
    this.sources.rtp = { port: from.port, heardAt: this.options.now() };
    this.listener.rtp(packet);
  }

  private handleRtcp(datagram: Buffer, from: RemoteInfo): void {
    if (!this.isExpected('rtcp', from)) return;
    const plain = this.encryption ? this.encryption.receiver.unprotectRtcp(datagram) : datagram;
    if (!plain) return;
    this.sources.rtcp = { port: from.port, heardAt: this.options.now() };
    this.listener.rtcp(plain);
  }

  private isExpected(kind: 'rtp' | 'rtcp', from: RemoteInfo): boolean {
    if (this.isClosed || ++this.handled > maxPerTick || from.address !== this.remote?.address) return false;
    const source = this.sources[kind];
    const announced = kind === 'rtp' ? this.remote.port : this.remote.reportPort;
    return (
      !source ||
      from.port === source.port ||
      from.port === announced ||
      this.options.now() - source.heardAt > relearnAfterMs
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
  throw new MediaRefused('noPort', 'no two adjacent UDP ports are free for the audio of another call');
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
