// What a change does to a severity and to the status of its scope.
import {
  defaultSeverityName,
  overflowSeverityName,
  type ScopeStatus,
  type Thresholds,
  toScopeStatus,
} from '../../scope-status.ts';

/** The highest value a severity takes. */
export const maxSeverity = 1_000_000;
/** Severities of one scope; a rule that reads names from messages could else make them without end. */
export const maxSeverityNames = 1000;

/** Values of the severities of one scope by name, the one that changed least recently first. */
export type SeverityValues = ReadonlyMap<string, number>;

export interface SeverityTransition {
  previousSeverity: number;
  severity: number;
  statusBefore: ScopeStatus;
  status: ScopeStatus;
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
    this.#highest = highestValue(this.#values);
  }

  get values(): SeverityValues {
    return this.#values;
  }

  /** Status of the scope: the highest status any of its severities reaches. */
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
   * Makes a place for a name: of a scope that has 1,000, one whose value is 0 gives way, and comes back as `gone`. False
   * when all of them are above 0.
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

  /** The name at 0 that changed least recently; the default one stays. */
  #leastRecent(): string | undefined {
    const isEvictable = (name: string) =>
      this.valueOf(name) === 0 && name !== defaultSeverityName && name !== overflowSeverityName;
    for (const name of this.#values.keys()) if (!this.#changed.has(name) && isEvictable(name)) return name;
    for (const name of this.#changed) if (isEvictable(name)) return name;
    return undefined;
  }

  /** Adds `delta`; the value never leaves 0 to 1,000,000. What overflows is never normal, however little it is. */
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
