// The line that dials nobody: a made-up person answers by the last digits of the number, on the server's clock.
import type { Clock } from '../clock.ts';
import type { Report } from './chain-state.ts';
import { readingSeconds, readingsBegun, silentSeconds } from './conversation.ts';
import type { CallOrder, Line } from './line.ts';

/** What the made-up person does. `key` is pressed while the message is read, or in the round named. */
export type Habit =
  | { kind: 'key'; key: string; round: number }
  | { kind: 'noAnswer' | 'noInput' | 'busy' | 'unreachable' | 'hangsUp' };

/** Reads the habit of numbers that tell none: `key:1` to `key:9`, `noAnswer`, `noInput`, `busy`, `unreachable` or `hangsUp`. */
export function parseHabit(text: string): Habit | null {
  const key = /^key:([1-9])$/.exec(text)?.[1];
  if (key) return { kind: 'key', key, round: 1 };
  const kind = (['noAnswer', 'noInput', 'busy', 'unreachable', 'hangsUp'] as const).find(
    (one) => one === text,
  );
  return kind ? { kind } : null;
}

/** The habit that a number tells by its last two digits, see docs/pigeon-lines.md; `usual` for all others. */
export function habitOf(phoneNumber: string, usual: Habit): Habit {
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
      return usual;
  }
}

/** Seconds after dialling. */
const ringsAfter = 1;
const answersAfter = 4;
/** How long two people talk who were connected. */
const talkSeconds = 20;

/** The reports of one call with their times in seconds after dialling. */
export function script(order: CallOrder, habit: Habit): { at: number; report: Report }[] {
  const said: { at: number; report: Report }[] = [];
  const add = (at: number, report: Report) => said.push({ at, report });
  if (habit.kind === 'unreachable')
    return [{ at: ringsAfter, report: { kind: 'ended', reason: 'unreachable' } }];
  add(ringsAfter, { kind: 'ringing' });
  if (habit.kind === 'busy') add(ringsAfter + 1, { kind: 'ended', reason: 'busy' });
  if (habit.kind === 'busy' || habit.kind === 'noAnswer') return said;
  add(answersAfter, { kind: 'answered' });
  if (order.transferTo !== null) {
    add(answersAfter + talkSeconds, { kind: 'ended' });
    return said;
  }
  const { message } = order;
  const one = readingSeconds(message);
  if (habit.kind === 'hangsUp') {
    add(answersAfter + 1, { kind: 'ended', readings: 1 });
  } else if (habit.kind === 'noInput') {
    const silent = silentSeconds(message);
    const bye = readingSeconds(order.noReplyMessage);
    add(answersAfter + silent + bye, {
      kind: 'ended',
      reason: 'noInput',
      readings: readingsBegun(message, silent),
    });
  } else if (habit.kind === 'key') {
    const pressed = habit.round === 1 ? one : silentSeconds(message) / 3 + one;
    const { key } = habit;
    add(answersAfter + pressed, { kind: 'key', key, readings: readingsBegun(message, pressed) });
    const reaction = order.reactions[key as keyof typeof order.reactions];
    // A key that means nothing changes nothing: the readings go on to their end.
    const end = reaction
      ? pressed + (reaction.message ? readingSeconds(reaction.message) : 1)
      : silentSeconds(message) + readingSeconds(order.noReplyMessage);
    add(answersAfter + end, { kind: 'ended', readings: readingsBegun(message, reaction ? pressed : end) });
  }
  return said;
}

export function createSimulator(clock: Clock, usual: Habit): Line {
  const calls = new Map<string, { tell: (report: Report) => void; cancel: (() => void)[] }>();
  const drop = (callId: string) => {
    for (const cancel of calls.get(callId)?.cancel ?? []) cancel();
    calls.delete(callId);
  };
  return {
    kind: 'simulator',
    outlives: false,
    dial(order, tell) {
      const cancel = script(order, habitOf(order.phoneNumber, usual)).map(({ at, report }) =>
        clock.after(at * 1000, () => {
          if (report.kind === 'ended') calls.delete(order.callId);
          tell(report);
        }),
      );
      calls.set(order.callId, { tell, cancel });
    },
    hangUp({ callId }) {
      const call = calls.get(callId);
      drop(callId);
      call?.tell({ kind: 'ended' });
    },
    close() {
      for (const callId of [...calls.keys()]) drop(callId);
    },
  };
}
