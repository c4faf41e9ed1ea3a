// Key frames of a recorded desktop: moments after which the host paints all of the screen, so that a player can begin
// there. When enough was recorded since the last one, the host is asked to paint everything.
import { SessionError } from '../../session-error.ts';
import { intersect, paintedBy, type Rectangle } from './painted-area.ts';

export interface KeyFrameEvents {
  /** What follows is to be kept as a key frame: record what a client needs to begin here. Returns its bytes. */
  begun(): number;
  /** Everything was painted since then. */
  completed(): void;
  /** Ask the host to paint everything. */
  wanted(): void;
}

/** Bytes between key frames: this many, or this many times those of the last one if that is more. */
const minDistance = 4 * 1024 * 1024;
const sizeFactor = 4;
/** Comparisons of rectangles for one key frame; a screen that is painted in so many pieces has none. */
const maxComparisons = 1_000_000;

export class KeyFrames {
  private readonly events: KeyFrameEvents;
  /** What was not painted since a key frame has begun; undefined when none is in the making. */
  private unpainted: Rectangle[] | undefined;
  private comparisons = 0;
  /** Bytes since the last one began. */
  private bytes = 0;
  private lastSize = 0;

  constructor(events: KeyFrameEvents) {
    this.events = events;
  }

  /** All of the screen will be painted. One that is in the making is given up. */
  begin(width: number, height: number): void {
    this.unpainted = [{ left: 0, top: 0, right: width, bottom: height }];
    this.comparisons = 0;
    this.bytes = this.events.begun();
  }

  /** Gives up the one in the making: the screen has changed. */
  reset(): void {
    this.unpainted = undefined;
  }

  /** A frame was recorded. */
  recorded(length: number): void {
    this.bytes += length;
  }

  /** An update was recorded. One that cannot be read gives up the key frame in the making, not the session. */
  painted(code: number, data: Buffer): void {
    if (!this.unpainted) return;
    this.unpainted = this.cut(this.unpainted, code, data);
    if (this.unpainted?.length !== 0) return;
    this.unpainted = undefined;
    this.lastSize = this.bytes;
    this.events.completed();
  }

  /** Asks for the next one when it is due; the host may have ignored the last request. */
  ask(): void {
    if (this.bytes <= Math.max(minDistance, sizeFactor * this.lastSize)) return;
    this.bytes = 0;
    this.events.wanted();
  }

  /** What an update leaves of rectangles; undefined if it cannot be read, or takes too many comparisons. */
  private cut(rectangles: Rectangle[], code: number, data: Buffer): Rectangle[] | undefined {
    let left = rectangles;
    try {
      for (const painted of paintedBy(code, data)) {
        this.comparisons += left.length;
        if (this.comparisons > maxComparisons) return undefined;
        left = without(left, painted);
      }
      return left;
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      return undefined;
    }
  }
}

/** What is left of rectangles after one is cut out. */
function without(rectangles: readonly Rectangle[], cut: Rectangle): Rectangle[] {
  return rectangles.flatMap((rectangle) => {
    const common = intersect(rectangle, cut);
    if (!common) return [rectangle];
    const { left, top, right, bottom } = rectangle;
    return [
      { left, top, right, bottom: common.top },
      { left, top: common.bottom, right, bottom },
      { left, top: common.top, right: common.left, bottom: common.bottom },
      { left: common.right, top: common.top, right, bottom: common.bottom },
    ].filter((piece) => piece.left < piece.right && piece.top < piece.bottom);
  });
}
