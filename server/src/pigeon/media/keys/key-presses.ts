// Reports a press once when it comes both as telephone event and as tone: gateways let the beginning of the tone pass
// before they replace it by events, and some never take it out.
import type { MediaEvents } from '../media-session.ts';

type Source = Parameters<MediaEvents['key']>[1];

/** Milliseconds after the last sign of a press in which the same key from the other source is the same press. */
const sameWithinMs = 250;
/** Presses in a second beyond which more are no keys of a human or a dialer. */
const maxPerSecond = 20;

export class KeyPresses {
  private readonly now: () => number;
  private readonly report: MediaEvents['key'];
  private last: { key: string; sources: Set<Source>; seenAt: number } | undefined;
  private second = { startedAt: 0, count: 0 };

  constructor(now: () => number, report: MediaEvents['key']) {
    this.now = now;
    this.report = report;
  }

  began(key: string, source: Source): void {
    const { last } = this;
    if (last && last.key === key && !last.sources.has(source) && this.now() - last.seenAt <= sameWithinMs) {
      last.sources.add(source);
      last.seenAt = this.now();
      return;
    }
    this.last = { key, sources: new Set([source]), seenAt: this.now() };
    if (this.now() - this.second.startedAt >= 1000) this.second = { startedAt: this.now(), count: 0 };
    if (++this.second.count <= maxPerSecond) this.report(key, source);
  }

  continues(key: string): void {
    if (this.last?.key === key) this.last.seenAt = this.now();
  }
}
