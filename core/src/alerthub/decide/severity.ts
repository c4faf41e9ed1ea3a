// What a change does to a severity and to the status of its scope.
import { type Status, statusOf, type Thresholds } from '../severity-name.ts';

/** The highest value a severity takes. */
export const mostSeverity = 1_000_000;
/** Severities of one scope; a rule that reads names from messages could else make them without end. */
export const mostNames = 1000;

/** Values of the severities of one scope by name. */
export type SeverityValues = ReadonlyMap<string, number>;

export interface AppliedChange {
  previousSeverity: number;
  severity: number;
  statusBefore: Status;
  status: Status;
  /** Highest severity of the scope after the change. */
  scopeSeverity: number;
}

/** The severities of one scope while a batch is decided. */
export class ScopeSeverities {
  readonly #values: Map<string, number>;
  readonly #thresholds: Thresholds;
  #highest: number;

  constructor(values: SeverityValues, thresholds: Thresholds) {
    this.#values = new Map(values);
    this.#thresholds = thresholds;
    this.#highest = highest(this.#values);
  }

  get values(): SeverityValues {
    return this.#values;
  }

  /** Status of the scope: the highest status any of its severities reaches. */
  get status(): Status {
    return statusOf(this.#highest, this.#thresholds);
  }

  get severity(): number {
    return this.#highest;
  }

  valueOf(name: string): number {
    return this.#values.get(name) ?? 0;
  }

  /** Whether a change may name this severity. */
  takes(name: string): boolean {
    return this.#values.has(name) || this.#values.size < mostNames;
  }

  /** Adds `delta`; the value never leaves 0 to 1,000,000. */
  apply(name: string, delta: number): AppliedChange {
    const previousSeverity = this.valueOf(name);
    const severity = Math.min(Math.max(previousSeverity + delta, 0), mostSeverity);
    const statusBefore = this.status;
    this.#values.set(name, severity);
    if (severity >= this.#highest) this.#highest = severity;
    else if (previousSeverity === this.#highest) this.#highest = highest(this.#values);
    return { previousSeverity, severity, statusBefore, status: this.status, scopeSeverity: this.#highest };
  }
}

function highest(values: SeverityValues): number {
  let most = 0;
  for (const value of values.values()) if (value > most) most = value;
  return most;
}
