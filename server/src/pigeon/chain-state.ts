// Call chain as a pure state machine: time is an input, and its decisions are returned as commands.
import {
  type Behavior,
  type Digit,
  isFinalStatus,
  type ResultStatus,
} from '@yagura/core/pigeon/call-constants';
import type { ChainEvent } from '@yagura/core/pigeon/notification-setting';
import type { CallReason, CallStatus, ChainReason } from '@yagura/core/pigeon/result';
import {
  appendCallEvent,
  type CallReport,
  callEventAt,
  eventOfReport,
  outcomeWithoutSuccess,
  type ScriptEvent,
  timeoutDetail,
} from './call-report.ts';
import type { ChainPlan, PlannedStop } from './chain-plan.ts';

export type { CallReport } from './call-report.ts';
export type { ChainPlan, PlannedStop } from './chain-plan.ts';

/**
 * Limits in milliseconds for ringing, a call's duration, and a line's time to begin or hang up. The time to
 * begin starts anew when the line or a provider says that it works on the call.
 */
export const chainTimeoutsMs = { ring: 30_000, call: 600_000, begin: 30_000, hangUp: 10_000 } as const;

export interface ChainCall {
  callId: string;
  number: number;
  loop: number;
  stop: PlannedStop;
  status: CallStatus;
  /** Whether a provider has accepted the call; absent if it has not. */
  isAccepted?: boolean;
  transfer: boolean;
  keyInput: string | null;
  behavior: Behavior | null;
  readings: number;
  /** What happened, in order; absent for calls of earlier versions. */
  script?: readonly ScriptEvent[];
  reason: CallReason | null;
  startedAt: number;
  answeredAt: number | null;
  endedAt: number | null;
  /** Start of the current phase. */
  since: number;
}

export interface CallChainState {
  status: ResultStatus;
  reason: ChainReason | null;
  loop: number;
  /** Index of the current stop; -1 before the first. */
  at: number;
  left: readonly string[];
  /** Set once a key or a connected transfer has determined how the chain ends. */
  decided: 'terminated' | 'transferred' | null;
  abortAsked: boolean;
  keyInput: string | null;
  numberOfCalls: number;
  startedAt: number | null;
  endedAt: number | null;
  /** The call in progress; at most one. */
  call: ChainCall | null;
}

export type ChainInput =
  | { kind: 'start' }
  | { kind: 'report'; callId: string; report: CallReport }
  | { kind: 'tick' }
  | { kind: 'abort' }
  /** The line of the call in progress is gone. */
  | { kind: 'interrupted' }
  /** No line is configured anymore. */
  | { kind: 'noLine' };

export interface ChainStep {
  state: CallChainState;
  /** Calls started, changed or ended by this step, in order. */
  calls: readonly ChainCall[];
  dial: ChainCall | null;
  hangUp: readonly string[];
  /** The call in which a key was pressed that acknowledges the event. */
  acknowledgedIn: ChainCall | null;
  events: readonly ChainEvent[];
}

export const initialChainState = (): CallChainState => ({
  status: 'waiting',
  reason: null,
  loop: 0,
  at: -1,
  left: [],
  decided: null,
  abortAsked: false,
  keyInput: null,
  numberOfCalls: 0,
  startedAt: null,
  endedAt: null,
  call: null,
});

/** Whether the call in progress, if any, is still being requested and not yet placed by its line. */
export function isRequestingCall({ call }: CallChainState): boolean {
  return call?.status === 'preparing' && !call.isAccepted;
}

/** Time of the next tick that changes something, or null. */
export function dueAt({ status, call }: CallChainState): number | null {
  if (!call) return null;
  if (status === 'aborting') return call.since + chainTimeoutsMs.hangUp;
  if (call.answeredAt !== null) return call.startedAt + chainTimeoutsMs.call;
  return call.since + (call.status === 'preparing' ? chainTimeoutsMs.begin : chainTimeoutsMs.ring);
}

/**
 * Performs one step. An input without meaning in this state changes nothing; the given state is not mutated.
 */
export function stepChain(
  plan: ChainPlan,
  state: CallChainState,
  input: ChainInput,
  now: number,
  newId: () => string,
): ChainStep {
  const run = new ChainStepper(plan, state, now, newId);
  if (!isFinalStatus(state.status)) run.handleInput(input);
  return run.result();
}

