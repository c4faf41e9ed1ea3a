// `call` and `pigeon call --test`: start a call chain, and report its progress until it ends.

import { Problem } from '@yagura/core/http/problem';
import { dataKey } from '@yagura/core/i18n/message-key';
import { isFinalStatus, maxPhones, type ResultStatus } from '@yagura/core/pigeon/call-constants';
import type { ChainReply } from '@yagura/core/pigeon/chain';
import type { CallRecord } from '@yagura/core/pigeon/result';
import { invokeChain } from '@yagura/core/tasks/task-calls';
import type { DataOptions } from '../command-line/data-options.ts';
import { isCtrlC } from '../command-line/interruption.ts';
import { isYes, promptLine } from '../command-line/prompt.ts';
import { CommandError, StillRunningError } from '../command-line/report-error.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { ServerOutage } from '../live/server-outage.ts';
import { watchForChanges } from '../live/watch-for-changes.ts';
import { parseInteger } from '../resource/list.ts';
import { resolveId } from '../resource/meta/resolve-id.ts';
import { resourceClient, resourceNamed } from '../resource/meta/resource-client.ts';
import type { Row } from '../resource/meta/row.ts';
import { parseOutputFormat } from '../resource/output/output-format.ts';
import { writeItem } from '../resource/output/write-output.ts';
import { openSession, type Session } from '../signin/session.ts';
import { cleanLine } from '../terminal/clean.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';
import { callLines } from './call-lines.ts';

export interface CallOptions extends DataOptions {
  guidance: string;
  param?: string[];
  wait?: boolean;
  timeout?: string;
}

/** Poll interval in milliseconds when live changes are not available. */
const pollIntervalMs = 1000;

export async function startCall(terminal: Terminal, callflow: string, options: CallOptions): Promise<void> {
  const { transport } = openSession(terminal);
  const parameters = parseParameters(options.param ?? []);
  const [callflowId, guidanceId] = await Promise.all([
    resolveId(resourceNamed('callflow'), callflow, transport, {}, terminal.signal),
    resolveId(resourceNamed('guidance'), options.guidance, transport, {}, terminal.signal),
  ]);
  await runChain(terminal, { callflowId, guidanceId, parameters }, options);
}

/** `pigeon call --test`: calls one phone of a contact with a fixed text, and waits until the call ends. */
export async function startTestCall(
  terminal: Terminal,
  { test, phone, ...options }: DataOptions & { test: string; phone?: string; timeout?: string },
): Promise<void> {
  const { transport } = openSession(terminal);
  const { t } = terminal;
  const stop = {
    contactId: await resolveId(resourceNamed('contact'), test, transport, {}, terminal.signal),
    phone: parseInteger(phone, '--phone', 1, maxPhones) ?? 1,
  };
  const displayName = t('cli.call-test.name');
  const reactions = { 1: { behavior: 'terminate', messageTemplate: t('cli.call-test.thanks') } };
  const params = {
    callflow: { displayName, loopLimit: 1, contacts: [stop] },
    guidance: { displayName, messageTemplate: t('cli.call-test.text'), reactions },
  };
  await runChain(terminal, params, { ...options, wait: true });
}

async function runChain(
  terminal: Terminal,
  params: Record<string, unknown>,
  options: Pick<CallOptions, 'wait' | 'timeout'> & DataOptions,
): Promise<void> {
  const { fields, columns, detail } = resourceNamed('result');
  const format = parseOutputFormat(options, Object.keys(fields));
  const timeout = parseInteger(options.timeout, '--timeout', 1, 86_400);
  const session = openSession(terminal);
  const { transport } = session;
  const { resultId } = await invokeChain<ChainReply>(transport, { params }, terminal.signal);
  if (!resultId) throw new Problem('internal', { detail: 'the chain has no result' });
  printMessage(terminal, terminal.t('cli.call.begun', { id: resultId }));
  if (!options.wait && !format) {
    terminal.out.write(`${resultId}\n`);
    return;
  }
  const result = options.wait
    ? await waitForResult(terminal, session, resultId, timeout)
    : await fetchResult(session, resultId, terminal.signal);
  await writeItem(
    terminal,
    result,
    { fields, columns: detail.length > 0 ? detail : columns },
    format,
    transport,
  );
  if (options.wait && result.status !== 'succeeded') {
    const reason = terminal.t(dataKey(`value.${String(result.reason ?? result.status)}`));
    throw new CommandError('cli.call.unsuccessful', { reason });
  }
}

