// `messages send`: posts to a receive slot like a monitoring tool.
import { setTimeout as pause } from 'node:timers/promises';
import type { DecisionLog } from '@yagura/core/alerthub/decision-log';
import { Problem, problemFromReply } from '@yagura/core/http/problem';
import { withRetry } from '@yagura/core/http/retry';
import { failureReason } from '@yagura/core/http/transport';
import { parseHeaders } from '../api/api-command.ts';
import type { DataOptions } from '../command-line/data-options.ts';
import { readFileOrStdinBytes } from '../command-line/read-file-or-stdin.ts';
import { StillRunningError } from '../command-line/report-error.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { quickFetch } from '../http/quick-fetch.ts';
import { ServerOutage } from '../live/server-outage.ts';
import { parseInteger } from '../resource/list.ts';
import { resolveId } from '../resource/meta/resolve-id.ts';
import { resourceClient, resourceNamed } from '../resource/meta/resource-client.ts';
import { parseOutputFormat } from '../resource/output/output-format.ts';
import { writeItem } from '../resource/output/write-output.ts';
import { openSession } from '../signin/session.ts';
import { networkReasonText } from '../terminal/network-error-text.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';
import { whyFormat, writeWhy } from './show-why.ts';

/** Milliseconds in which the slot has to reply. */
const replyTimeoutMs = 60_000;

export interface SendOptions extends DataOptions {
  slot: string;
  file?: string;
  header?: string[];
  contentType?: string;
  wait?: boolean;
  timeout?: string;
}

const defaultTimeoutSeconds = 30;
/** Poll delays in milliseconds; short at first because most evaluations finish at once. */
const pollDelaysMs = [50, 100, 200, 400, 800, 1000];

export async function sendMessage(terminal: Terminal, options: SendOptions): Promise<void> {
  const fields = { messageId: { kind: 'id', required: true, nullable: false } } as const;
  const format = options.wait ? whyFormat(options) : parseOutputFormat(options, Object.keys(fields));
  const timeout = parseInteger(options.timeout, '--timeout', 1, 3600) ?? defaultTimeoutSeconds;
  const headers = parseHeaders(options.header ?? []);
  const address = await slotAddress(terminal, options.slot);
  const content = await readContent(terminal, options.file);
  const sent = { 'content-type': options.contentType ?? guessContentType(content), ...headers };
  const call = { method: 'POST', headers: sent, signal: terminal.signal };
  const messageId = await withRetry(call, {}, () => postMessage(terminal, address, content, sent));
  printMessage(terminal, terminal.err.paint('success', terminal.t('cli.send.done', { id: messageId })));
  if (options.wait) {
    await writeWhy(terminal, await waitForEvaluation(terminal, messageId, timeout), format);
    return;
  }
  if (!format) terminal.out.write(`${messageId}\n`);
  else {
    const shape = { fields, columns: ['messageId'] };
    await writeItem(terminal, { messageId }, shape, format, { origin: '', fetch: quickFetch });
  }
}

/** Returns a URL unchanged, so that sending to a slot needs no sign-in. Throws when the slot has mail addresses. */
async function slotAddress(terminal: Terminal, slot: string): Promise<string> {
  if (/^https?:\/\//i.test(slot)) {
    if (!URL.canParse(slot)) throw new UsageError('cli.usage.address', { address: slot });
    return slot;
  }
  const { transport } = openSession(terminal);
  const meta = resourceNamed('receive-slot');
  const id = await resolveId(meta, slot, transport, {}, terminal.signal);
  const { kind, primary } = await resourceClient(meta, transport).show(id, {}, terminal.signal);
  if (kind === 'email') throw new UsageError('cli.usage.mail-slot', { slot, address: primary });
  return String(primary);
}

async function readContent(terminal: Terminal, file: string | undefined): Promise<Buffer> {
  if (file === undefined && terminal.stdin.isTTY) throw new UsageError('cli.usage.content');
  return readFileOrStdinBytes(file ?? '-', terminal, '--file');
}

function guessContentType(content: Buffer): string {
  try {
    JSON.parse(content.toString('utf8'));
    return 'application/json';
  } catch {
    return 'text/plain; charset=utf-8';
  }
}

async function postMessage(
  terminal: Terminal,
  address: string,
  content: Buffer,
  headers: Record<string, string>,
): Promise<string> {
  const deadline = AbortSignal.timeout(replyTimeoutMs);
  let response: Response;
  let text: string;
  try {
    response = await quickFetch(address, {
      method: 'POST',
      headers,
      body: content as unknown as BodyInit,
      signal: AbortSignal.any([terminal.signal, deadline]),
      redirect: 'error',
    });
    text = await response.text();
  } catch (cause) {
    const { t } = terminal;
    const detail = deadline.aborted
      ? t('cli.no-response', { seconds: replyTimeoutMs / 1000 })
      : networkReasonText(failureReason(cause), t);
    throw new Problem('unreachable', { detail, cause });
  }
  const reply = parseReply(text);
  const retryAfter = Number(response.headers.get('retry-after')) || undefined;
  if (!response.ok) throw problemFromReply(response.status, reply ?? text, { retryAfter });
  if (typeof reply?.messageId !== 'string') throw new Problem('internal', { detail: address });
  return reply.messageId;
}

function parseReply(text: string): { messageId?: unknown } | undefined {
  try {
    return JSON.parse(text) as { messageId?: unknown };
  } catch {
    return undefined;
  }
}

/** Polls until the message is evaluated and its deliveries were attempted, or until the timeout. */
async function waitForEvaluation(
  terminal: Terminal,
  messageId: string,
  timeout: number,
): Promise<DecisionLog> {
  const client = resourceClient(resourceNamed('message'), openSession(terminal).transport);
  const deadline = terminal.now() + timeout * 1000;
  const outage = new ServerOutage(terminal.now);
  for (let attempt = 0; ; attempt += 1) {
    const why = await outage.unlessAway(
      client.call<DecisionLog>('why', { id: messageId, signal: terminal.signal }),
    );
    const tried = why?.deliveries.every(
      (delivery) => delivery.attempts.length > 0 || delivery.status === 'succeeded',
    );
    if (why?.evaluatedAt && tried) return why;
    if (terminal.now() >= deadline) {
      if (why?.evaluatedAt) return why;
      throw new StillRunningError('cli.send.still');
    }
    await pause(pollDelaysMs[Math.min(attempt, pollDelaysMs.length - 1)], undefined, {
      signal: terminal.signal,
    });
  }
}
