import { isDeepStrictEqual } from 'node:util';
import type { Behavior } from '@yagura/core/pigeon/call-constants';
import { isFinalStatus } from '@yagura/core/pigeon/call-constants';
import type { CallReason } from '@yagura/core/pigeon/result';
import { describe, expect, test } from 'vitest';
import { type CallReport, callEventAt } from './call-report.ts';
import {
  type CallChainState,
  type ChainCall,
  type ChainInput,
  type ChainPlan,
  chainTimeoutsMs,
  dueAt,
  initialChainState,
  stepChain,
} from './chain-state.ts';

const start = Date.parse('2026-01-01T00:00:00.000Z');
const second = 1000;

function planOf(names: string[], loopLimit = 1): ChainPlan {
  const behaviors: Behavior[] = ['terminate', 'continue', 'leave', 'transfer'];
  return {
    stops: names.map((name) => ({
      key: name,
      contactId: null,
      displayName: name,
      phoneNumber: name === 'nophone' ? null : `0${name.length}00`,
    })),
    transferTo: { key: 'boss', contactId: null, displayName: 'boss', phoneNumber: '0999' },
    loopLimit,
    message: 'Alert',
    reactions: Object.fromEntries(
      behaviors.map((behavior, at) => [String(at + 1), { behavior, message: '' }]),
    ),
  };
}

/** Runs one chain and logs its actions line by line. */
class Play {
  state: CallChainState = initialChainState();
  now = start;
  readonly calls = new Map<string, ChainCall>();
  readonly said: string[] = [];
  private readonly plan: ChainPlan;
  private count = 0;

  constructor(plan: ChainPlan) {
    this.plan = plan;
  }

  give(input: ChainInput): this {
    const before = structuredClone(this.state);
    const given = this.state;
    const step = stepChain(this.plan, given, input, this.now, () => `call${++this.count}`);
    if (!isDeepStrictEqual(given, before)) throw new Error('the given state was changed');
    this.state = step.state;
    for (const call of step.calls) this.calls.set(call.callId, structuredClone(call));
    for (const callId of step.hangUp) this.said.push(`hang up ${callId}`);
    if (step.dial) this.said.push(`dial ${step.dial.stop.displayName}${step.dial.transfer ? ' back' : ''}`);
    this.said.push(...step.events);
    return this;
  }

  tell(...reports: CallReport[]): this {
    for (const report of reports)
      this.give({ kind: 'report', callId: this.state.call?.callId ?? '', report });
    return this;
  }

  pass(milliseconds: number): this {
    this.now += milliseconds;
    return this.give({ kind: 'tick' });
  }

  outcome() {
    const calls = [...this.calls.values()].map(
      ({ stop, status, reason, keyInput }) =>
        `${stop.displayName} ${status}${reason ? ` ${reason}` : ''}${keyInput ? ` ${keyInput}` : ''}`,
    );
    return { status: this.state.status, reason: this.state.reason, loop: this.state.loop, calls };
  }
}

const accepted: CallReport = { kind: 'accepted' };
const ringing: CallReport = { kind: 'ringing' };
const answered: CallReport = { kind: 'answered' };
const ended: CallReport = { kind: 'ended' };
const key = (pressed: string): CallReport => ({ kind: 'key', key: pressed });
const gone = (reason: CallReason): CallReport => ({ kind: 'ended', reason });
const transferred: CallReport = { kind: 'event', event: callEventAt(start, 'transferred') };

