// Messages between the line and its worker thread.
import type { VoiceLanguage } from '@yagura/core/speech/spoken-text';
import type { LogLine } from '../../common/log.ts';
import type { CallReport } from '../call-report.ts';
import type { TrunkStatus } from '../sip/user-agent.ts';
import type { FlowPrompts, Prompt } from './call-flow.ts';
import type { TrunkNumber } from './number-rules.ts';

/** A call with its audio. */
export interface WorkerCall {
  callId: string;
  numbers: TrunkNumber[];
  language: VoiceLanguage;
  prompts: Omit<FlowPrompts, 'keys'>;
  transfer: WorkerTransfer | null;
}

export interface WorkerTransfer {
  /** Name of the destination, for the script. */
  name: string;
  /** Empty if no trunk may call the destination. */
  numbers: TrunkNumber[];
  /** Read when the destination cannot be connected. */
  failed: Prompt;
}

export type WorkerRequest =
  | { kind: 'dial'; call: WorkerCall }
  /** What says back the keys, once before the first call in that language. */
  | { kind: 'keys'; language: VoiceLanguage; keys: FlowPrompts['keys'] }
  | { kind: 'hangUp'; callId: string }
  | { kind: 'trunks'; number: number }
  | { kind: 'close' };

export type WorkerMessage =
  | { kind: 'report'; callId: string; report: CallReport }
  /** Follows the report of the end, with the trunks over which it was tried. */
  | { kind: 'finished'; callId: string; attempted: string[]; transferAttempted: string[] }
  | { kind: 'trunks'; number: number; trunks: TrunkStatus[] }
  | { kind: 'log'; line: LogLine }
  | { kind: 'closed' };
