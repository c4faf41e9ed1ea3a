// What a chain is going to do, as of its start.
import type { Behavior, Digit } from '@yagura/core/pigeon/call-constants';

/**
 * One phone of one contact. Stops with the same `key` belong to the same contact: when it leaves the chain,
 * all of them are skipped.
 */
export interface PlannedStop {
  key: string;
  contactId: string | null;
  displayName: string;
  /** Null when the contact no longer has this phone. */
  phoneNumber: string | null;
}

/** Settings of a chain, as of its start. */
export interface ChainPlan {
  stops: readonly PlannedStop[];
  transferTo: PlannedStop | null;
  /** Absent for chains of earlier versions. */
  endsAfterFailedTransfer?: boolean;
  loopLimit: number;
  message: string;
  /** Recorded file played instead of the message, by lines with audio. */
  recordingId?: string;
  reactions: Partial<Record<Digit, { behavior: Behavior; message: string; acknowledge?: boolean }>>;
}