describe('a chain', () => {
  test.each<[string, string[], number, CallReport[], ReturnType<Play['outcome']>]>([
    [
      'ends as succeeded by a terminate key',
      ['a', 'b'],
      2,
      [ringing, answered, key('1'), ended],
      { status: 'succeeded', reason: 'terminated', loop: 1, calls: ['a succeeded 1'] },
    ],
    [
      'goes on with the next contact after a continue key and after nobody answered',
      ['a', 'b', 'c'],
      1,
      [ringing, answered, key('2'), ended, ringing, ended, ringing, key('1'), ended],
      {
        status: 'succeeded',
        reason: 'terminated',
        loop: 1,
        calls: ['a succeeded 2', 'b missed noAnswer', 'c succeeded 1'],
      },
    ],
    [
      'fails when its loops are over',
      ['a'],
      2,
      [ringing, ended, ringing, gone('busy')],
      { status: 'failed', reason: 'loopsExhausted', loop: 2, calls: ['a missed noAnswer', 'a missed busy'] },
    ],
    [
      'does not call again who left',
      ['a', 'b'],
      2,
      [ringing, key('3'), ended, ringing, ended, ringing, ended],
      {
        status: 'failed',
        reason: 'loopsExhausted',
        loop: 2,
        calls: ['a succeeded 3', 'b missed noAnswer', 'b missed noAnswer'],
      },
    ],
    [
      'fails when everybody has left',
      ['a', 'a'],
      5,
      [ringing, key('3'), ended],
      { status: 'failed', reason: 'everybodyLeft', loop: 1, calls: ['a succeeded 3'] },
    ],
    [
      'calls back for a transfer and succeeds when that is connected',
      ['a', 'b'],
      2,
      [ringing, answered, key('4'), ended, ringing, answered, transferred, gone('unreachable')],
      { status: 'succeeded', reason: 'transferred', loop: 1, calls: ['a succeeded 4', 'a succeeded'] },
    ],
    [
      'takes a transfer whose line reports no connection and no reason as connected',
      ['a'],
      1,
      [ringing, answered, key('4'), ended, ringing, answered, ended],
      { status: 'succeeded', reason: 'transferred', loop: 1, calls: ['a succeeded 4', 'a succeeded'] },
    ],
    ...(
      [
        ['busy', 'transferBusy'],
        ['noAnswer', 'transferNoAnswer'],
        ['unreachable', 'transferFailed'],
        ['rejected', 'transferFailed'],
      ] as const
    ).map(([reason, shown]): [string, string[], number, CallReport[], ReturnType<Play['outcome']>] => [
      `calls the next contact when the destination of a transfer is not connected: ${reason}`,
      ['a', 'b'],
      2,
      [ringing, answered, key('4'), ended, ringing, answered, gone(reason), ringing, key('1'), ended],
      {
        status: 'succeeded',
        reason: 'terminated',
        loop: 1,
        calls: ['a succeeded 4', `a failed ${shown}`, 'b succeeded 1'],
      },
    ]),
    [
      'calls the next contact when the callback of a transfer is missed',
      ['a', 'b'],
      1,
      [ringing, answered, key('4'), ended, ringing, ended, ringing, ended],
      {
        status: 'failed',
        reason: 'loopsExhausted',
        loop: 1,
        calls: ['a succeeded 4', 'a missed noAnswer', 'b missed noAnswer'],
      },
    ],
    [
      'counts an answer without a key, or with one that means nothing, as missed',
      ['a', 'b'],
      1,
      [ringing, answered, gone('noInput'), ringing, answered, key('9'), ended],
      {
        status: 'failed',
        reason: 'loopsExhausted',
        loop: 1,
        calls: ['a missed noInput', 'b missed noInput 9'],
      },
    ],
    [
      'takes the first key that means something',
      ['a'],
      1,
      [ringing, answered, key('7'), key('1'), key('2'), ended],
      { status: 'succeeded', reason: 'terminated', loop: 1, calls: ['a succeeded 1'] },
    ],
    [
      'fails a call that cannot be dialled and goes on',
      ['a', 'b'],
      1,
      [gone('unreachable'), ringing, key('1'), ended],
      {
        status: 'succeeded',
        reason: 'terminated',
        loop: 1,
        calls: ['a failed unreachable', 'b succeeded 1'],
      },
    ],
    [
      'passes over a contact whose phone is gone',
      ['nophone', 'b'],
      1,
      [ringing, key('1'), ended],
      {
        status: 'succeeded',
        reason: 'terminated',
        loop: 1,
        calls: ['nophone failed noPhone', 'b succeeded 1'],
      },
    ],
  ])('%s', (_name, names, loops, reports, outcome) => {
    const play = new Play(planOf(names, loops)).give({ kind: 'start' }).tell(...reports);
    expect(play.outcome()).toEqual(outcome);
    expect(play.state.endedAt).toBe(play.now);
    expect(dueAt(play.state)).toBeNull();
  });

  test.each<[string, CallReport[], ReturnType<Play['outcome']>]>([
    [
      'destination',
      [answered, gone('busy')],
      {
        status: 'failed',
        reason: 'transferFailed',
        loop: 1,
        calls: ['a succeeded 4', 'a failed transferBusy'],
      },
    ],
    [
      'callback',
      [ended],
      { status: 'failed', reason: 'transferMissed', loop: 1, calls: ['a succeeded 4', 'a missed noAnswer'] },
    ],
  ])('ends with a failed %s of a transfer where the callflow says so', (_name, reports, outcome) => {
    const play = new Play({ ...planOf(['a', 'b'], 2), endsAfterFailedTransfer: true }).give({
      kind: 'start',
    });
    play.tell(ringing, answered, key('4'), ended, ringing, ...reports);
    expect(play.outcome()).toEqual(outcome);
    expect(play.state.keyInput).toBe('4');
  });

  test('keeps no key of a transfer that failed', () => {
    const play = new Play(planOf(['a'])).give({ kind: 'start' });
    play.tell(ringing, answered, key('4'), ended, ringing, ended);
    expect(play.state).toMatchObject({ status: 'failed', reason: 'loopsExhausted', keyInput: null });
  });

  test('that has nobody to call has failed, in its first loop', () => {
    const play = new Play(planOf([], 3)).give({ kind: 'start' });
    expect(play.outcome()).toEqual({ status: 'failed', reason: 'everybodyLeft', loop: 1, calls: [] });
    expect(play.said).toEqual(['chain:started', 'chain:failed']);
  });

  test('tells that it started and how it ended, once', () => {
    const play = new Play(planOf(['a'])).give({ kind: 'start' }).give({ kind: 'start' });
    play.tell(ringing, key('1'), ended, ended).give({ kind: 'abort' });
    expect(play.said).toEqual(['dial a', 'chain:started', 'chain:succeeded']);
  });

  test('is preparing until something rings, then processing', () => {
    const play = new Play(planOf(['a']));
    expect(play.state.status).toBe('waiting');
    expect(play.give({ kind: 'start' }).state.status).toBe('preparing');
    expect(play.tell(accepted).state).toMatchObject({ status: 'preparing', call: { status: 'preparing' } });
    expect(play.tell(ringing).state.status).toBe('processing');
  });
});

