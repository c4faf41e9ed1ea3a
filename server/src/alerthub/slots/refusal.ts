// A refused request to a receive slot.
import type { refusalReasons } from '@yagura/core/alerthub/receive-slot';
import type { SlotAddress } from './slot-directory.ts';

export type RefusalReason = (typeof refusalReasons)[number];

/** Who sent a refused request. */
export interface RefusedSender {
  /** HTTP method, or SMTP. */
  method: string;
  sender: string;
  userAgent: string;
}

/** Refused requests of one sender to one address for one reason. */
export interface Refusal extends RefusedSender {
  receiveSlotId: string;
  address: SlotAddress['endpoint'];
  reason: RefusalReason;
  count: number;
  /** Time of the last one, in milliseconds since the Unix epoch. */
  refusedAt: number;
}