class ChainStepper {
  private state: CallChainState;
  private readonly calls = new Map<string, ChainCall>();
  private dialled: ChainCall | null = null;
  private readonly hangUps: string[] = [];
  private acknowledgedIn: ChainCall | null = null;
  private readonly events: ChainEvent[] = [];
  private readonly plan: ChainPlan;
  private readonly now: number;
  private readonly newId: () => string;

  constructor(plan: ChainPlan, state: CallChainState, now: number, newId: () => string) {
    this.plan = plan;
    this.state = { ...state, call: state.call && { ...state.call } };
    this.now = now;
    this.newId = newId;
  }

  result(): ChainStep {
    const { state, dialled, hangUps, acknowledgedIn, events } = this;
    return { state, calls: [...this.calls.values()], dial: dialled, hangUp: hangUps, acknowledgedIn, events };
  }

  handleInput(input: ChainInput): void {
    switch (input.kind) {
      case 'start':
        this.start();
        break;
      case 'report':
        if (input.callId === this.state.call?.callId) this.report(this.state.call, input.report);
        break;
      case 'tick':
        this.tick();
        break;
      case 'abort':
        this.abort();
        break;
      case 'interrupted':
        if (this.state.call) this.endCall(this.state.call, 'interrupted');
        break;
      case 'noLine':
        this.loseLine();
    }
  }

  private start(): void {
    if (this.state.status !== 'waiting') return;
    Object.assign(this.state, { status: 'preparing', startedAt: this.now, loop: 1 });
    this.events.push('chain:started');
    this.callNext();
  }

  private report(call: ChainCall, report: CallReport): void {
    if ('readings' in report && report.readings !== undefined)
      call.readings = Math.max(call.readings, report.readings);
    const event = eventOfReport(report, this.now);
    if (event) appendCallEvent(call, event);
    this.calls.set(call.callId, call);
    switch (report.kind) {
      case 'accepted':
        if (call.status === 'preparing') Object.assign(call, { isAccepted: true, since: this.now });
        break;
      case 'ringing':
        if (call.status === 'preparing') this.setStatus(call, 'calling');
        break;
      case 'answered':
        this.answer(call);
        break;
      case 'key':
        this.answer(call);
        this.pressKey(call, report.key);
        break;
      case 'ended':
        this.endCall(call, report.reason);
        break;
      case 'event':
        if (report.event.kind === 'transferred') this.connectTransfer(call);
    }
    if (this.state.status === 'preparing' && call.status !== 'preparing') this.state.status = 'processing';
  }

  private answer(call: ChainCall): void {
    if (call.answeredAt !== null) return;
    call.answeredAt = this.now;
    if (call.status === 'preparing') this.setStatus(call, 'calling');
  }

  private connectTransfer(call: ChainCall): void {
    this.answer(call);
    if (!call.transfer || call.status !== 'calling') return;
    this.setStatus(call, 'succeeded');
    this.state.decided = 'transferred';
  }

  /** The first key with a reaction counts; any other key is only recorded. */
  private pressKey(call: ChainCall, key: string): void {
    if (call.transfer || call.behavior !== null) return;
    call.keyInput = key;
    const reaction = Object.hasOwn(this.plan.reactions, key) ? this.plan.reactions[key as Digit] : undefined;
    if (!reaction || call.status !== 'calling') return;
    call.behavior = reaction.behavior;
    if (reaction.acknowledge) this.acknowledgedIn = call;
    this.setStatus(call, 'succeeded');
    if (reaction.behavior !== 'terminate' && reaction.behavior !== 'transfer') return;
    this.state.keyInput = key;
    if (reaction.behavior === 'terminate') this.state.decided = 'terminated';
  }

  private tick(): void {
    const due = dueAt(this.state);
    const { call } = this.state;
    if (!call || due === null || due > this.now) return;
    if (this.state.status !== 'aborting') {
      this.hangUps.push(call.callId);
      const limit = call.answeredAt !== null ? 'call' : call.status === 'preparing' ? 'begin' : 'ring';
      const detail = timeoutDetail(limit, chainTimeoutsMs[limit]);
      if (call.script) appendCallEvent(call, callEventAt(this.now, 'ended', { detail }));
    }
    const isConnected = call.transfer && call.answeredAt !== null;
    this.endCall(call, isConnected ? undefined : call.status === 'preparing' ? 'lineFailed' : 'noAnswer');
  }

