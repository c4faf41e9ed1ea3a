// The preview of a chain equals a run of the simulated line.
import { type Digit, digits, isFinalStatus, readingPlan } from '@yagura/core/pigeon/call-constants';
import { maxPreviewCalls } from '@yagura/core/pigeon/ring-preview';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ManualClock } from '../../common/clock.ts';
import { toCallOrder } from '../call-order.ts';
import {
  type ChainCall,
  type ChainInput,
  type ChainPlan,
  dueAt,
  initialChainState,
  type PlannedStop,
  stepChain,
} from '../chain-state.ts';
import { previewRings } from './ring-preview.ts';
import { createSimulatedLine } from './simulated-line.ts';

/** Assumptions that a phone number can express, with the ending that the simulated line reads. */
const reactions = [
  ['00', 'noAnswer'],
  ['10', 'noInput'],
  ['20', 'busy'],
  ['30', 'unreachable'],
  ['40', 'hangsUp'],
  ...digits.map((digit) => [`0${digit}`, `key:${digit}`]),
  ...digits.map((digit) => [`1${digit}`, `key:${digit}:2`]),
] as [string, string][];

const behavior = fc.constantFrom(
  'terminate' as const,
  'continue' as const,
  'leave' as const,
  'transfer' as const,
);
const text = fc.string({ minLength: 1, maxLength: 400, unit: fc.constantFrom('a', ' ', '停', '.') });
const phone = fc.record({
  person: fc.integer({ min: 1, max: 3 }),
  reaction: fc.option(fc.constantFrom(...reactions)),
});
const chain = fc.record({
  phones: fc.array(phone, { minLength: 1, maxLength: 5 }),
  loopLimit: fc.integer({ min: 1, max: 4 }),
  message: text,
  reactions: fc.dictionary(fc.constantFrom(...digits), fc.record({ behavior, message: text })),
});

function planOf({
  phones,
  loopLimit,
  message,
  reactions: keys,
}: Parameters<Parameters<typeof chain.map>[0]>[0]) {
  const stop = (person: number, phoneNumber: string | null): PlannedStop => ({
    key: `person ${person}`,
    contactId: null,
    displayName: `person ${person}`,
    phoneNumber,
  });
  const plan: ChainPlan = {
    stops: phones.map(({ person, reaction }) => stop(person, reaction && `03000000${reaction[0]}`)),
    transferTo: stop(9, '0399999901'),
    loopLimit,
    message,
    reactions: keys as Partial<Record<Digit, { behavior: 'terminate'; message: string }>>,
  };
  return plan;
}

/** Runs the chain with the simulated line on a clock of the test. */
function runSimulated(plan: ChainPlan): { calls: ChainCall[]; status: string; seconds: number } {
  const clock = new ManualClock(0);
  const line = createSimulatedLine(clock, { kind: 'noAnswer' });
  const calls = new Map<string, ChainCall>();
  let state = initialChainState();
  let seconds = 0;
  let lastId = 0;
  const apply = (input: ChainInput) => {
    if (isFinalStatus(state.status)) return;
    const step = stepChain(plan, state, input, clock.now(), () => String(++lastId));
    state = step.state;
    seconds = clock.now() / 1000;
    for (const call of step.calls) calls.set(call.callId, call);
    for (const callId of step.hangUp) line.hangUp({ callId, resultId: '' });
    if (step.dial) {
      const { callId } = step.dial;
      line.dial(toCallOrder({ spaceId: '', resultId: '', plan }, step.dial), (report) =>
        apply({ kind: 'report', callId, report }),
      );
    }
    const due = dueAt(state);
    if (due !== null) clock.after(due - clock.now(), () => apply({ kind: 'tick' }));
  };
  apply({ kind: 'start' });
  for (let hour = 0; hour < 24 && !isFinalStatus(state.status); hour++) clock.advance(3_600_000);
  return { calls: [...calls.values()], status: state.status, seconds };
}

test('the preview is what the simulated line reports', () => {
  fc.assert(
    fc.property(chain, (given) => {
      const plan = planOf(given);
      const phones = given.phones.flatMap(({ reaction }, index) =>
        reaction ? [{ position: index + 1, assume: reaction[1] }] : [],
      );
      const preview = previewRings(plan, { assume: 'noAnswer', phones });
      const run = runSimulated(plan);
      expect(preview).toMatchObject({ status: run.status, endsAt: run.seconds, isCut: false });
      expect(
        preview.calls.map(({ startsAt, ringsAt, answeredAt, endsAt, loop, phoneNumber, ...call }) => [
          [startsAt, ringsAt, answeredAt, endsAt],
          [loop, phoneNumber, call.status, call.reason, call.keyInput, call.behavior, call.readings],
        ]),
      ).toEqual(
        run.calls.map((call) => {
          const ringing = call.script?.find(({ kind }) => kind === 'ringing');
          const times = [
            call.startedAt,
            ringing ? Date.parse(ringing.at) : null,
            call.answeredAt,
            call.endedAt,
          ];
          return [
            times.map((time) => (time === null ? null : time / 1000)),
            [
              call.loop,
              call.stop.phoneNumber ?? '',
              call.status,
              call.reason,
              call.keyInput,
              call.behavior,
              call.readings,
            ],
          ];
        }),
      );
    }),
    { numRuns: 200, seed: 18 },
  );
});

const alone = (phoneNumber: string | null, loopLimit = 1): ChainPlan => ({
  stops: [{ key: 'a', contactId: null, displayName: 'a', phoneNumber }],
  transferTo: null,
  loopLimit,
  message: 'x',
  reactions: { 5: { behavior: 'terminate', message: '' } },
});

test('a key can be pressed in each round', () => {
  const answers = Array.from({ length: readingPlan.rounds }, (_, index) =>
    previewRings(alone('0300000000'), { assume: `key:5:${index + 1}`, phones: [] }),
  );
  expect(answers.map(({ status, endsAt, calls }) => [status, endsAt, calls[0]?.readings])).toEqual([
    ['succeeded', 7, 2],
    ['succeeded', 21, 4],
    ['succeeded', 35, 6],
  ]);
});

test('a long chain is cut', () => {
  const plan = {
    ...alone('0300000000', 100),
    stops: Array.from({ length: 100 }, () => ({ ...alone('03').stops[0]! })),
  };
  const preview = previewRings(plan, { assume: 'busy', phones: [] });
  expect(preview.calls).toHaveLength(maxPreviewCalls);
  expect(preview).toMatchObject({ isCut: true, calls: { 100: { loop: 2, position: 1, startsAt: 200 } } });
});

test('a chain whose contacts have no phone ends at once', () => {
  expect(previewRings(alone(null, 2), { assume: 'busy', phones: [] })).toMatchObject({
    status: 'failed',
    reason: 'loopsExhausted',
    endsAt: 0,
    calls: [{ reason: 'noPhone' }, { reason: 'noPhone' }],
  });
});
