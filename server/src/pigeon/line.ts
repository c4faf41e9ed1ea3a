// Driver interface for calls: the engine decides, a line dials, speaks, listens and reports.
import type { Behavior, Digit } from '@yagura/core/pigeon/call-constants';
import type { LineKind } from '@yagura/core/pigeon/result';
import type { VoiceLanguage } from '@yagura/core/speech/spoken-text';
import type { CallReport } from './call-report.ts';
import type { TrunkStatus } from './sip/user-agent.ts';

export { readingPlan } from '@yagura/core/pigeon/call-constants';

/** One call with everything a line needs. */
export interface CallOrder {
  callId: string;
  resultId: string;
  spaceId: string;
  phoneNumber: string;
  /** Language of the voice. */
  language: 'en' | 'ja';
  message: string;
  /** Recorded file played instead of the message, for lines with audio; the message is read if it is gone. */
  recordingId?: string;
  /** Reaction per key; its message is read before hanging up. */
  reactions: Partial<Record<Digit, { behavior: Behavior; message: string }>>;
  /** Read when no key with a reaction was pressed. */
  noReplyMessage: string;
  /** Set for a transfer call: the number to which the callee is connected. */
  transferTo: string | null;
  /** Name of the contact behind `transferTo`. */
  transferName?: string;
}

export interface LineStatus {
  trunks: readonly TrunkStatus[];
  voices: ReadonlySet<VoiceLanguage>;
}

export interface PhoneLine {
  kind: LineKind;
  /** True when calls continue after this process ends and their reports can reach any process. */
  outlives: boolean;
  /** The line plays audio: a chain waits until its texts are rendered, and is rejected without a voice. */
  needsSpeech?: boolean;
  /** Starts a call and reports its progress; a call that cannot start is reported as ended. Never throws. */
  dial(order: CallOrder, onReport: (report: CallReport) => void): void;
  /** Requests to hang up; the end is reported. An unknown call is ignored. */
  hangUp(call: { callId: string; resultId: string }): void;
  /** State of the trunks and languages of the voices, for a line that has them. */
  status?(): Promise<LineStatus>;
  /** Called once before the first call. */
  start?(): Promise<void>;
  /** Ends the calls that do not outlive the process. */
  close(): void | Promise<void>;
}