  private abort(): void {
    const { call } = this.state;
    if (!call) {
      this.end('aborted', 'abortAsked');
      return;
    }
    this.hangUps.push(call.callId);
    if (this.state.abortAsked) return;
    this.state.abortAsked = true;
    this.state.status = 'aborting';
    this.setStatus(call, call.status === 'succeeded' ? 'succeeded' : 'aborting');
  }

  private loseLine(): void {
    const { call } = this.state;
    if (call) this.settle(call, 'interrupted');
    if (!this.endAsDecided()) this.end('failed', 'noLine');
  }

  /** Ends the call in progress and continues the chain. */
  private endCall(call: ChainCall, reason: CallReason | undefined): void {
    const isAnsweredTransfer = call.transfer && call.answeredAt !== null;
    // A line that does not report the connection reports only why there was none.
    if (isAnsweredTransfer && reason === undefined) this.connectTransfer(call);
    this.settle(call, reason);
    if (this.endAsDecided()) return;
    if (call.transfer) this.failTransfer(isAnsweredTransfer ? 'transferFailed' : 'transferMissed');
    else if (call.behavior === 'transfer') this.startCall(call.stop, true);
    else {
      if (call.behavior === 'leave') this.state.left = [...this.state.left, call.stop.key];
      this.callNext();
    }
  }

  private failTransfer(reason: ChainReason): void {
    if (this.plan.endsAfterFailedTransfer) {
      this.end('failed', reason);
      return;
    }
    // The key has not determined how the chain ends.
    this.state.keyInput = null;
    this.callNext();
  }

  /** A key that ended the chain takes precedence over a later request to stop it. */
  private endAsDecided(): boolean {
    const { decided, abortAsked } = this.state;
    if (decided) this.end('succeeded', decided);
    else if (abortAsked) this.end('aborted', 'abortAsked');
    return decided !== null || abortAsked;
  }

  /** Sets the final status of the call. */
  private settle(call: ChainCall, reason: CallReason | undefined): void {
    call.endedAt = this.now;
    if (call.script && call.script.at(-1)?.kind !== 'ended')
      appendCallEvent(call, callEventAt(this.now, 'ended'));
    this.calls.set(call.callId, call);
    this.state.call = null;
    if (call.status === 'succeeded') return;
    if (call.status === 'aborting') call.status = 'aborted';
    else Object.assign(call, outcomeWithoutSuccess(call, reason));
  }

  /** Calls the next remaining stop, loop after loop. */
  private callNext(): void {
    for (let stop = this.nextStop(); stop; stop = this.nextStop()) {
      if (stop.phoneNumber !== null) {
        this.startCall(stop, false);
        return;
      }
      this.settle(this.newCall(stop, false), 'noPhone');
    }
  }

  /** Advances to the next stop; null when there is none and the chain has ended. */
  private nextStop(): PlannedStop | null {
    const { stops, loopLimit } = this.plan;
    const { state } = this;
    const gone = stops.every((stop) => state.left.includes(stop.key));
    if (gone) this.end('failed', 'everybodyLeft');
    while (!gone) {
      state.at += 1;
      if (state.at >= stops.length) {
        if (state.loop >= loopLimit) {
          this.end('failed', 'loopsExhausted');
          break;
        }
        state.loop += 1;
        state.at = 0;
      }
      const stop = stops[state.at]!;
      if (!state.left.includes(stop.key)) return stop;
    }
    return null;
  }

  private startCall(stop: PlannedStop, transfer: boolean): void {
    const call = this.newCall(stop, transfer);
    appendCallEvent(call, callEventAt(this.now, 'dialed'));
    this.state.call = call;
    this.dialled = call;
  }

  private newCall(stop: PlannedStop, transfer: boolean): ChainCall {
    this.state.numberOfCalls += 1;
    const call: ChainCall = {
      callId: this.newId(),
      number: this.state.numberOfCalls,
      loop: this.state.loop,
      stop,
      status: 'preparing',
      transfer,
      keyInput: null,
      behavior: null,
      readings: 0,
      reason: null,
      startedAt: this.now,
      answeredAt: null,
      endedAt: null,
      since: this.now,
    };
    this.calls.set(call.callId, call);
    return call;
  }

  private setStatus(call: ChainCall, status: CallStatus): void {
    call.status = status;
    call.since = this.now;
    this.calls.set(call.callId, call);
  }

  private end(status: 'succeeded' | 'aborted' | 'failed', reason: ChainReason): void {
    Object.assign(this.state, { status, reason, endedAt: this.now, call: null });
    this.events.push(`chain:${status}`);
  }
}