describe('time', () => {
  const begun = (...reports: CallReport[]) =>
    new Play(planOf(['a', 'b'])).give({ kind: 'start' }).tell(...reports);

  test.each<[string, () => Play, number, string]>([
    ['a line that does not begin', () => begun(), chainTimeoutsMs.begin, 'a failed lineFailed'],
    [
      'an accepted call that does not ring',
      () => begun(accepted),
      chainTimeoutsMs.begin,
      'a failed lineFailed',
    ],
    ['a phone that rings', () => begun(accepted, ringing), chainTimeoutsMs.ring, 'a missed noAnswer'],
    [
      'a call in which nobody presses',
      () => begun(ringing, answered),
      chainTimeoutsMs.call,
      'a missed noInput',
    ],
    ['a reply that is never over', () => begun(ringing, key('2')), chainTimeoutsMs.call, 'a succeeded 2'],
  ])('%s is given up just then', (_name, play, limit, said) => {
    const early = play().pass(limit - 1);
    expect(early.said).toEqual(['dial a', 'chain:started']);
    const late = play().pass(limit);
    expect(late.outcome().calls[0]).toBe(said);
    expect(late.said).toEqual(['dial a', 'chain:started', 'hang up call1', 'dial b']);
  });

  test('a line has its time to begin from the acceptance', () => {
    const play = begun()
      .pass(chainTimeoutsMs.begin - 1)
      .tell(accepted)
      .pass(chainTimeoutsMs.begin - 1);
    expect(play.said).toEqual(['dial a', 'chain:started']);
    expect(play.pass(1).said).toContain('hang up call1');
  });

  test('an acceptance that arrives late changes nothing', () => {
    const play = begun(ringing).pass(10);
    const before = structuredClone(play.state);
    expect(play.tell(accepted).state).toEqual(before);
  });

  test('what is told of a call that is over changes nothing', () => {
    const play = begun(ringing).pass(chainTimeoutsMs.ring);
    const before = structuredClone(play.state);
    play.give({ kind: 'report', callId: 'call1', report: key('1') });
    expect(play.state).toEqual(before);
  });
});

