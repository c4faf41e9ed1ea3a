// Applies changes to the severities of a scope and derives its status.
import {
  defaultSeverityName,
  overflowSeverityName,
  type ScopeStatus,
  type Thresholds,
  toScopeStatus,
} from '../../scope-status.ts';

/** Maximum value of a severity. */
export const maxSeverity = 1_000_000;
/**
 * Maximum number of severities per scope; a rule that reads names from messages could otherwise create them
 * without limit.
 */
export const maxSeverityNames = 1000;

/** Severity values of one scope by name, least recently changed first. */
export type SeverityValues = ReadonlyMap<string, number>;

export interface SeverityTransition {
  previousSeverity: number;
  severity: number;
  statusBefore: ScopeStatus;
  status: ScopeStatus;
  /** Highest severity of the scope after the change. */
  scopeSeverity: number;
}

/** The severities of one scope during a batch. */
export class ScopeSeverities {
  readonly #values: Map<string, number>;
  readonly #thresholds: Thresholds;
  /** Names changed in this batch, latest last. */
  readonly #changed = new Set<string>();
  #highest: number;

  constructor(values: SeverityValues, thresholds: Thresholds) {
    this.#values = new Map(values);
    this.#thresholds = thresholds;
    this.#highest = highestValue(this.#values);
  }

  get values(): SeverityValues {
    return this.#values;
  }

  /** Status of the scope: the highest status of its severities. */
  get status(): ScopeStatus {
    return toScopeStatus(this.#highest, this.#thresholds);
  }

  get severity(): number {
    return this.#highest;
  }

  valueOf(name: string): number {
    return this.#values.get(name) ?? 0;
  }

  /**
   * Makes room for a new name: if the scope has 1,000, evicts one whose value is 0 and returns it as `gone`.
   * False if all of them are above 0.
   */
  reserveName(name: string): boolean | { evicted: string } {
    const usedNames = this.#values.size - (this.#values.has(overflowSeverityName) ? 1 : 0);
    if (this.#values.has(name) || name === overflowSeverityName || usedNames < maxSeverityNames) return true;
    const evicted = this.#leastRecent();
    if (evicted === undefined) return false;
    this.#values.delete(evicted);
    this.#changed.delete(evicted);
    return { evicted };
  }

  /** The least recently changed name whose value is 0; the default one is never evicted. */
  #leastRecent(): string | undefined {
    const isEvictable = (name: string) =>
      this.valueOf(name) === 0 && name !== defaultSeverityName && name !== overflowSeverityName;
    for (const name of this.#values.keys()) if (!this.#changed.has(name) && isEvictable(name)) return name;
    for (const name of this.#changed) if (isEvictable(name)) return name;
    return undefined;
  }

  /**
   * Adds `delta`, clamped to 0 to 1,000,000. The overflow severity is raised at least to warning, however
   * small the change.
   */
  apply(name: string, delta: number): SeverityTransition {
    const previousSeverity = this.valueOf(name);
    const least = name === overflowSeverityName && delta > 0 ? this.#thresholds.warning : 0;
    const severity = Math.min(Math.max(previousSeverity + delta, least), maxSeverity);
    const statusBefore = this.status;
    this.#values.set(name, severity);
    this.#changed.delete(name);
    this.#changed.add(name);
    if (severity >= this.#highest) this.#highest = severity;
    else if (previousSeverity === this.#highest) this.#highest = highestValue(this.#values);
    return { previousSeverity, severity, statusBefore, status: this.status, scopeSeverity: this.#highest };
  }
}

function highestValue(values: SeverityValues): number {
  let max = 0;
  for (const value of values.values()) if (value > max) max = value;
  return max;
}