/** `results abort`: requests that a chain stop. */
export async function abortResult(terminal: Terminal, resultId: string): Promise<void> {
  const { transport } = openSession(terminal);
  const { status } = await resourceClient(resourceNamed('chain'), transport).call<{ status: string }>(
    'abort',
    {
      body: { resultId },
      signal: terminal.signal,
    },
  );
  printMessage(terminal, terminal.t(status === 'requested' ? 'cli.call.aborting' : 'cli.call.over'));
}

/** Reports every change of the chain and its calls until it ends. */
async function waitForResult(
  terminal: Terminal,
  session: Session,
  resultId: string,
  timeout: number | undefined,
): Promise<Row> {
  const reported = new Map<string, string>();
  const deadline = timeout === undefined ? Number.POSITIVE_INFINITY : terminal.now() + timeout * 1000;
  const outage = new ServerOutage(terminal.now);
  let isOutageShown = false;
  const showOutage = ({ kind }: Problem) => {
    if (!isOutageShown) printMessage(terminal, terminal.t(`problem.${kind}`));
    isOutageShown = true;
  };
  let { signal } = terminal;
  for (;;) {
    const shown = outage.unlessAway(fetchResult(session, resultId, signal), showOutage);
    const result = await shown.catch((error) => {
      if (signal.aborted) return null;
      throw error;
    });
    if (result) {
      isOutageShown = false;
      reportChanges(terminal, result, reported);
      if (isFinalStatus(result.status as ResultStatus)) return result;
    }
    if (terminal.now() >= deadline) throw new StillRunningError('cli.call.still');
    if (!signal.aborted) await waitForChange(session, signal, resultId);
    if (!signal.aborted) continue;
    // Without someone to ask, the chain continues and the command exits as interrupted.
    if (signal !== terminal.signal || !(await confirmAbort(terminal)))
      throw new StillRunningError('cli.call.still');
    signal = new AbortController().signal;
    await resourceClient(resourceNamed('chain'), session.transport).call('abort', {
      body: { resultId },
      signal,
    });
  }
}

async function waitForChange(session: Session, signal: AbortSignal, resultId: string): Promise<void> {
  const isRelevant = ({ resource, id }: { resource: string; id: string }) =>
    resource === 'result' && id === resultId;
  for await (const _ of watchForChanges(session, pollIntervalMs, signal, isRelevant)) return;
}

/** The first interrupt has already aborted the terminal's signal; a second one ends the command. */
async function confirmAbort(terminal: Terminal): Promise<boolean> {
  if (!terminal.canPrompt || !isCtrlC(terminal.signal)) return false;
  const uninterrupted = { ...terminal, signal: new AbortController().signal };
  const answer = await promptLine(
    uninterrupted,
    `${terminal.t('cli.call.ask')} ${terminal.t('cli.ask.yes-no')} `,
  );
  return isYes(answer);
}

function fetchResult(session: Session, resultId: string, signal: AbortSignal): Promise<Row> {
  return resourceClient(resourceNamed('result'), session.transport).show(resultId, {}, signal);
}

function reportChanges(terminal: Terminal, result: Row, reported: Map<string, string>): void {
  const { t } = terminal;
  const report = (key: string, line: string) => {
    if (reported.get(key) === line) return;
    reported.set(key, line);
    printMessage(terminal, cleanLine(line));
  };
  const simulated = result.line === 'simulator' ? ` (${t('value.simulator')})` : '';
  report('chain', `${t('label.status')}: ${t(dataKey(`value.${String(result.status)}`))}${simulated}`);
  for (const { key, depth, text } of callLines((result.calls ?? []) as CallRecord[], t))
    report(key, `${'  '.repeat(depth + 1)}${text}`);
}

export function parseParameters(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new UsageError('cli.usage.pair', { flag: '--param', text: pair });
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}
