// The socket under `net-snmp`: takes answers of one device only, and asks before each packet.
import { createSocket, type Socket } from 'node:dgram';
import { SnmpFault } from './snmp-fault.ts';

export interface SocketRules {
  address: string;
  port: number;
  /** Resolves when one packet may be sent. */
  admit(): Promise<void>;
  /** Rejects an answer before it is read, by throwing a fault; false ignores it. */
  accepts(answer: Buffer): boolean;
  /** An error of the socket, or an answer that the library could not read. */
  onFailure(error: unknown): void;
}

type Sent = (error: Error | null) => void;

/** What `net-snmp` uses in place of the module `node:dgram`. */
export function connectedSockets(rules: SocketRules): { createSocket(): ConnectedSocket } {
  return { createSocket: () => new ConnectedSocket(rules) };
}

/** Being connected, the kernel drops datagrams of other senders and reports that a port is closed. */
class ConnectedSocket {
  private readonly rules: SocketRules;
  private readonly socket: Socket = createSocket('udp4');
  private readonly connected: Promise<void>;
  private isClosed = false;

  constructor(rules: SocketRules) {
    this.rules = rules;
    this.socket.on('error', (error) => rules.onFailure(error));
    this.connected = new Promise((resolve, reject) => {
      this.socket.connect(rules.port, rules.address, ((error?: Error) =>
        error ? reject(error) : resolve()) as () => void);
    });
    this.connected.catch(() => undefined);
  }

  on(event: 'message' | 'close' | 'error', listener: (value: never) => void): this {
    if (event === 'message')
      this.socket.on('message', (answer) => {
        // The library does not expect every malformed answer.
        try {
          if (this.rules.accepts(answer)) listener(answer as never);
        } catch (error) {
          this.rules.onFailure(error);
        }
      });
    // The library does not pass errors on.
    else if (event === 'close') this.socket.on(event, listener as () => void);
    return this;
  }

  /** The library names the target for each packet; it is always the one that the socket is connected to. */
  send(packet: Buffer, _offset: number, _length: number, _port: number, _target: string, sent: Sent): void {
    const send = async () => {
      await this.connected;
      await this.rules.admit();
      if (this.isClosed) throw new SnmpFault('TIMEOUT', { isFinal: true });
      await new Promise<void>((resolve, reject) => {
        this.socket.send(packet, (error) => (error ? reject(error) : resolve()));
      });
    };
    send().then(() => sent(null), sent);
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.socket.close();
  }

  ref(): void {
    this.socket.ref();
  }

  unref(): void {
    this.socket.unref();
  }
}
