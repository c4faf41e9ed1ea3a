// `call`: starts a chain of calls, and with --wait tells how it goes until it is over.

import { Problem } from '@yagura/core/http/problem';
import type { ChainReply } from '@yagura/core/pigeon/chain';
import { isFinal, type ResultStatus } from '@yagura/core/pigeon/key';
import type { CallRecord } from '@yagura/core/pigeon/result';
import { invokeChain } from '@yagura/core/work/task';
import { timesToLook } from '../live/changes.ts';
import { dataForm } from '../resource/data-form.ts';
import type { Row } from '../resource/entry.ts';
import { entryClient, entryNamed } from '../resource/entry-client.ts';
import { wholeNumber } from '../resource/list.ts';
import { writeItem } from '../resource/output.ts';
import { resolveId } from '../resource/resolve.ts';
import { openSession, type Session } from '../signin/session.ts';
import { askLine, isYes } from '../term/ask.ts';
import { cleanLine } from '../term/clean.ts';
import type { DataOptions } from '../term/data-options.ts';
import { StillRunning } from '../term/failure.ts';
import { say, type Terminal } from '../term/terminal.ts';
import { Usage } from '../term/usage.ts';

export interface CallOptions extends DataOptions {
  guidance: string;
  param?: string[];
  wait?: boolean;
  timeout?: string;
}

/** Milliseconds between two looks where changes are not told. */
const pollIntervalMs = 1000;

export async function call(terminal: Terminal, callflow: string, options: CallOptions): Promise<void> {
  const { fields, columns, detail } = entryNamed('result');
  const form = dataForm(options, Object.keys(fields));
  const timeout = wholeNumber(options.timeout, '--timeout', 1, 86_400);
  const parameters = parametersOf(options.param ?? []);
  const session = openSession(terminal);
  const { transport } = session;
  const [callflowId, guidanceId] = await Promise.all([
    resolveId(entryNamed('callflow'), callflow, transport, {}, terminal.signal),
    resolveId(entryNamed('guidance'), options.guidance, transport, {}, terminal.signal),
  ]);
  const body = { params: { callflowId, guidanceId, parameters } };
  const { resultId } = await invokeChain<ChainReply>(transport, body, terminal.signal);
  if (!resultId) throw new Problem('internal', { detail: 'the chain has no result' });
  say(terminal, terminal.t('cli.call.begun', { id: resultId }));
  if (!options.wait && !form) {
    terminal.out.write(`${resultId}\n`);
    return;
  }
  const result = options.wait
    ? await follow(terminal, session, resultId, timeout)
    : await shown(session, resultId, terminal.signal);
  await writeItem(
    terminal,
    result,
    { fields, columns: detail.length > 0 ? detail : columns },
    form,
    transport,
  );
  if (options.wait && result.status !== 'succeeded') {
    const word = terminal.t(`value.${String(result.reason ?? result.status)}`);
    throw new Problem('rejected', { title: word, detail: word });
  }
}

/** `results abort`: asks a chain to stop. */
export async function abortResult(terminal: Terminal, resultId: string): Promise<void> {
  const { transport } = openSession(terminal);
  const { status } = await entryClient(entryNamed('chain'), transport).call<{ status: string }>('abort', {
    body: { resultId },
    signal: terminal.signal,
  });
  say(terminal, terminal.t(status === 'requested' ? 'cli.call.aborting' : 'cli.call.over'));
}

/** Tells every change of the chain and its calls, until it is over. */
async function follow(
  terminal: Terminal,
  session: Session,
  resultId: string,
  timeout: number | undefined,
): Promise<Row> {
  const told = new Map<string, string>();
  const end = timeout === undefined ? Number.POSITIVE_INFINITY : terminal.now() + timeout * 1000;
  let { signal } = terminal;
  for (;;) {
    const result = await shown(session, resultId, signal).catch((error) => {
      if (signal.aborted) return null;
      throw error;
    });
    if (result) {
      tellChanges(terminal, result, told);
      if (isFinal(result.status as ResultStatus)) return result;
      if (terminal.now() >= end) throw new StillRunning('cli.call.still');
    }
    if (!signal.aborted) await nextLook(session, signal, resultId);
    if (!signal.aborted) continue;
    // Where nobody can be asked, the chain goes on and the command ends as interrupted.
    if (!terminal.canAsk || signal !== terminal.signal || !(await wantsAbort(terminal)))
      throw new StillRunning('cli.call.still');
    signal = new AbortController().signal;
    await entryClient(entryNamed('chain'), session.transport).call('abort', { body: { resultId }, signal });
  }
}

async function nextLook(session: Session, signal: AbortSignal, resultId: string): Promise<void> {
  const concerns = ({ resource, id }: { resource: string; id: string }) =>
    resource === 'result' && id === resultId;
  for await (const _ of timesToLook(session, pollIntervalMs, signal, concerns)) return;
}

/** The interrupt that asks has ended the terminal's own signal; a second one ends the command. */
async function wantsAbort(terminal: Terminal): Promise<boolean> {
  const calm = { ...terminal, signal: new AbortController().signal };
  const answer = await askLine(calm, `${terminal.t('cli.call.ask')} ${terminal.t('cli.ask.yes-no')} `);
  return isYes(answer);
}

function shown(session: Session, resultId: string, signal: AbortSignal): Promise<Row> {
  return entryClient(entryNamed('result'), session.transport).show(resultId, {}, signal);
}

function tellChanges(terminal: Terminal, result: Row, told: Map<string, string>): void {
  const { t } = terminal;
  const tell = (key: string, line: string) => {
    if (told.get(key) === line) return;
    told.set(key, line);
    say(terminal, cleanLine(line));
  };
  const simulated = result.line === 'simulator' ? ` (${t('value.simulator')})` : '';
  tell('chain', `${t('label.status')}: ${t(`value.${String(result.status)}`)}${simulated}`);
  for (const call of (result.calls ?? []) as CallRecord[]) {
    const parts = [
      call.contact.displayName,
      call.phoneNumber,
      t(`value.${call.status}`),
      call.keyInput === null ? '' : `${t('label.keyInput')} ${call.keyInput}`,
      call.reason === null ? '' : t(`value.${call.reason}`),
    ];
    tell(call.callId, `  ${call.loop}: ${parts.filter(Boolean).join('  ')}`);
  }
}

function parametersOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new Usage('cli.usage.pair', { flag: '--param', text: pair });
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}
