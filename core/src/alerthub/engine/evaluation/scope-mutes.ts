// Mute schedules of one scope; the active one is only recomputed when a window begins or ends.
import { type Mute, muteSpanAt, readStoredMute, upcomingMuteWindows } from '../../../schedule/mute.ts';
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
   * The schedule that mutes the scope at an instant (epoch milliseconds). If several do, one that fires at its
   * end takes precedence over silent ones; among equals, the one that ends last.
   */
  activeAt(instant: number): ActiveMute | undefined {
    if (this.#sources.length === 0) return undefined;
    const known = this.#known;
    if (known && known.from <= instant && instant < known.until) return known.active;
    let until = Number.POSITIVE_INFINITY;
    const all: ActiveMute[] = [];
    for (const source of this.#sources) {
      const { end, next } = windowBounds(source, instant);
      until = Math.min(until, end ?? until, next ?? until);
      if (end === undefined) continue;
      const { muteScheduleId, displayName, atEnd } = source;
      all.push({ muteScheduleId, displayName, atEnd, until: new Date(end).toISOString() });
    }
    const active = prevailingMute(all);
    this.#known = { from: instant, until, active };
    return active;
  }
}

function prevailingMute(all: readonly ActiveMute[]): ActiveMute | undefined {
  const firing = all.filter(({ atEnd }) => atEnd === 'fire');
  const candidates = firing.length > 0 ? firing : all;
  if (candidates.length === 0) return undefined;
  const last = candidates.reduce((best, one) => (one.until > best.until ? one : best));
  const overruled = firing.length > 0 ? all.filter(({ atEnd }) => atEnd === 'silent') : [];
  return overruled.length > 0 ? { ...last, overrules: overruled.map((one) => one.displayName) } : last;
}

/** End of the window that contains the instant, and the next beginning. */
function windowBounds(mute: Mute, instant: number): { end: number | undefined; next: number | undefined } {
  const bounds = readStoredMute(() => ({
    end: muteSpanAt(mute, instant)?.end,
    next: upcomingMuteWindows(mute, instant, 1)[0]?.begin,
  }));
  return bounds ?? { end: undefined, next: undefined };
}
