// What happens in an answered call: readings, keys, reactions. A state machine: the line reports the answer, keys
// and the end of each playback, and does what the machine requests. Time comes from its clock.
import type { CallEventKind, KeySource } from '@yagura/core/pigeon/call-event';
import { type SpokenKey, spokenKeys } from '@yagura/core/speech/spoken-text';
import type { Clock } from '../../common/clock.ts';
import { type CallReport, callEventAt } from '../call-report.ts';
import { readingPlan } from '../line.ts';

/** A text with its audio. */
export interface Prompt {
  text: string;
  samples: Int16Array;
}

export interface FlowPrompts {
  message: Prompt;
  noReply: Prompt;
  /** Keys with a reaction; null if nothing is read after the key. */
  reactions: Partial<Record<SpokenKey, Prompt | null>>;
  /** Says back each key. */
  keys: Partial<Record<SpokenKey, Prompt>>;
}

export interface FlowActions {
  /** Plays from an offset; `playbackEnded` follows unless it is stopped or replaced. */
  play(samples: Int16Array): void;
  stopPlaying(): void;
  hangUp(): void;
  /** The message of a transfer was read: connect the callee now. */
  connect(): void;
  report(report: CallReport): void;
}

/** Milliseconds of silence after the answer: phones open their speaker late, and people need to reach their ear. */
export const answerPauseMs = 500;

/** Keys accepted in one call; the call is hung up when more are pressed. */
export const maxKeys = 60;
const samplesPerMs = 8;

type Phase =
  | { name: 'idle' | 'ended' | 'connecting' }
  /** Answered; the reading begins after a pause. */
  | { name: 'opening' }
  | { name: 'reading'; prompt: Prompt; fromMs: number; since: number }
  | { name: 'waiting' }
  /** Saying back a key; then what was interrupted continues, or the reaction follows. */
  | { name: 'echo'; then: () => void; isFinal: boolean }
  | { name: 'goodbye'; since: number }
  | { name: 'reaction' };

export class CallFlow {
  private readonly prompts: FlowPrompts;
  private readonly actions: FlowActions;
  private readonly clock: Clock;
  private readonly isTransfer: boolean;
  private phase: Phase = { name: 'idle' };
  private cancelWait: (() => void) | undefined;
  private round = 1;
  private readingOfRound = 0;
  private keys = 0;
  /** Number of readings started. */
  readings = 0;
  private noInput = false;

  constructor(prompts: FlowPrompts, actions: FlowActions, options: { clock: Clock; isTransfer: boolean }) {
    this.prompts = prompts;
    this.actions = actions;
    this.clock = options.clock;
    this.isTransfer = options.isTransfer;
  }

  /** Whether the callee was told that no key was pressed. */
  get hadNoInput(): boolean {
    return this.noInput;
  }

  answered(): void {
    if (this.phase.name !== 'idle') return;
    this.phase = { name: 'opening' };
    this.cancelWait = this.clock.after(answerPauseMs, () => this.startReading());
  }

  playbackEnded(): void {
    const { phase } = this;
    if (phase.name === 'reading') this.readingEnded();
    else if (phase.name === 'echo') phase.then();
    else if (phase.name === 'goodbye' || phase.name === 'reaction') this.finish();
  }

  /** A key of the callee. Those after the decisive one are only reported. */
  keyPressed(key: string, source: KeySource): void {
    const { phase } = this;
    if (!isSpokenKey(key) || phase.name === 'idle' || phase.name === 'ended') return;
    this.keys += 1;
    this.actions.report({ kind: 'key', key, source, readings: this.readings, at: this.clock.now() });
    if (this.keys >= maxKeys) {
      this.finish();
      return;
    }
    const isDecided = phase.name === 'reaction' || (phase.name === 'echo' && phase.isFinal);
    if (this.isTransfer || isDecided) return;
    const resume = this.interrupt(phase);
    const reaction = this.prompts.reactions[key];
    if (reaction === undefined) this.sayBack(key, resume, false);
    else this.sayBack(key, () => this.react(reaction), true);
  }

  /** The call is over: nothing is requested anymore. */
  close(): void {
    this.cancelWait?.();
    this.phase = { name: 'ended' };
  }

  private startReading(): void {
    this.readings += 1;
    this.readingOfRound += 1;
    this.read(this.prompts.message, 0);
  }

  private read(prompt: Prompt, fromMs: number): void {
    this.phase = { name: 'reading', prompt, fromMs, since: this.clock.now() };
    this.event('reading', prompt.text);
    this.actions.play(prompt.samples.subarray(fromMs * samplesPerMs));
  }

  private readingEnded(): void {
    if (this.isTransfer) {
      this.phase = { name: 'connecting' };
      this.actions.connect();
    } else if (this.readingOfRound < readingPlan.perRound) this.startReading();
    else this.wait();
  }

  private wait(): void {
    this.phase = { name: 'waiting' };
    this.cancelWait = this.clock.after(readingPlan.waitSeconds * 1000, () => this.waitEnded());
  }

  private waitEnded(): void {
    if (this.round < readingPlan.rounds) {
      this.round += 1;
      this.readingOfRound = 0;
      this.startReading();
    } else this.sayGoodbye();
  }

  private sayGoodbye(): void {
    this.noInput = true;
    this.phase = { name: 'goodbye', since: this.clock.now() };
    this.event('reading', this.prompts.noReply.text);
    this.actions.play(this.prompts.noReply.samples);
  }

  /** Stops what is being played or awaited; the returned function continues it. */
  private interrupt(phase: Phase): () => void {
    this.cancelWait?.();
    this.actions.stopPlaying();
    switch (phase.name) {
      case 'reading': {
        this.event('readingStopped', phase.prompt.text);
        const playedMs = phase.fromMs + this.clock.now() - phase.since;
        return () => this.read(phase.prompt, playedMs);
      }
      case 'echo':
        return phase.then;
      case 'opening':
        return () => this.startReading();
      case 'goodbye':
        this.event('readingStopped', this.prompts.noReply.text);
        return () => this.sayGoodbye();
      default:
        return () => this.wait();
    }
  }

  private sayBack(key: SpokenKey, then: () => void, isFinal: boolean): void {
    const prompt = this.prompts.keys[key];
    this.phase = { name: 'echo', then, isFinal };
    if (!prompt) {
      then();
      return;
    }
    this.event('reading', prompt.text);
    this.actions.play(prompt.samples);
  }

  private react(reaction: Prompt | null): void {
    this.phase = { name: 'reaction' };
    this.noInput = false;
    if (!reaction) {
      this.finish();
      return;
    }
    this.event('reading', reaction.text);
    this.actions.play(reaction.samples);
  }

  private finish(): void {
    this.close();
    this.actions.hangUp();
  }

  private event(kind: CallEventKind, text: string): void {
    this.actions.report({ kind: 'event', event: callEventAt(this.clock.now(), kind, { text }) });
  }
}

function isSpokenKey(key: string): key is SpokenKey {
  return (spokenKeys as readonly string[]).includes(key);
}
