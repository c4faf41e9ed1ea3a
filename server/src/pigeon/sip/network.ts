// Sockets and name lookups of the user agent; replaceable in tests.
import { createSocket } from 'node:dgram';
import { lookup, resolveSrv } from 'node:dns/promises';
import { createServer, isIP, connect as netConnect, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, connect as tlsConnect } from 'node:tls';
import { DetailedError } from '../../common/detail.ts';
import { translatable } from '../../common/translatable-text.ts';

export interface Endpoint {
  address: string;
  port: number;
}

export interface DatagramSocket {
  readonly port: number;
  send(bytes: Buffer, to: Endpoint, onError: (error: Error) => void): void;
  close(): void;
}

export interface StreamOptions {
  to: Endpoint;
  localAddress: string | undefined;
  tls: { servername: string; ca: string | undefined } | undefined;
  timeoutMs: number;
}

export interface ListenOptions {
  local: Endpoint;
  tls: { key: string; cert: string } | undefined;
  maxConnections: number;
}

export interface Listener {
  readonly port: number;
  close(): void;
}

export interface Network {
  openDatagram(local: Endpoint, onPacket: (bytes: Buffer, from: Endpoint) => void): Promise<DatagramSocket>;
  connectStream(options: StreamOptions): Promise<Socket>;
  listenStream(options: ListenOptions, onSocket: (socket: Socket) => void): Promise<Listener>;
  /** Local address from which packets to that address leave. */
  localAddress(to: Endpoint): Promise<string>;
  lookupAddresses(name: string): Promise<string[]>;
  lookupService(name: string): Promise<{ name: string; port: number; priority: number; weight: number }[]>;
}

/** Without the prefix of an IPv4 address in IPv6 notation. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

const familyOf = (address: string) => (isIP(address) === 6 ? 'udp6' : 'udp4');

export const systemNetwork: Network = {
  async openDatagram(local, onPacket) {
    const socket = createSocket(familyOf(local.address));
    socket.on('message', (bytes, { address, port }) =>
      onPacket(bytes, { address: plainAddress(address), port }),
    );
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.bind(local.port, local.address, () => {
        socket.off('error', reject);
        // For example "connection refused" of an earlier packet; each send reports its own.
        socket.on('error', () => undefined);
        resolve();
      });
    });
    return {
      port: socket.address().port,
      send: (bytes, to, onError) => {
        socket.send(bytes, to.port, to.address, (error) => {
          if (error) onError(error);
        });
      },
      close: () => socket.close(),
    };
  },

  connectStream({ to, localAddress, tls, timeoutMs }) {
    return new Promise((resolve, reject) => {
      const options = { host: to.address, port: to.port, localAddress };
      // A server name must not be an address (RFC 6066); the certificate is checked against the host then.
      const servername = tls && isIP(tls.servername) === 0 ? tls.servername : '';
      const socket = tls ? tlsConnect({ ...options, ca: tls.ca, servername }) : netConnect(options);
      const timer = setTimeout(
        () => socket.destroy(new DetailedError(translatable('pigeon.detail.connection-timeout'))),
        timeoutMs,
      );
      socket.once('error', reject);
      socket.once('close', () => {
        clearTimeout(timer);
        reject(new DetailedError(translatable('pigeon.detail.connection-closed')));
      });
      socket.once(tls ? 'secureConnect' : 'connect', () => {
        clearTimeout(timer);
        socket.off('error', reject);
        resolve(socket);
      });
    });
  },

  async listenStream({ local, tls, maxConnections }, onSocket) {
    const accept = (socket: Socket) => onSocket(socket);
    const server: Server = tls ? createTlsServer(tls, accept) : createServer(accept);
    server.maxConnections = maxConnections;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(local.port, local.address, resolve);
    });
    server.on('error', () => undefined);
    const address = server.address();
    return {
      port: typeof address === 'object' && address ? address.port : local.port,
      close: () => server.close(),
    };
  },

  localAddress(to) {
    return new Promise((resolve, reject) => {
      // Connecting a datagram socket chooses the route and sends nothing.
      const socket = createSocket(familyOf(to.address));
      socket.once('error', (error) => {
        socket.close();
        reject(error);
      });
      socket.connect(to.port, to.address, () => {
        resolve(socket.address().address);
        socket.close();
      });
    });
  },

  async lookupAddresses(name) {
    return (await lookup(name, { all: true })).map(({ address }) => address);
  },

  lookupService: (name) => resolveSrv(name),
};