describe('an abort', () => {
  test('of a waiting chain is over at once', () => {
    expect(new Play(planOf(['a'])).give({ kind: 'abort' }).outcome()).toMatchObject({
      status: 'aborted',
      reason: 'abortAsked',
      calls: [],
    });
  });

  test.each<[string, CallReport[], string]>([
    ['that is dialled', [], 'a aborted'],
    ['that rings', [ringing], 'a aborted'],
    ['that was answered', [ringing, answered], 'a aborted'],
    ['whose key goes on', [ringing, key('2')], 'a succeeded 2'],
  ])('hangs up a call %s and calls nobody more', (_name, reports, said) => {
    const play = new Play(planOf(['a', 'b'], 3))
      .give({ kind: 'start' })
      .tell(...reports)
      .give({ kind: 'abort' });
    expect(play.state.status).toBe('aborting');
    play.give({ kind: 'abort' }).tell(answered, key('1'), ended);
    expect(play.outcome()).toMatchObject({ status: 'aborted', reason: 'abortAsked' });
    expect(play.outcome().calls[0]).toMatch(said);
    expect(play.said.filter((line) => line.startsWith('dial'))).toEqual(['dial a']);
  });

  test('does not wait for a line that never hangs up', () => {
    const play = new Play(planOf(['a'])).give({ kind: 'start' }).tell(ringing).give({ kind: 'abort' });
    expect(play.pass(chainTimeoutsMs.hangUp - 1).state.status).toBe('aborting');
    expect(play.pass(1).state.status).toBe('aborted');
  });

  test('asked for again hangs up again, and gives the line no more time', () => {
    const play = new Play(planOf(['a'])).give({ kind: 'start' }).tell(ringing).give({ kind: 'abort' });
    play.pass(chainTimeoutsMs.hangUp - 1).give({ kind: 'abort' });
    expect(play.said.filter((line) => line.startsWith('hang up'))).toEqual([
      'hang up call1',
      'hang up call1',
    ]);
    expect(play.pass(1).state.status).toBe('aborted');
  });

  test('after the key that ended the chain leaves it succeeded', () => {
    const play = new Play(planOf(['a']))
      .give({ kind: 'start' })
      .tell(ringing, key('1'))
      .give({ kind: 'abort' });
    expect(play.tell(ended).state.status).toBe('succeeded');
  });
});

describe('a lost line', () => {
  test('fails the call under way and goes on with the next contact', () => {
    const play = new Play(planOf(['a', 'b'])).give({ kind: 'start' }).tell(ringing, answered);
    play.give({ kind: 'interrupted' });
    expect(play.outcome().calls).toEqual(['a failed interrupted', 'b preparing']);
  });

  test.each<[string, CallReport[], string]>([
    ['keeps a key that was pressed', [ringing, key('1')], 'succeeded'],
    ['fails the chain else', [ringing], 'failed'],
  ])('for good: %s', (_name, reports, status) => {
    const play = new Play(planOf(['a', 'b'])).give({ kind: 'start' }).tell(...reports);
    expect(play.give({ kind: 'noLine' }).state.status).toBe(status);
  });
});

