// What a change does to a severity and to the status of its scope.
import {
  defaultSeverityName,
  overflowName,
  type Status,
  statusOf,
  type Thresholds,
} from '../severity-name.ts';

/** The highest value a severity takes. */
export const maxSeverity = 1_000_000;
/** Severities of one scope; a rule that reads names from messages could else make them without end. */
export const maxNames = 1000;

/** Values of the severities of one scope by name, the one that changed least recently first. */
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
  /** Names that changed in this batch, the last one last. */
  readonly #changed = new Set<string>();
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

  /**
   * Makes a place for a name: of a scope that has 1,000, one whose value is 0 gives way, and comes back as `gone`. False
   * when all of them are above 0.
   */
  makePlace(name: string): boolean | { gone: string } {
    const taken = this.#values.size - (this.#values.has(overflowName) ? 1 : 0);
    if (this.#values.has(name) || name === overflowName || taken < maxNames) return true;
    const gone = this.#leastRecent();
    if (gone === undefined) return false;
    this.#values.delete(gone);
    this.#changed.delete(gone);
    return { gone };
  }

  /** The name at 0 that changed least recently; the default one stays. */
  #leastRecent(): string | undefined {
    const maySpare = (name: string) =>
      this.valueOf(name) === 0 && name !== defaultSeverityName && name !== overflowName;
    for (const name of this.#values.keys()) if (!this.#changed.has(name) && maySpare(name)) return name;
    for (const name of this.#changed) if (maySpare(name)) return name;
    return undefined;
  }

  /** Adds `delta`; the value never leaves 0 to 1,000,000. What overflows is never normal, however little it is. */
  apply(name: string, delta: number): AppliedChange {
    const previousSeverity = this.valueOf(name);
    const least = name === overflowName && delta > 0 ? this.#thresholds.warning : 0;
    const severity = Math.min(Math.max(previousSeverity + delta, least), maxSeverity);
    const statusBefore = this.status;
    this.#values.set(name, severity);
    this.#changed.delete(name);
    this.#changed.add(name);
    if (severity >= this.#highest) this.#highest = severity;
    else if (previousSeverity === this.#highest) this.#highest = highest(this.#values);
    return { previousSeverity, severity, statusBefore, status: this.status, scopeSeverity: this.#highest };
  }
}

function highest(values: SeverityValues): number {
  let max = 0;
  for (const value of values.values()) if (value > max) max = value;
  return max;
}
