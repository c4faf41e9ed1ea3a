// One call of a chain in the worker: the phone, what is said to it, and for a transfer the second phone.
import type { CallEventKind } from '@yagura/core/pigeon/call-event';
import type { CallReason } from '@yagura/core/pigeon/result';
import type { Detail } from '../../common/detail.ts';
import { translatable } from '../../common/translatable-text.ts';
import { type CallReport, callEventAt } from '../call-report.ts';
import { chainTimeoutsMs } from '../chain-state.ts';
import { joinCalls } from '../media/join-calls.ts';
import { CallFlow, type FlowPrompts } from './call-flow.ts';
import { CallLeg, type LegDeps } from './call-leg.ts';
import type { WorkerCall, WorkerTransfer } from './worker-messages.ts';

export interface SipCallDeps extends Omit<LegDeps, 'callId'> {
  /** Whether the trunk takes REFER. */
  takesRefer(trunk: string): boolean;
}

export interface SipCallEvents {
  report(report: CallReport): void;
  /** After the report of the end, once both phones are released. */
  finished(attempted: string[], transferAttempted: string[]): void;
}

export class SipCall {
  private readonly deps: SipCallDeps & LegDeps;
  private readonly events: SipCallEvents;
  private readonly flow: CallFlow;
  private readonly leg: CallLeg;
  private second: CallLeg | undefined;
  private isSecondOver = true;
  private isEnded = false;
  /** Identifies the current playback; the end of an earlier one is ignored. */
  private playback = 0;
  /** Why the callee of a transfer is not connected to the destination; undefined once it is. */
  private transferFailure: { reason: CallReason; detail: Detail | null } | undefined;
  private cancelRinging: (() => void) | undefined;
  private unjoin: (() => void) | undefined;

  constructor(deps: SipCallDeps, call: WorkerCall, keys: FlowPrompts['keys'], events: SipCallEvents) {
    this.deps = { ...deps, callId: call.callId };
    this.events = events;
    this.flow = new CallFlow(
      { ...call.prompts, keys },
      {
        play: (samples) => this.play(samples, () => this.flow.playbackEnded()),
        stopPlaying: () => this.stopPlaying(),
        hangUp: () => this.leg.hangUp(),
        connect: () => this.connect(call.transfer!),
        report: (report) => this.report(report),
      },
      { clock: deps.clock, isTransfer: call.transfer !== null },
    );
    if (call.transfer) this.transferFailure = { reason: 'transferFailed', detail: null };
    this.leg = new CallLeg(this.deps, call.numbers, {
      ringing: (status) => this.report({ kind: 'ringing', detail: status }),
      answered: (trunk) => {
        this.report({ kind: 'answered', detail: trunk });
        this.flow.answered();
      },
      failed: (reason, why) => this.end(reason, why),
      ended: (why) => this.end(this.flow.hadNoInput ? 'noInput' : this.transferFailure?.reason, why),
      key: (key, source) => {
        if (!this.unjoin) this.flow.keyPressed(key, source);
        else if (source === 'info') void this.second?.media.sendKey(key);
      },
    });
  }

  start(): void {
    this.leg.start();
  }

  hangUp(): void {
    this.leg.hangUp();
  }

  private play(samples: Int16Array, then: () => void): void {
    this.playback += 1;
    const { playback } = this;
    void this.leg.media.play(samples).then((isComplete) => {
      if (isComplete && playback === this.playback && !this.isEnded) then();
    });
  }

  private stopPlaying(): void {
    this.playback += 1;
    this.leg.media.stopPlaying();
  }

  /** By REFER where the trunk takes it; otherwise, or if it is refused, through us. */
  private connect(transfer: WorkerTransfer): void {
    this.event('transferring', transfer.name);
    const { trunk } = this.leg;
    const number = transfer.numbers.find((one) => one.trunk === trunk)?.number;
    if (number === undefined || !this.deps.takesRefer(trunk)) {
      this.callSecond(transfer);
      return;
    }
    void this.leg.refer(number).then((isTransferred) => {
      if (this.isEnded) return;
      if (!isTransferred) this.callSecond(transfer);
      else {
        this.transferred(transfer, 'REFER');
        this.leg.hangUp();
      }
    });
  }

  private callSecond(transfer: WorkerTransfer): void {
    if (transfer.numbers.length === 0) {
      this.failTransfer(transfer, 'notAllowed', { word: 'value.notAllowed' });
      return;
    }
    this.leg.media.playRingingTone();
    this.isSecondOver = false;
    const second = new CallLeg(this.deps, transfer.numbers, {
      ringing: () => undefined,
      answered: (trunk) => this.join(transfer, second, trunk),
      failed: (reason, why) => {
        this.secondOver();
        if (this.isEnded) return;
        const params = { reason: { word: `value.${reason}` }, detail: why };
        this.failTransfer(transfer, reason, translatable('pigeon.detail.reason', params));
      },
      ended: () => {
        this.secondOver();
        this.leg.hangUp();
      },
      key: (key, source) => {
        if (source === 'info' && this.unjoin) void this.leg.media.sendKey(key);
      },
    });
    this.second = second;
    this.cancelRinging = this.deps.clock.after(chainTimeoutsMs.ring, () => second.hangUp());
    second.start();
  }

  private join(transfer: WorkerTransfer, second: CallLeg, trunk: string): void {
    this.cancelRinging?.();
    this.leg.media.stopPlaying();
    this.unjoin = joinCalls(this.leg.media, second.media);
    this.transferred(transfer, trunk);
  }

  private transferred({ name }: WorkerTransfer, how: string): void {
    this.transferFailure = undefined;
    this.event('transferred', name, how);
  }

  private failTransfer(transfer: WorkerTransfer, reason: CallReason, why: Detail): void {
    this.transferFailure = { reason, detail: why };
    this.leg.media.stopPlaying();
    this.event('reading', transfer.failed.text);
    this.play(transfer.failed.samples, () => this.leg.hangUp());
  }

  private secondOver(): void {
    this.isSecondOver = true;
    this.cancelRinging?.();
    this.unjoin?.();
    this.unjoin = undefined;
    if (this.isEnded) this.finish();
  }

  private end(reason: CallReason | undefined, why: Detail): void {
    if (this.isEnded) return;
    this.flow.close();
    const { readings } = this.flow;
    const transfer = this.transferFailure?.detail;
    const whole = transfer ? translatable('pigeon.detail.transfer', { detail: why, transfer }) : why;
    this.report({ kind: 'ended', reason, readings, detail: whole });
    this.isEnded = true;
    if (this.isSecondOver) this.finish();
    else this.second?.hangUp();
  }

  private finish(): void {
    this.unjoin?.();
    this.events.finished([...this.leg.attempted], [...(this.second?.attempted ?? [])]);
  }

  private event(kind: CallEventKind, text: string, how: string | null = null): void {
    const event = callEventAt(this.deps.clock.now(), kind, { text, detail: how });
    this.report({ kind: 'event', event });
  }

  private report(report: CallReport): void {
    if (!this.isEnded) this.events.report({ at: this.deps.clock.now(), ...report });
  }
}