test('a call that the engine ends says how long its line reported nothing', () => {
  const play = new Play(planOf(['a', 'b', 'c'])).give({ kind: 'start' });
  play.pass(chainTimeoutsMs.begin);
  play.tell(ringing).pass(chainTimeoutsMs.ring);
  play.tell(ringing, answered).pass(chainTimeoutsMs.call);
  expect([...play.calls.values()].map(({ reason, script }) => [reason, script!.at(-1)!.detail])).toEqual([
    ['lineFailed', { word: 'pigeon.detail.begin-timeout', params: { seconds: 30 } }],
    ['noAnswer', { word: 'pigeon.detail.ring-timeout', params: { seconds: 30 } }],
    ['noInput', { word: 'pigeon.detail.call-timeout', params: { minutes: 10 } }],
  ]);
  expect([...play.calls.values()].map(({ script }) => script!.map(({ kind }) => kind))).toEqual([
    ['dialed', 'ended'],
    ['dialed', 'ringing', 'ended'],
    ['dialed', 'ringing', 'answered', 'ended'],
  ]);
});

describe('any walk', () => {
  /** Seeded random number generator from 0 to 1 (mulberry32). */
  const numbers = (seed: number) => () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let value = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };

  function must(holds: boolean, law: string): void {
    if (!holds) throw new Error(law);
  }

  test.each(Array.from({ length: 100 }, (_, seed) => seed))('of seed %i keeps what always holds', (seed) => {
    const random = numbers(seed);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    const names = Array.from({ length: 1 + Math.floor(random() * 4) }, () =>
      pick(['a', 'b', 'c', 'nophone']),
    );
    const plan = planOf(names, 1 + Math.floor(random() * 3));
    const play = new Play(plan).give({ kind: 'start' });
    const left = new Set<string>();
    for (let step = 0; step < 120; step++) {
      const before = structuredClone(play.state);
      const known = play.calls.size;
      play.now += Math.floor(random() * 40 * second);
      const chance = random();
      if (chance < 0.02) play.give({ kind: 'abort' });
      else if (chance < 0.08) play.give({ kind: 'interrupted' });
      else if (chance < 0.25) play.give({ kind: 'tick' });
      else if (chance < 0.3) play.give({ kind: 'report', callId: 'call1', report: pick([ended, key('1')]) });
      else
        play.tell(
          pick([ringing, answered, ended, ended, gone('busy'), key(pick(['2', '3', '3', '9', '1', '4']))]),
        );
      const { state } = play;
      if (isFinalStatus(before.status)) must(isDeepStrictEqual(state, before), 'final states are final');
      // At most one call is open, and only the last one.
      const open = [...play.calls.values()].filter((call) => call.endedAt === null);
      must(open.length === (state.call ? 1 : 0), 'one call at a time');
      must(!state.call || open[0]!.callId === [...play.calls.keys()].at(-1), 'the last call is under way');
      must(isFinalStatus(state.status) === (state.call === null), 'a chain without a call is over');
      must(state.loop <= plan.loopLimit, 'loops are limited');
      must(state.numberOfCalls === play.calls.size, 'every call is counted');
      for (const call of [...play.calls.values()].slice(known))
        must(!left.has(call.stop.key), 'who left is not called');
      for (const call of play.calls.values())
        if (call.behavior === 'leave' && call.endedAt !== null) left.add(call.stop.key);
      must((dueAt(state) === null) === (state.call === null), 'a call has a time limit');
    }
    // Without further input every chain ends.
    for (let turn = 0; turn < 100 && !isFinalStatus(play.state.status); turn++)
      play.pass(chainTimeoutsMs.call);
    expect(isFinalStatus(play.state.status)).toBe(true);
  });
});
