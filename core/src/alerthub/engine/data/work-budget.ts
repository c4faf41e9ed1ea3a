// Limit on the work of one evaluation, so that a hostile message or a careless rule takes bounded time.

import type { DecisionReasonKey } from '../errors/decision-reason.ts';
import { reason } from '../errors/decision-reason.ts';
import { FlowError } from '../errors/flow-error.ts';

/** Units of work that may still be done; throws once they are used up. */
export class WorkBudget {
  #left: number;
  readonly #exceeded: DecisionReasonKey;

  constructor(units: number, exceeded: DecisionReasonKey) {
    this.#left = units;
    this.#exceeded = exceeded;
  }

  get left(): number {
    return this.#left;
  }

  /** Throws FlowError with an empty path if the budget is exceeded, then and ever after. */
  spend(units: number): void {
    this.#left -= units;
    if (this.#left < 0) throw new FlowError('', reason(this.#exceeded));
  }
}
