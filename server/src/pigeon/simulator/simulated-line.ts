// Line that makes no calls: a simulated callee reacts by the last digits of the number, on the server's
// clock.
import type { CallEventKind } from '@yagura/core/pigeon/call-event';
import type { CallReason } from '@yagura/core/pigeon/result';
import type { SimulatedCallee } from '@yagura/core/pigeon/simulated-callee';
import { transferFailedText } from '@yagura/core/speech/spoken-text';
import type { Clock } from '../../common/clock.ts';
import { type CallReport, callEventAt } from '../call-report.ts';
import { chainTimeoutsMs } from '../chain-state.ts';
import type { CallOrder, PhoneLine } from '../line.ts';
import {
  noInputSeconds,
  readingSeconds,
  readingStarts,
  readingsStarted,
  roundSeconds,
} from './speech-timing.ts';

/** The reaction selected by a number's last two digits, see docs/pigeon-lines.md; `usual` for all others. */
export function calleeFor(phoneNumber: string, defaultCallee: SimulatedCallee): SimulatedCallee {
  const [tens, ones] = phoneNumber.slice(-2);
  if (tens === '0' && ones !== '0') return { kind: 'key', key: ones!, round: 1 };
  if (tens === '1' && ones !== '0') return { kind: 'key', key: ones!, round: 2 };
  switch (`${tens}${ones}`) {
    case '00':
      return { kind: 'noAnswer' };
    case '10':
      return { kind: 'noInput' };
    case '20':
      return { kind: 'busy' };
    case '30':
      return { kind: 'unreachable' };
    case '40':
      return { kind: 'hangsUp' };
    default:
      return defaultCallee;
  }
}

/** Seconds after dialing. */
const ringDelaySeconds = 1;
const answerDelaySeconds = 4;
/** Duration of a connected call in seconds. */
const talkSeconds = 20;

/** What one call is simulated from. */
interface SimulatedCall {
  order: CallOrder;
  callee: SimulatedCallee;
  /** What the destination of a transfer does. */
  destination: SimulatedCallee;
  /** Milliseconds since 1970. */
  dialedAt: number;
}

/** The reports of one call in order, with times in seconds after dialing. */
export function scriptCall(call: SimulatedCall): { at: number; report: CallReport }[] {
  const { order, callee, dialedAt } = call;
  if (callee.kind === 'unreachable')
    return [{ at: ringDelaySeconds, report: { kind: 'ended', reason: 'unreachable' } }];
  const script = new SimulatedScript(dialedAt);
  script.add(ringDelaySeconds, { kind: 'ringing' });
  if (callee.kind === 'busy') script.add(ringDelaySeconds + 1, { kind: 'ended', reason: 'busy' });
  if (callee.kind === 'busy' || callee.kind === 'noAnswer') return script.reports;
  script.add(answerDelaySeconds, { kind: 'answered' });
  if (order.transferTo === null) addReadings(script, order, callee);
  else addTransfer(script, call);
  return script.reports;
}

class SimulatedScript {
  readonly reports: { at: number; report: CallReport }[] = [];
  private readonly dialedAt: number;

  constructor(dialedAt: number) {
    this.dialedAt = dialedAt;
  }

  add(at: number, report: CallReport): void {
    this.reports.push({ at, report });
  }

  event(at: number, kind: CallEventKind, text: string): void {
    this.add(at, { kind: 'event', event: callEventAt(this.dialedAt + at * 1000, kind, { text }) });
  }
}

