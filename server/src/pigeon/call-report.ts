// What a line reports about a call, and the script of the call that follows from it. The chain engine alone
// writes scripts: each report becomes an event, and a line that speaks adds events for what it said.
import {
  type CallEvent,
  type CallEventKind,
  type KeySource,
  maxCallEvents,
} from '@yagura/core/pigeon/call-event';
import type { CallReason } from '@yagura/core/pigeon/result';
import { isoTime } from '../common/clock.ts';
import { type Detail, limitDetail } from '../common/detail.ts';
import { translatable } from '../common/translatable-text.ts';

/** An event as it is stored: its detail is translated for each reader. */
export type ScriptEvent = Omit<CallEvent, 'detail'> & { detail: Detail | null };

/** Report of a line about a call; `at` is the line's time in milliseconds since 1970, by default now. */
export type CallReport = { at?: number | undefined } & (
  | /** The line or a provider works on the call; the phone does not ring yet. */ { kind: 'accepted' }
  | { kind: 'ringing'; detail?: Detail | undefined }
  | { kind: 'answered'; detail?: Detail | undefined }
  | { kind: 'key'; key: string; source?: KeySource | undefined; readings?: number | undefined }
  | /** What the line did in the call, for the script; changes nothing else. */ {
      kind: 'event';
      event: ScriptEvent;
    }
  | {
      kind: 'ended';
      reason?: CallReason | undefined;
      readings?: number | undefined;
      /** Technical detail such as "486 Busy Here". */
      detail?: Detail | undefined;
    }
);

export function callEventAt(
  at: number,
  kind: CallEventKind,
  values: Partial<Omit<ScriptEvent, 'at' | 'kind'>> = {},
): ScriptEvent {
  const { text = null, key = null, source = null, detail = null } = values;
  return {
    at: isoTime(at),
    kind,
    text,
    key,
    source,
    detail: detail === null ? null : limitDetail(detail),
  };
}

/** Why the chain engine ended a call whose line did not: nothing was reported within the milliseconds. */
export function timeoutDetail(limit: 'begin' | 'ring' | 'call', milliseconds: number): Detail {
  const seconds = milliseconds / 1000;
  if (limit === 'call') return translatable('pigeon.detail.call-timeout', { minutes: seconds / 60 });
  return translatable(`pigeon.detail.${limit}-timeout`, { seconds });
}

/** The event that a report adds to the script; null if it adds none. */
export function eventOfReport(report: CallReport, now: number): ScriptEvent | null {
  const at = report.at ?? now;
  switch (report.kind) {
    case 'accepted':
      return null;
    case 'event':
      return report.event;
    case 'key':
      return callEventAt(at, 'key', { key: report.key, source: report.source ?? null });
    case 'ringing':
    case 'answered':
    case 'ended':
      return callEventAt(at, report.kind, { detail: report.detail ?? null });
  }
}

/** Adds an event; in a full script it takes the place of the last one. A repeated ring or answer is not added. */
export function appendCallEvent(call: { script?: readonly ScriptEvent[] }, event: ScriptEvent): void {
  const script = call.script ?? [];
  const isRepeated =
    (event.kind === 'ringing' || event.kind === 'answered') && script.some(({ kind }) => kind === event.kind);
  if (!isRepeated) call.script = [...script.slice(0, maxCallEvents - 1), event];
}

/**
 * Status and reason of a call that ended without success. A call answered without a key press counts as missed; a
 * callee of a transfer who answered was not connected to the destination.
 */
export function outcomeWithoutSuccess(
  { transfer, answeredAt }: { transfer: boolean; answeredAt: number | null },
  reason: CallReason | undefined,
): { status: 'missed' | 'failed'; reason: CallReason } {
  if (reason === 'interrupted') return { status: 'failed', reason };
  if (answeredAt !== null)
    return transfer
      ? { status: 'failed', reason: transferFailures[reason ?? ''] ?? 'transferFailed' }
      : { status: 'missed', reason: 'noInput' };
  if (reason === 'busy') return { status: 'missed', reason };
  if (reason === undefined || reason === 'noAnswer' || reason === 'noInput')
    return { status: 'missed', reason: 'noAnswer' };
  return { status: 'failed', reason };
}

const transferFailures: Partial<Record<string, CallReason>> = {
  busy: 'transferBusy',
  noAnswer: 'transferNoAnswer',
};
