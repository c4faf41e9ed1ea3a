// Line that makes no calls: a simulated callee reacts by the last digits of the number, on the server's
// clock.
import type { SimulatedCallee } from '@yagura/core/pigeon/simulated-callee';
import type { Clock } from '../../common/clock.ts';
import type { CallReport } from '../chain-state.ts';
import type { CallOrder, PhoneLine } from '../line.ts';
import { noInputSeconds, readingSeconds, readingsStarted, roundSeconds } from './speech-timing.ts';

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

/** The reports of one call, with times in seconds after dialing. */
export function scriptCall(order: CallOrder, callee: SimulatedCallee): { at: number; report: CallReport }[] {
  const reports: { at: number; report: CallReport }[] = [];
  const add = (at: number, report: CallReport) => reports.push({ at, report });
  if (callee.kind === 'unreachable')
    return [{ at: ringDelaySeconds, report: { kind: 'ended', reason: 'unreachable' } }];
  add(ringDelaySeconds, { kind: 'ringing' });
  if (callee.kind === 'busy') add(ringDelaySeconds + 1, { kind: 'ended', reason: 'busy' });
  if (callee.kind === 'busy' || callee.kind === 'noAnswer') return reports;
  add(answerDelaySeconds, { kind: 'answered' });
  if (order.transferTo !== null) {
    add(answerDelaySeconds + talkSeconds, { kind: 'ended' });
    return reports;
  }
  const { message } = order;
  const one = readingSeconds(message);
  if (callee.kind === 'hangsUp') {
    add(answerDelaySeconds + 1, { kind: 'ended', readings: 1 });
  } else if (callee.kind === 'noInput') {
    const silent = noInputSeconds(message);
    const bye = readingSeconds(order.noReplyMessage);
    add(answerDelaySeconds + silent + bye, {
      kind: 'ended',
      reason: 'noInput',
      readings: readingsStarted(message, silent),
    });
  } else if (callee.kind === 'key') {
    const pressed = (callee.round - 1) * roundSeconds(message) + one;
    const { key } = callee;
    add(answerDelaySeconds + pressed, { kind: 'key', key, readings: readingsStarted(message, pressed) });
    const reaction = order.reactions[key as keyof typeof order.reactions];
    // A key without a reaction changes nothing: the readings continue to the end.
    const end = reaction
      ? pressed + (reaction.message ? readingSeconds(reaction.message) : 1)
      : noInputSeconds(message) + readingSeconds(order.noReplyMessage);
    add(answerDelaySeconds + end, {
      kind: 'ended',
      readings: readingsStarted(message, reaction ? pressed : end),
    });
  }
  return reports;
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
      const cancel = scriptCall(order, calleeFor(order.phoneNumber, defaultCallee)).map(({ at, report }) =>
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
