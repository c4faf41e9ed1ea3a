// Messages between the mock phone and its worker thread.
import type { MockCallStatus, PhoneAction } from '@yagura/core/pigeon/mock-phone';
import type { PhoneStep } from '@yagura/core/pigeon/phone-script';
import type { LogLine } from '../../common/log.ts';

/** Address and port at which the phone is called. */
export interface PhoneAddress {
  address: string;
  port: number;
}

export interface PhoneCommand {
  action: PhoneAction;
  /** For `press`. */
  key?: string | undefined;
}

export type PhoneRequest =
  /** The call belongs to a space: ring, and run the script if there is one. */
  | { kind: 'accept'; mockCallId: string; steps: readonly PhoneStep[] }
  /** The call belongs to nobody here. */
  | { kind: 'refuse'; mockCallId: string }
  | { kind: 'act'; number: number; mockCallId: string; command: PhoneCommand }
  | { kind: 'heard'; number: number; mockCallId: string }
  /** An ended call is no longer listed. */
  | { kind: 'forget'; mockCallId: string }
  | { kind: 'close' };

export type PhoneMessage =
  | { kind: 'started' }
  | { kind: 'incoming'; mockCallId: string; signalingId: string; from: string; to: string }
  | { kind: 'status'; mockCallId: string; status: MockCallStatus; at: number }
  | { kind: 'key'; mockCallId: string; key: string }
  /** Whether the call was in a state in which that is possible. */
  | { kind: 'acted'; number: number; done: boolean }
  /** µ-law with 8000 samples per second; null for an unknown call. */
  | { kind: 'heard'; number: number; audio: Uint8Array | null }
  | { kind: 'log'; line: LogLine };
