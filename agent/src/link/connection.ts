// Keeps one WebSocket to the server: connects, notices silence, and returns after failures.
import { closeCodes } from '@yagura/core/http/close-codes';
import { WebSocket } from 'ws';
import type { z } from 'zod';
import { AgentError } from '../agent-error.ts';
import { type Log, reasonOf } from '../log.ts';
import type { Timing } from '../pace.ts';
import { backoffMs, maxBackoffMs } from './backoff.ts';

export interface ConnectionDeps {
  /** Origin of the space. */
  url: string;
  /** Read for each connection, so that the token can be replaced while the agent runs. */
  readToken(): Promise<string>;
  log: Log;
  timing: Timing;
  random(): number;
  now(): number;
}

export interface ConnectionOptions {
  path: string;
  subprotocol?: string;
  /** Milliseconds without a message or heartbeat after which the connection counts as lost. */
  silenceMs: number;
  connectMs: number;
  /** Fills the mask of the frame that is being sent; without it, masks are random. */
  generateMask?(mask: Buffer): void;
  /** Called for each connection before it is open. */
  begin(socket: WebSocket): ConnectionHandlers;
}

export interface ConnectionHandlers {
  opened(): void;
  received(data: Buffer, isBinary: boolean): void;
  /** Returns whether the connection had become usable. */
  ended(): boolean;
}

export const connectionLimits = {
  /** Milliseconds without a message or heartbeat after which the connection counts as lost. */
  silenceMs: 60_000,
  connectMs: 15_000,
};
/** Milliseconds to wait for the server's half of a closing handshake. */
const closeMs = 1000;
const maxClockSkewSeconds = 60;
const maxPayload = 16 * 1024 * 1024;

/** Keeps a connection until the signal aborts. */
export async function keepConnected(
  deps: ConnectionDeps,
  options: ConnectionOptions,
  signal: AbortSignal,
): Promise<void> {
  const { log, timing, random } = deps;
  for (let attempt = 0; !signal.aborted; attempt++) {
    const { wasReady, reason, slow } = await connectOnce(deps, options, signal);
    if (signal.aborted) return;
    if (wasReady) attempt = 0;
    const delay = slow ? maxBackoffMs * (0.5 + 0.5 * random()) : backoffMs(attempt, random);
    log({ level: 'warn', message: 'not connected', path: options.path, reason, retryMs: Math.round(delay) });
    await timing.sleep(delay, signal).catch(() => undefined);
  }
}

async function connectOnce(
  { url, readToken, log }: ConnectionDeps,
  { path, subprotocol, silenceMs, connectMs, generateMask, begin }: ConnectionOptions,
  signal: AbortSignal,
): Promise<{ wasReady: boolean; reason: string; slow: boolean }> {
  let token: string;
  try {
    token = await readToken();
  } catch (error) {
    const reason = error instanceof AgentError ? error.messageKey : reasonOf(error);
    return { wasReady: false, reason, slow: true };
  }
  if (signal.aborted) return { wasReady: false, reason: 'stopped', slow: false };
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}${path}`, subprotocol ? [subprotocol] : [], {
    headers: { authorization: `Bearer ${token}` },
    maxPayload,
    perMessageDeflate: false,
    handshakeTimeout: connectMs,
    followRedirects: false,
    ...(generateMask ? { generateMask } : {}),
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
  const handlers = begin(socket);
  socket.on('open', () => {
    heard();
    handlers.opened();
    log({ level: 'info', message: 'connected', path, url });
  });
  socket.on('ping', heard);
  socket.on('message', (data, isBinary) => {
    heard();
    handlers.received(data as Buffer, isBinary);
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
  return { wasReady: handlers.ended(), reason, slow };
}

/** Reads messages of the server; those that this version does not understand are logged once for each type. */
export class MessageReader<Message> {
  private readonly types = new Set<string>();
  private readonly schema: z.ZodType<Message>;
  private readonly log: Log;

  constructor(schema: z.ZodType<Message>, log: Log) {
    this.schema = schema;
    this.log = log;
  }

  /** Undefined for a message that is not understood. */
  read(text: string): Message | undefined {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      value = undefined;
    }
    const parsed = this.schema.safeParse(value);
    if (parsed.success) return parsed.data;
    this.report(value);
    return undefined;
  }

  private report(value: unknown): void {
    const type = String((value as { type?: unknown } | undefined)?.type ?? '').slice(0, 64);
    if (this.types.has(type) || this.types.size >= 100) return;
    this.types.add(type);
    this.log({ level: 'warn', message: 'a message of the server was not understood', type });
  }
}

export function checkClock({ now, log }: Pick<ConnectionDeps, 'now' | 'log'>, serverTime: string): void {
  const seconds = Math.round((now() - Date.parse(serverTime)) / 1000);
  if (Math.abs(seconds) > maxClockSkewSeconds)
    log({ level: 'warn', message: 'the clock of this machine differs from the server', seconds });
}
