// What carries calls out into the world. A line is a driver: the engine decides, a line dials, speaks, listens and tells.
import type { Behavior, Digit } from '@yagura/core/pigeon/call-constants';
import type { LineKind } from '@yagura/core/pigeon/result';
import type { CallReport } from './chain-state.ts';

/** The message is read this often before a key is waited for, this often over, with this wait (facts 4.3). */
export const readingPlan = { perRound: 2, rounds: 3, waitSeconds: 10 } as const;

/** One call, with everything that a line needs to hold it. */
export interface CallOrder {
  callId: string;
  resultId: string;
  spaceId: string;
  phoneNumber: string;
  /** For the voice. */
  language: 'en' | 'ja';
  message: string;
  /** Read after the key, before the line is hung up. */
  reactions: Partial<Record<Digit, { behavior: Behavior; message: string }>>;
  /** Read when nobody pressed a key that means something. */
  noReplyMessage: string;
  /** Set for a call back: the number that whoever answers is connected to. */
  transferTo: string | null;
}

export interface PhoneLine {
  kind: LineKind;
  /** True when a call goes on although this process ends, and its reports come to whichever process there is. */
  outlives: boolean;
  /** Begins a call and tells what becomes of it; a call that can't begin is reported as ended. Never throws. */
  dial(order: CallOrder, onReport: (report: CallReport) => void): void;
  /** Asks to hang up; the end is reported. A call that is not known is ignored. */
  hangUp(call: { callId: string; resultId: string }): void;
  close(): void;
}
