// Mute schedules of one scope; the active one is only recomputed when a window begins or ends.
import { type Mute, muteSpanAt, upcomingMuteWindows } from '../../../schedule/mute.ts';
import { ScheduleError } from '../../../schedule/schedule.ts';
import type { ActiveMute } from '../../decision-log.ts';

/** The fields of a mute schedule that evaluation needs. */
export interface MuteSource extends Mute {
  muteScheduleId: string;
  scopeId: string;
  displayName: string;
  disabled: boolean;
  atEnd: 'silent' | 'fire';
}

export class ScopeMutes {
  readonly #sources: readonly MuteSource[];
  readonly #silent: ReadonlySet<string>;
  #known: { from: number; until: number; active: ActiveMute | undefined } | undefined;

  constructor(sources: readonly MuteSource[]) {
    this.#sources = sources.filter((source) => !source.disabled);
    const silent = sources.filter((source) => source.atEnd === 'silent');
    this.#silent = new Set(silent.map((source) => source.muteScheduleId));
  }

  /** Whether the schedule drops held triggers at its end; those of a deleted schedule still fire. */
  isSilent(muteScheduleId: string): boolean {
    return this.#silent.has(muteScheduleId);
  }

  /**
   * The schedule that mutes the scope at an instant (epoch milliseconds); if several do, the one that ends
   * last.
   */
  activeAt(instant: number): ActiveMute | undefined {
    if (this.#sources.length === 0) return undefined;
    const known = this.#known;
    if (known && known.from <= instant && instant < known.until) return known.active;
    let until = Number.POSITIVE_INFINITY;
    let active: ActiveMute | undefined;
    for (const source of this.#sources) {
      const { end, next } = windowBounds(source, instant);
      until = Math.min(until, end ?? until, next ?? until);
      if (end === undefined || (active && Date.parse(active.until) >= end)) continue;
      const { muteScheduleId, displayName, atEnd } = source;
      active = { muteScheduleId, displayName, atEnd, until: new Date(end).toISOString() };
    }
    this.#known = { from: instant, until, active };
    return active;
  }
}

/** End of the window that contains the instant, and the next beginning. */
function windowBounds(mute: Mute, instant: number): { end: number | undefined; next: number | undefined } {
  try {
    return { end: muteSpanAt(mute, instant)?.end, next: upcomingMuteWindows(mute, instant, 1)[0]?.begin };
  } catch (error) {
    // A stored schedule that this version cannot read does not mute: an extra alert is better than a missed
    // one.
    if (error instanceof ScheduleError) return { end: undefined, next: undefined };
    throw error;
  }
}
