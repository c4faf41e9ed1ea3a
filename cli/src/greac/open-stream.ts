// Finds or opens a session, and connects its stream.
import nodeCrypto from 'node:crypto';
import type { SessionAttachment } from '@yagura/core/greac/session';
import { nodeRecordCipher } from '@yagura/core/greac/stream/node-record-cipher';
import { describeFailure } from '@yagura/core/greac/stream/reason-texts';
import {
  SessionStream,
  type SessionStreamOptions,
  type StreamStatus,
} from '@yagura/core/greac/stream/session-stream';
import type { StreamSocket } from '@yagura/core/greac/stream/stream-connection';
import type { ViewerMode } from '@yagura/core/greac/stream/viewer-protocol';
import { Problem } from '@yagura/core/http/problem';
import { systemTimers } from '@yagura/core/live/timers';
import { WebSocket } from 'undici';
import { CommandError } from '../command-line/report-error.ts';
import { proxyOf } from '../http/proxy.ts';
import { proxyDispatcher } from '../http/proxy-fetch.ts';
import { resolveId } from '../resource/meta/resolve-id.ts';
import { resourceClient, resourceNamed } from '../resource/meta/resource-client.ts';
import { openSession, type Session } from '../signin/session.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { checkGateway } from './known-gateways.ts';

export interface OpenedSession {
  session: Session;
  sessionId: string;
  destinationId: string;
  /** Name of the destination. */
  name: string;
  protocol: string;
  /** It was open before. */
  isJoined: boolean;
}

export interface OpenSessionOptions {
  remarks?: string;
  /** Throws if a session of this protocol is of no use; then none is opened. */
  check?: ((protocol: string) => void) | undefined;
}

/** An id can be that of an open session; otherwise a session is opened at the destination. */
export async function findOrOpenSession(
  terminal: Terminal,
  text: string,
  { remarks = '', check }: OpenSessionOptions = {},
): Promise<OpenedSession> {
  const session = openSession(terminal);
  const { transport } = session;
  const { signal } = terminal;
  const sessions = resourceClient(resourceNamed('session'), transport);
  const isId = /^[0-9a-f-]{36}$/i.test(text);
  const found = isId ? await sessions.find(text, {}, signal) : null;
  if (found) {
    const { destinationId, destinationName, protocol } = found;
    check?.(String(protocol));
    return {
      session,
      sessionId: text,
      destinationId: String(destinationId),
      name: String(destinationName),
      protocol: String(protocol),
      isJoined: true,
    };
  }
  const destinationId = await resolveId(resourceNamed('destination'), text, transport, {}, signal);
  if (check) {
    const destinations = resourceClient(resourceNamed('destination'), transport);
    const { protocol } = await destinations.show(destinationId, {}, signal);
    check(String(protocol));
  }
  const opened = await sessions.create({ destinationId, remarks });
  return {
    session,
    sessionId: String(opened.sessionId),
    destinationId,
    name: String(opened.destinationName),
    protocol: String(opened.protocol),
    isJoined: false,
  };
}

export function leaveSession({ session, sessionId }: OpenedSession): Promise<unknown> {
  const sessions = resourceClient(resourceNamed('session'), session.transport);
  // A session that has closed meanwhile cannot be left.
  return sessions.call('leave', { id: sessionId }).catch(() => undefined);
}

/** Leaves the session if the user may not end it. */
export function endSession(opened: OpenedSession): Promise<unknown> {
  const sessions = resourceClient(resourceNamed('session'), opened.session.transport);
  return sessions.call('close', { id: opened.sessionId }).catch(() => leaveSession(opened));
}

export interface StreamHandlers extends Pick<SessionStreamOptions, 'handlers'> {
  mode: ViewerMode;
  onStatus(status: StreamStatus): void;
}

export function createStream(
  terminal: Terminal,
  { session, sessionId }: OpenedSession,
  { mode, handlers, onStatus }: StreamHandlers,
): SessionStream {
  const { transport, origin } = session;
  // The stream attaches again by itself, and knows a gateway that is away from a server that is busy.
  const { retry: _, ...once } = transport;
  return new SessionStream({
    sessionId,
    mode,
    handlers,
    onStatus,
    attach() {
      const sessions = resourceClient(resourceNamed('session'), once);
      return sessions.call<SessionAttachment>('attach', { id: sessionId, signal: terminal.signal });
    },
    async closeReason() {
      const found = await resourceClient(resourceNamed('session'), once).find(sessionId, {}, terminal.signal);
      return String(found?.closeReason ?? '');
    },
    createCipher: nodeRecordCipher(nodeCrypto),
    openSocket: (path, subprotocols) => openSocket(new URL(path, origin), subprotocols),
    isTrusted: async (krokerId, thumbprint) => {
      await checkGateway(terminal, origin, krokerId, thumbprint);
      return true;
    },
    now: terminal.now,
    random: Math.random,
    timers: systemTimers,
  });
}

/** What to say of a stream that is attached again. */
export function reconnectingText(
  { t }: Terminal,
  { code }: Extract<StreamStatus, { state: 'reconnecting' }>,
): string {
  return t(code === 'GATEWAY_AWAY' ? 'terminal.gateway-away' : 'terminal.reconnecting');
}

/** The error of a session that has failed. */
export function failureOf({ t }: Terminal, status: Extract<StreamStatus, { state: 'failed' }>): Error {
  if (status.code === 'FORBIDDEN') return new Problem('forbidden');
  if (status.code === null) return status.problem ?? new Problem('internal');
  const { text, details } = describeFailure(status.code, status.params);
  const lines = Object.entries(details).map(([name, value]) => `\n  ${name}: ${value}`);
  return new CommandError('cli.connect.failed', { reason: t(text), details: lines.join('') });
}

function openSocket(address: URL, protocols: string[]): StreamSocket {
  const proxy = proxyOf(address, process.env);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  return new WebSocket(address, {
    protocols,
    ...(proxy ? { dispatcher: proxyDispatcher(proxy) } : {}),
  }) as StreamSocket;
}
