// `messages send`: posts to a receive slot as a monitoring tool would.
import { setTimeout as pause } from 'node:timers/promises';
import type { Why } from '@yagura/core/alerthub/why';
import { Problem, problemFromReply } from '@yagura/core/http/problem';
import { withRetry } from '@yagura/core/http/retry';
import { headerPairs } from '../api.ts';
import { quickFetch } from '../http/quick-fetch.ts';
import { dataForm } from '../resource/data-form.ts';
import { entryClient, entryNamed } from '../resource/entry-client.ts';
import { wholeNumber } from '../resource/list.ts';
import { writeItem } from '../resource/output.ts';
import { resolveId } from '../resource/resolve.ts';
import { openSession } from '../signin/session.ts';
import type { DataOptions } from '../term/data-options.ts';
import { StillRunning } from '../term/failure.ts';
import { readBytes } from '../term/read-source.ts';
import { say, type Terminal } from '../term/terminal.ts';
import { Usage } from '../term/usage.ts';
import { whyForm, writeWhy } from './why.ts';

export interface SendOptions extends DataOptions {
  slot: string;
  file?: string;
  header?: string[];
  contentType?: string;
  wait?: boolean;
  timeout?: string;
}

const usualTimeout = 30;
/** Milliseconds between two looks at an evaluation: short at first, since most are over at once. */
const looks = [50, 100, 200, 400, 800, 1000];

export async function send(terminal: Terminal, options: SendOptions): Promise<void> {
  const fields = { messageId: { kind: 'id', required: true, nullable: false } } as const;
  const form = options.wait ? whyForm(options) : dataForm(options, Object.keys(fields));
  const timeout = wholeNumber(options.timeout, '--timeout', 1, 3600) ?? usualTimeout;
  const headers = headerPairs(options.header ?? []);
  const address = await addressOf(terminal, options.slot);
  const content = await contentOf(terminal, options.file);
  const sent = { 'content-type': options.contentType ?? guessType(content), ...headers };
  const call = { method: 'POST', headers: sent, signal: terminal.signal };
  const messageId = await withRetry(call, {}, () => post(terminal, address, content, sent));
  say(terminal, terminal.err.paint('success', terminal.t('cli.send.done', { id: messageId })));
  if (options.wait) {
    await writeWhy(terminal, await evaluated(terminal, messageId, timeout), form);
    return;
  }
  if (!form) terminal.out.write(`${messageId}\n`);
  else {
    const shape = { fields, columns: ['messageId'] };
    await writeItem(terminal, { messageId }, shape, form, { origin: '', fetch: quickFetch });
  }
}

/** A URL is posted to as it is, so that sending to a slot needs no sign-in. */
async function addressOf(terminal: Terminal, slot: string): Promise<string> {
  if (/^https?:\/\//i.test(slot)) {
    if (!URL.canParse(slot)) throw new Usage('cli.usage.address', { address: slot });
    return slot;
  }
  const { transport } = openSession(terminal);
  const meta = entryNamed('receive-slot');
  const id = await resolveId(meta, slot, transport, {}, terminal.signal);
  return String((await entryClient(meta, transport).show(id, {}, terminal.signal)).primary);
}

async function contentOf(terminal: Terminal, file: string | undefined): Promise<Buffer> {
  if (file === undefined && terminal.stdin.isTTY) throw new Usage('cli.usage.content');
  return readBytes(file ?? '-', terminal, '--file');
}

function guessType(content: Buffer): string {
  try {
    JSON.parse(content.toString('utf8'));
    return 'application/json';
  } catch {
    return 'text/plain; charset=utf-8';
  }
}

async function post(
  terminal: Terminal,
  address: string,
  content: Buffer,
  headers: Record<string, string>,
): Promise<string> {
  const signal = AbortSignal.any([terminal.signal, AbortSignal.timeout(60_000)]);
  let response: Response;
  try {
    response = await quickFetch(address, {
      method: 'POST',
      headers,
      body: content as unknown as BodyInit,
      signal,
      redirect: 'error',
    });
  } catch (cause) {
    throw new Problem('unreachable', {
      detail: (cause as NodeJS.ErrnoException).code ?? String(cause),
      cause,
    });
  }
  const text = await response.text();
  const reply = parsed(text);
  const retryAfter = Number(response.headers.get('retry-after')) || undefined;
  if (!response.ok) throw problemFromReply(response.status, reply ?? text, { retryAfter });
  if (typeof reply?.messageId !== 'string') throw new Problem('internal', { detail: address });
  return reply.messageId;
}

function parsed(text: string): { messageId?: unknown } | undefined {
  try {
    return JSON.parse(text) as { messageId?: unknown };
  } catch {
    return undefined;
  }
}

/** Looks until the message is evaluated and what it set off has been tried, or the time is over. */
async function evaluated(terminal: Terminal, messageId: string, timeout: number): Promise<Why> {
  const client = entryClient(entryNamed('message'), openSession(terminal).transport);
  const end = terminal.now() + timeout * 1000;
  for (let look = 0; ; look += 1) {
    const why = await client.call<Why>('why', { id: messageId, signal: terminal.signal });
    const tried = why.deliveries.every(
      (delivery) => delivery.attempts.length > 0 || delivery.status === 'succeeded',
    );
    if (why.evaluatedAt !== null && tried) return why;
    if (terminal.now() >= end) {
      if (why.evaluatedAt !== null) return why;
      throw new StillRunning('cli.send.still');
    }
    await pause(looks[Math.min(look, looks.length - 1)], undefined, { signal: terminal.signal });
  }
}
