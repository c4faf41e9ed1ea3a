// Sends and receives messages over UDP, TCP and TLS.
import type { Socket } from 'node:net';
import type { Clock } from '../../common/clock.ts';
import { DetailedError } from '../../common/detail.ts';
import type { Log } from '../../common/log.ts';
import { translatable } from '../../common/translatable-text.ts';
import { MalformedMessage, parseMessage, type SipMessage } from './message.ts';
import { type DatagramSocket, type Endpoint, type Listener, type Network, plainAddress } from './network.ts';
import { StreamFramer } from './stream-framer.ts';
import type { SipTransport, UserAgentOptions } from './user-agent.ts';

/** A way to send to one endpoint. */
export interface Flow {
  readonly transport: SipTransport;
  readonly remote: Endpoint;
  /** What the other side is told to send to. */
  readonly contact: Endpoint;
  /** False once a connection was closed; always true with UDP. */
  readonly open: boolean;
  send(bytes: Buffer, onError: (error: Error) => void): void;
  /** Closes a connection; does nothing with UDP. */
  close(): void;
}

export interface TransportEvents {
  /** Whether requests and connections of that address are accepted. */
  isAllowed(address: string): boolean;
  received(message: SipMessage, from: Flow): void;
  /** A malformed request of an allowed source that can still be answered. */
  malformed(error: MalformedMessage, from: Flow): void;
  /** Something of an unknown source was ignored. */
  ignored(from: Endpoint): void;
  connectionClosed(flow: Flow): void;
}

export interface TransportOptions extends Pick<UserAgentOptions, 'local' | 'public' | 'listen'> {
  network: Network;
  clock: Clock;
  log: Log;
}

const connectTimeoutMs = 3000;
/** Below the shortest usual lifetime of a NAT mapping. */
const keepAliveMs = 25_000;
/** Milliseconds to wait for the answer to a keep-alive of ours (RFC 5626, section 4.4.1). */
const pongTimeoutMs = 10_000;
const maxLocalAddresses = 1000;
const maxInboundConnections = 50;
const ping = Buffer.from('\r\n\r\n');
const pong = Buffer.from('\r\n');
/** Bytes waiting to be sent at which a connection that takes nothing is closed. */
const maxUnsentBytes = 1_048_576;

export class Transport {
  private readonly options: TransportOptions;
  private readonly events: TransportEvents;
  private datagrams: DatagramSocket | undefined;
  private listener: Listener | undefined;
  private readonly sockets = new Set<Socket>();
  /** Local address of the route to each address, if the sockets are bound to any. */
  private readonly localAddresses = new Map<string, string>();
  private closed = false;

  constructor(options: TransportOptions, events: TransportEvents) {
    this.options = options;
    this.events = events;
  }

  get port(): number {
    return this.listener?.port ?? this.datagrams?.port ?? 0;
  }

  async start(): Promise<void> {
    const { network, local, listen } = this.options;
    this.datagrams = await network.openDatagram(local, (bytes, from) => this.takeDatagram(bytes, from));
    if (!listen) return;
    const tls = listen.transport === 'tls' ? { key: listen.key, cert: listen.cert } : undefined;
    this.listener = await network.listenStream(
      { local, tls, maxConnections: maxInboundConnections },
      (socket) => {
        const address = plainAddress(socket.remoteAddress ?? '');
        if (this.events.isAllowed(address)) this.attach(socket, listen.transport, address);
        else {
          socket.destroy();
          this.events.ignored({ address, port: socket.remotePort ?? 0 });
        }
      },
    );
  }

  close(): void {
    this.closed = true;
    this.datagrams?.close();
    this.listener?.close();
    for (const socket of this.sockets) socket.destroy();
  }

  /** A flow over UDP. */
  async datagramFlow(remote: Endpoint): Promise<Flow> {
    const { network } = this.options;
    if (this.bindsAny) {
      const address = await network.localAddress(remote);
      if (this.localAddresses.size >= maxLocalAddresses) this.localAddresses.clear();
      this.localAddresses.set(remote.address, address);
    }
    return this.udpFlow(remote, this.localEndpoint(remote.address));
  }

  /** Keeps the mapping of a NAT open; the other side ignores it. */
  keepAlive(flow: Flow): void {
    flow.send(ping, () => undefined);
  }

