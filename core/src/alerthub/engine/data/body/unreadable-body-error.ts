import type { Reason } from '../../../decision-log.ts';

/** A body that is not what its content type says, or exceeds a limit. */
export class UnreadableBodyError extends Error {
  readonly reason: Reason;

  constructor(why: Reason) {
    super(why.word);
    this.reason = why;
  }
}
