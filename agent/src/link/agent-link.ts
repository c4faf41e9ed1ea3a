// The connection to the server: stays open, returns after failures, and agrees on the version of the protocol.
import {
  type AgentCapability,
  type AgentMessageInput,
  type AgentProtocol,
  agentPath,
  agentProtocols,
  type ServerMessage,
  serverMessage,
} from '@yagura/core/ksocket/agent-protocol';
import { WebSocket } from 'ws';
import { version } from '../version.ts';
import {
  type ConnectionDeps,
  type ConnectionHandlers,
  checkClock,
  connectionLimits,
  keepConnected,
  MessageReader,
} from './connection.ts';

export interface LinkListener {
  /** Ids of the unfinished scans. */
  scanning(): string[];
  /** The version is agreed and messages can be sent. */
  onReady(protocol: AgentProtocol): void;
  onMessage(message: ServerMessage): void;
  onClosed(): void;
}

export interface LinkDeps extends ConnectionDeps {
  limits?: Partial<typeof defaultLimits>;
}

const defaultLimits = {
  /** Milliseconds to wait for `welcome` before version 1 is spoken. */
  welcomeMs: 3000,
  ...connectionLimits,
};
const capabilities: readonly AgentCapability[] = [
  'collect.snmp',
  'collect.ssh',
  'discover.neighbours',
  'discover.tcp',
  'estimate',
  'pause',
];

export class AgentLink {
  private readonly deps: LinkDeps;
  private readonly listener: LinkListener;
  private readonly limits: typeof defaultLimits;
  private socket: WebSocket | undefined;
  private readonly reader: MessageReader<ServerMessage>;

  constructor(deps: LinkDeps, listener: LinkListener) {
    this.deps = deps;
    this.listener = listener;
    this.reader = new MessageReader(serverMessage, deps.log);
    this.limits = { ...defaultLimits, ...deps.limits };
  }

  /** Keeps a connection until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    const { silenceMs, connectMs } = this.limits;
    const begin = (socket: WebSocket): ConnectionHandlers => {
      const session = this.openSession(socket);
      return {
        opened: () => {
          this.socket = socket;
          session.greet();
        },
        received: (data, isBinary) => session.receive(isBinary ? undefined : String(data)),
        ended: () => {
          this.socket = undefined;
          return session.end();
        },
      };
    };
    return keepConnected(this.deps, { path: agentPath, silenceMs, connectMs, begin }, signal);
  }

  /** Whether the message could be handed to the connection. */
  send(message: AgentMessageInput): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** What a connection needs from its opening to its end. */
  private openSession(socket: WebSocket) {
    const { listener, deps } = this;
    let protocol: AgentProtocol | undefined;
    let timer: NodeJS.Timeout | undefined;
    const agree = (agreed: AgentProtocol) => {
      clearTimeout(timer);
      if (protocol === agreed) return;
      protocol = agreed;
      listener.onReady(agreed);
    };
    return {
      greet: () => {
        this.send({
          type: 'hello',
          version,
          scanning: listener.scanning(),
          protocols: [...agentProtocols],
          capabilities: [...capabilities],
          clock: new Date(deps.now()).toISOString(),
        });
        timer = setTimeout(() => agree(1), this.limits.welcomeMs);
      },
      receive: (text: string | undefined) => {
        const message = text === undefined ? undefined : this.reader.read(text);
        if (!message || socket !== this.socket) return;
        if (message.type === 'welcome') {
          checkClock(this.deps, message.serverTime);
          agree(message.protocol);
        } else {
          // A server of version 1 has no `welcome` and may begin at once.
          if (protocol === undefined) agree(1);
          listener.onMessage(message);
        }
      },
      /** Returns whether the version had been agreed. */
      end: (): boolean => {
        clearTimeout(timer);
        if (protocol !== undefined) listener.onClosed();
        return protocol !== undefined;
      },
    };
  }
}