  /** Connects over TCP or TLS. */
  async connect(
    transport: 'tcp' | 'tls',
    to: Endpoint,
    tls: { servername: string; ca: string | undefined },
  ): Promise<Flow> {
    const { network, local } = this.options;
    const socket = await network.connectStream({
      to,
      localAddress: this.bindsAny ? undefined : local.address,
      tls: transport === 'tls' ? tls : undefined,
      timeoutMs: connectTimeoutMs,
    });
    if (this.closed) {
      socket.destroy();
      throw new DetailedError(translatable('pigeon.detail.closed'));
    }
    return this.attach(socket, transport, to.address);
  }

  /** The flow back to the sender of a request, at the port that it asks for. */
  replyFlow(from: Flow, port: number): Flow {
    if (from.transport !== 'udp' || port === from.remote.port) return from;
    return this.udpFlow({ address: from.remote.address, port }, from.contact);
  }

  private takeDatagram(bytes: Buffer, from: Endpoint): void {
    // Keep-alive packets.
    if (bytes.length <= 4 || this.closed) return;
    const flow = this.udpFlow(from, this.localEndpoint(from.address));
    this.take(flow, () => this.events.received(parseMessage(bytes), flow));
  }

  private get bindsAny(): boolean {
    const { address } = this.options.local;
    return address === '0.0.0.0' || address === '::';
  }

  /** Where packets to that address come from. */
  private localEndpoint(remoteAddress: string): Endpoint {
    const { local } = this.options;
    const address = this.localAddresses.get(remoteAddress) ?? local.address;
    return { address, port: this.datagrams?.port ?? local.port };
  }

  private udpFlow(remote: Endpoint, local: Endpoint): Flow {
    const { public: translated } = this.options;
    const contact = translated ? { address: translated.address, port: translated.port ?? local.port } : local;
    return {
      transport: 'udp',
      remote,
      contact,
      open: true,
      send: (bytes, onError) => {
        if (!this.closed) this.datagrams?.send(bytes, remote, onError);
      },
      close: () => undefined,
    };
  }

  private attach(socket: Socket, transport: 'tcp' | 'tls', address: string): Flow {
    const { clock, public: translated } = this.options;
    const local = {
      address: translated?.address ?? plainAddress(socket.localAddress ?? ''),
      port: translated?.port ?? this.listener?.port ?? socket.localPort ?? 0,
    };
    const flow: Flow = {
      transport,
      remote: { address, port: socket.remotePort ?? 0 },
      contact: local,
      get open() {
        return !socket.destroyed && socket.writable;
      },
      send: (bytes, onError) => {
        if (socket.writableLength > maxUnsentBytes) socket.destroy();
        if (socket.destroyed || !socket.writable)
          onError(new DetailedError(translatable('pigeon.detail.connection-closed')));
        else socket.write(bytes, (error) => error && onError(error));
      },
      close: () => socket.destroy(),
    };
    const framer = new StreamFramer({
      onMessage: (message) => this.events.received(message, flow),
      onMalformed: (error) => this.take(flow, () => this.events.malformed(error, flow)),
      onPing: () => flow.send(pong, () => undefined),
    });
    let answersPings = false;
    let stopPongTimeout = () => {};
    const stopPings = clock.every(keepAliveMs, () => {
      this.keepAlive(flow);
      // Many servers never answer, so only the silence of one that did shows that the connection is dead.
      if (answersPings) stopPongTimeout = clock.after(pongTimeoutMs, () => socket.destroy());
    });
    this.sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('end', () => socket.destroy());
    socket.on('close', () => {
      stopPings();
      stopPongTimeout();
      this.sockets.delete(socket);
      if (!this.closed) this.events.connectionClosed(flow);
    });
    socket.on('data', (bytes: Buffer) => {
      stopPongTimeout();
      if (bytes.equals(pong)) answersPings = true;
      this.take(flow, () => {
        try {
          framer.push(bytes);
        } catch (error) {
          // Where the next message starts is unknown.
          socket.destroy();
          throw error;
        }
      });
    });
    return flow;
  }

  /** Nothing that arrives can throw out of a socket. */
  private take(flow: Flow, work: () => void): void {
    try {
      work();
    } catch (error) {
      if (error instanceof MalformedMessage) {
        if (!this.events.isAllowed(flow.remote.address)) this.events.ignored(flow.remote);
        else if (error.request) this.events.malformed(error, flow);
        return;
      }
      const { message, stack } = error as Error;
      this.options.log({ level: 'error', message: 'a SIP message was not processed', error: message, stack });
    }
  }
}
