// What the mock phone does with a call by itself: steps such as "ring 2s; answer; wait 3s; key 1; hang up".
import type { Violation } from '../validation/violation.ts';

export const maxPhoneSteps = 50;
/** Longest pause of one step. */
const maxSeconds = 600;

export type PhoneStep =
  | { kind: 'pause'; milliseconds: number }
  | { kind: 'answer' | 'busy' | 'decline' | 'hangUp' }
  | { kind: 'press'; key: string };

/** The words of each step; `ring` and `wait` are the same pause before and after the answer. */
type Word = 'ring' | 'wait' | 'key' | 'answer' | 'busy' | 'decline' | 'hang up';

const pauseStep = /^(ring|wait)\s+(\d{1,3}(?:\.\d{1,3})?)\s*s$/;
const keyStep = /^key\s+([0-9*#])$/;
const plainSteps: Record<string, PhoneStep['kind'] & ('answer' | 'busy' | 'decline' | 'hangUp')> = {
  answer: 'answer',
  busy: 'busy',
  decline: 'decline',
  'hang up': 'hangUp',
};

/** Steps are separated by semicolons or line breaks. Returns what is wrong with the first wrong step otherwise. */
export function parsePhoneScript(text: string): { steps: PhoneStep[] } | { violation: Violation } {
  const written = text
    .split(/[;\n]/)
    .map((step) => step.trim().toLowerCase().replace(/\s+/g, ' '))
    .filter(Boolean);
  if (written.length === 0) return { violation: { word: 'rule.required' } };
  if (written.length > maxPhoneSteps)
    return { violation: { word: 'pigeon.phone.too-many-steps', max: maxPhoneSteps } };
  const steps: PhoneStep[] = [];
  let state: 'ringing' | 'answered' | 'over' = 'ringing';
  for (const [index, step] of written.entries()) {
    const position = index + 1;
    const parsed = parseStep(step);
    if (!parsed) return { violation: { word: 'pigeon.phone.unknown-step', position } };
    if (!allowed[state].includes(parsed.word))
      return { violation: { word: 'pigeon.phone.misplaced-step', position } };
    steps.push(parsed.step);
    if (parsed.word === 'answer') state = 'answered';
    else if (['busy', 'decline', 'hang up'].includes(parsed.word)) state = 'over';
  }
  return { steps };
}

const allowed: Record<'ringing' | 'answered' | 'over', readonly Word[]> = {
  ringing: ['ring', 'answer', 'busy', 'decline'],
  answered: ['wait', 'key', 'hang up'],
  over: [],
};

function parseStep(step: string): { word: Word; step: PhoneStep } | undefined {
  const pause = pauseStep.exec(step);
  if (pause) {
    const seconds = Number(pause[2]);
    if (seconds > maxSeconds) return undefined;
    return { word: pause[1] as Word, step: { kind: 'pause', milliseconds: Math.round(seconds * 1000) } };
  }
  const key = keyStep.exec(step);
  if (key) return { word: 'key', step: { kind: 'press', key: key[1]! } };
  if (!Object.hasOwn(plainSteps, step)) return undefined;
  return { word: step as Word, step: { kind: plainSteps[step]! } };
}
