import { maxCallEvents } from '@yagura/core/pigeon/call-event';
import { describe, expect, test } from 'vitest';
import { appendCallEvent, callEventAt, eventOfReport } from './call-report.ts';
import {
  type CallReport,
  type ChainInput,
  type ChainPlan,
  initialChainState,
  stepChain,
} from './chain-state.ts';

const now = Date.parse('2026-01-01T00:00:00.000Z');

describe('the script of a call', () => {
  const plan: ChainPlan = {
    stops: [{ key: 'a', contactId: null, displayName: 'a', phoneNumber: '0300' }],
    transferTo: null,
    loopLimit: 1,
    message: 'Alert',
    reactions: { 1: { behavior: 'terminate', message: '' } },
  };

  function scriptAfter(...inputs: (CallReport | ChainInput)[]): string[] {
    let at = now;
    let state = stepChain(plan, initialChainState(), { kind: 'start' }, at, () => 'call').state;
    let script = state.call!.script!;
    for (const input of inputs) {
      at += 1000;
      const isInput = input.kind === 'abort' || input.kind === 'interrupted' || input.kind === 'tick';
      const step = stepChain(
        plan,
        state,
        isInput ? input : { kind: 'report', callId: 'call', report: input as CallReport },
        at,
        () => 'next',
      );
      state = step.state;
      script = step.calls.find(({ callId }) => callId === 'call')?.script ?? script;
    }
    return script.map(({ at: time, kind, text, key, source, detail }) =>
      [time.slice(17, 19), kind, text, key, source, detail].filter(Boolean).join(' '),
    );
  }

  test('has every milestone with the details of the line, once', () => {
    expect(
      scriptAfter(
        { kind: 'accepted' },
        { kind: 'ringing', detail: '180 Ringing' },
        { kind: 'ringing' },
        { kind: 'answered' },
        { kind: 'event', event: callEventAt(now + 4500, 'reading', { text: 'Alert' }) },
        { kind: 'key', key: '7', source: 'tone' },
        { kind: 'key', key: '1', source: 'rtpEvent', at: now + 7000 },
        { kind: 'ended', detail: 'BYE' },
      ),
    ).toEqual([
      '00 dialed',
      '02 ringing 180 Ringing',
      '04 answered',
      '04 reading Alert',
      '06 key 7 tone',
      '07 key 1 rtpEvent',
      '08 ended BYE',
    ]);
  });

  test('ends when the engine ends the call without the line', () => {
    expect(scriptAfter({ kind: 'ringing' }, { kind: 'interrupted' })).toEqual([
      '00 dialed',
      '01 ringing',
      '02 ended',
    ]);
    expect(scriptAfter({ kind: 'abort' }, { kind: 'ended', detail: 'CANCEL' })).toEqual([
      '00 dialed',
      '02 ended CANCEL',
    ]);
  });

  test('is bounded and still ends with the last event', () => {
    const call: Parameters<typeof appendCallEvent>[0] = {};
    for (let at = 0; at < 1000; at++) appendCallEvent(call, callEventAt(now + at, 'key', { key: '5' }));
    appendCallEvent(call, callEventAt(now + 1000, 'ended'));
    expect(call.script).toHaveLength(maxCallEvents);
    expect(call.script!.at(-1)!.kind).toBe('ended');
  });

  test('cuts a long detail', () => {
    expect(eventOfReport({ kind: 'ended', detail: '\u{1f4de}'.repeat(300) }, now)!.detail).toHaveLength(200);
  });
});
