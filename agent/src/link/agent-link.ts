// The connection to the server: stays open, returns after failures, and agrees on the version of the protocol.
import {
  type AgentCapability,
  type AgentMessageInput,
  type AgentProtocol,
  agentPath,
  agentProtocols,
  closeCodes,
  type ServerMessage,
  serverMessage,
} from '@yagura/core/ksocket/agent-protocol';
import { WebSocket } from 'ws';
import { AgentError } from '../agent-error.ts';
import { type Log, reasonOf } from '../log.ts';
import type { Timing } from '../pace.ts';
import { version } from '../version.ts';
import { backoffMs, maxBackoffMs } from './backoff.ts';

export interface LinkListener {
  /** Ids of the unfinished scans. */
  scanning(): string[];
  /** The version is agreed and messages can be sent. */
  onReady(protocol: AgentProtocol): void;
  onMessage(message: ServerMessage): void;
  onClosed(): void;
}

export interface LinkDeps {
  /** Origin of the space. */
  url: string;
  /** Read for each connection, so that the token can be replaced while the agent runs. */
  readToken(): Promise<string>;
  log: Log;
  timing: Timing;
  random(): number;
  now(): number;
  limits?: Partial<typeof defaultLimits>;
}

const defaultLimits = {
  /** Milliseconds to wait for `welcome` before version 1 is spoken. */
  welcomeMs: 3000,
  /** Milliseconds without a message or heartbeat after which the connection counts as lost. */
  silenceMs: 60_000,
  connectMs: 15_000,
};
/** Milliseconds to wait for the server's half of a closing handshake. */
const closeMs = 1000;
const capabilities: readonly AgentCapability[] = [
  'collect.snmp',
  'collect.ssh',
  'discover.neighbours',
  'discover.tcp',
  'estimate',
  'pause',
];
const maxPayload = 16 * 1024 * 1024;

export class AgentLink {
  private readonly deps: LinkDeps;
  private readonly listener: LinkListener;
  private readonly limits: typeof defaultLimits;
  private socket: WebSocket | undefined;
  private readonly unknownTypes = new Set<string>();

  constructor(deps: LinkDeps, listener: LinkListener) {
    this.deps = deps;
    this.listener = listener;
    this.limits = { ...defaultLimits, ...deps.limits };
  }

  /** Keeps a connection until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { log, timing, random } = this.deps;
    for (let attempt = 0; !signal.aborted; attempt++) {
      const { wasReady, reason, slow } = await this.connectOnce(signal);
      if (signal.aborted) return;
      if (wasReady) attempt = 0;
      const delay = slow ? maxBackoffMs * (0.5 + 0.5 * random()) : backoffMs(attempt, random);
      log({ level: 'warn', message: 'not connected', reason, retryMs: Math.round(delay) });
      await timing.sleep(delay, signal).catch(() => undefined);
    }
  }

  /** Whether the message could be handed to the connection. */
  send(message: AgentMessageInput): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  private async connectOnce(
    signal: AbortSignal,
  ): Promise<{ wasReady: boolean; reason: string; slow: boolean }> {
    let token: string;
    try {
      token = await this.deps.readToken();
    } catch (error) {
      const reason = error instanceof AgentError ? error.messageKey : reasonOf(error);
      return { wasReady: false, reason, slow: true };
    }
    const { connectMs, silenceMs } = this.limits;
    const socket = new WebSocket(`${this.deps.url.replace(/^http/, 'ws')}${agentPath}`, {
      headers: { authorization: `Bearer ${token}` },
      maxPayload,
      perMessageDeflate: false,
      handshakeTimeout: connectMs,
      followRedirects: false,
    });
    const stop = () => {
      socket.close(1000);
      setTimeout(() => socket.terminate(), closeMs).unref();
    };
    signal.addEventListener('abort', stop, { once: true });
    let reason = 'closed';
    let slow = false;
    let silence: NodeJS.Timeout | undefined;
    const heard = () => {
      clearTimeout(silence);
      silence = setTimeout(() => {
        reason = 'silent';
        socket.terminate();
      }, silenceMs);
    };
    const session = this.openSession(socket);
    socket.on('open', () => {
      this.socket = socket;
      heard();
      session.greet();
      this.deps.log({ level: 'info', message: 'connected', url: this.deps.url });
    });
    socket.on('ping', heard);
    socket.on('message', (data, isBinary) => {
      heard();
      session.receive(isBinary ? undefined : String(data));
    });
    socket.on('unexpected-response', (_, response) => {
      reason = `HTTP ${response.statusCode}`;
      slow = response.statusCode === 401 || response.statusCode === 403;
      socket.terminate();
    });
    socket.on('error', (error) => {
      if (reason === 'closed') reason = reasonOf(error);
    });
    const code = await new Promise<number>((resolve) => socket.once('close', resolve));
    signal.removeEventListener('abort', stop);
    clearTimeout(silence);
    const name = Object.entries(closeCodes).find(([, value]) => value === code)?.[0];
    if (name) {
      reason = name;
      slow = true;
    }
    this.socket = undefined;
    return { wasReady: session.end(), reason, slow };
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
        const message = text === undefined ? undefined : this.read(text);
        if (!message || socket !== this.socket) return;
        if (message.type === 'welcome') {
          this.checkClock(message.serverTime);
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

  private read(text: string): ServerMessage | undefined {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      value = undefined;
    }
    const parsed = serverMessage.safeParse(value);
    if (parsed.success) return parsed.data;
    const type = String((value as { type?: unknown } | undefined)?.type ?? '').slice(0, 64);
    if (!this.unknownTypes.has(type) && this.unknownTypes.size < 100) {
      this.unknownTypes.add(type);
      this.deps.log({ level: 'warn', message: 'a message of the server was not understood', type });
    }
    return undefined;
  }

  private checkClock(serverTime: string): void {
    const seconds = Math.round((this.deps.now() - Date.parse(serverTime)) / 1000);
    if (Math.abs(seconds) > 60)
      this.deps.log({ level: 'warn', message: 'the clock of this machine differs from the server', seconds });
  }
}