function addReadings(script: SimulatedScript, order: CallOrder, callee: SimulatedCallee): void {
  const { message, noReplyMessage } = order;
  const readUntil = (end: number) => {
    for (const start of readingStarts(message))
      if (start <= end) script.event(answerDelaySeconds + start, 'reading', message);
  };
  const silent = noInputSeconds(message);
  const sayGoodbye = () => {
    script.event(answerDelaySeconds + silent, 'reading', noReplyMessage);
    return silent + readingSeconds(noReplyMessage);
  };
  if (callee.kind === 'hangsUp') {
    readUntil(1);
    script.add(answerDelaySeconds + 1, { kind: 'ended', readings: 1 });
  } else if (callee.kind === 'noInput') {
    readUntil(silent);
    const end = sayGoodbye();
    script.add(answerDelaySeconds + end, {
      kind: 'ended',
      reason: 'noInput',
      readings: readingsStarted(message, silent),
    });
  } else if (callee.kind === 'key') {
    const pressed = (callee.round - 1) * roundSeconds(message) + readingSeconds(message);
    const { key } = callee;
    const press = (readings: number) =>
      script.add(answerDelaySeconds + pressed, { kind: 'key', key, readings });
    const readings = readingsStarted(message, pressed);
    const reaction = order.reactions[key as keyof typeof order.reactions];
    if (reaction) {
      readUntil(pressed);
      press(readings);
      script.event(answerDelaySeconds + pressed, 'readingStopped', message);
      if (reaction.message) script.event(answerDelaySeconds + pressed, 'reading', reaction.message);
      const end = pressed + (reaction.message ? readingSeconds(reaction.message) : 1);
      script.add(answerDelaySeconds + end, { kind: 'ended', readings });
      return;
    }
    // A key without a reaction changes nothing: the readings continue to the end.
    readUntil(silent);
    press(readings);
    const end = sayGoodbye();
    script.add(answerDelaySeconds + end, { kind: 'ended', readings: readingsStarted(message, end) });
  }
  script.reports.sort((one, other) => one.at - other.at);
}

/** The callee hears the message, then the destination is called. */
function addTransfer(script: SimulatedScript, { order, destination }: SimulatedCall): void {
  const name = order.transferName ?? '';
  script.event(answerDelaySeconds, 'reading', order.message);
  const dialed = answerDelaySeconds + readingSeconds(order.message);
  script.event(dialed, 'transferring', name);
  const failed = failureOf(destination);
  if (!failed) {
    const joined = dialed + answerDelaySeconds;
    script.event(joined, 'transferred', name);
    script.add(joined + (destination.kind === 'hangsUp' ? 1 : talkSeconds), { kind: 'ended' });
    return;
  }
  const text = transferFailedText[order.language];
  script.event(dialed + failed.after, 'reading', text);
  const end = dialed + failed.after + readingSeconds(text);
  script.add(end, { kind: 'ended', reason: failed.reason });
}

/** Why a destination is not connected and how many seconds after dialing it; null if it answers. */
function failureOf({ kind }: SimulatedCallee): { reason: CallReason; after: number } | null {
  if (kind === 'unreachable') return { reason: 'unreachable', after: ringDelaySeconds };
  if (kind === 'busy') return { reason: 'busy', after: ringDelaySeconds + 1 };
  if (kind === 'noAnswer') return { reason: 'noAnswer', after: chainTimeoutsMs.ring / 1000 };
  return null;
}

export function createSimulatedLine(clock: Clock, defaultCallee: SimulatedCallee): PhoneLine {
  const calls = new Map<string, { onReport: (report: CallReport) => void; cancel: (() => void)[] }>();
  const drop = (callId: string) => {
    for (const cancel of calls.get(callId)?.cancel ?? []) cancel();
    calls.delete(callId);
  };
  return {
    kind: 'simulator',
    outlives: false,
    dial(order, onReport) {
      const reports = scriptCall({
        order,
        callee: calleeFor(order.phoneNumber, defaultCallee),
        destination: calleeFor(order.transferTo ?? '', defaultCallee),
        dialedAt: clock.now(),
      });
      const cancel = reports.map(({ at, report }) =>
        clock.after(at * 1000, () => {
          if (report.kind === 'ended') calls.delete(order.callId);
          onReport(report);
        }),
      );
      calls.set(order.callId, { onReport, cancel });
    },
    hangUp({ callId }) {
      const call = calls.get(callId);
      drop(callId);
      call?.onReport({ kind: 'ended' });
    },
    close() {
      for (const callId of [...calls.keys()]) drop(callId);
    },
  };
}
