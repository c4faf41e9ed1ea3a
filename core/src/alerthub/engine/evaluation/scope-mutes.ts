// The mute schedules of one scope: which one is active, asked anew only when something begins or ends.
import { type Mute, muteSpanAt, nextMuteSpans } from '../../../schedule/mute.ts';
import { ScheduleError } from '../../../schedule/schedule.ts';
import type { ActiveMute } from '../../decision-log.ts';

/** As much of a mute schedule as deciding needs. */
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

  /** Whether nothing is to be fired at the end of a schedule; one that is gone keeps its promise to fire. */
  isSilent(muteScheduleId: string): boolean {
    return this.#silent.has(muteScheduleId);
  }

  /** The schedule that mutes the scope at an instant (epoch milliseconds); of several the one that ends last. */
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

/** End of the window that holds the instant, and the next beginning. */
function windowBounds(mute: Mute, instant: number): { end: number | undefined; next: number | undefined } {
  try {
    return { end: muteSpanAt(mute, instant)?.end, next: nextMuteSpans(mute, instant, 1)[0]?.begin };
  } catch (error) {
    // A stored schedule that an older or newer version cannot read mutes nothing: an alarm too many is the lesser evil.
    if (error instanceof ScheduleError) return { end: undefined, next: undefined };
    throw error;
  }
}
