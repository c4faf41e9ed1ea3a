// Plays a recording into a terminal: play, pause, seek and speed.
import { Store } from '../../ui/store.ts';
import { type KeyFrame, lowerBound, parseSize, type Recording } from './recording.ts';

/** The part of a terminal that is used. */
export interface PlayerScreen {
  write(text: string, onParsed?: () => void): void;
  /** Begins again with an empty screen. */
  reset(): void;
  resize(columns: number, rows: number): void;
}

export interface PlayerState {
  /** In seconds. */
  position: number;
  isPlaying: boolean;
  speed: number;
}

export const initialPlayerState: PlayerState = { position: 0, isPlaying: false, speed: 1 };

interface PlayerClock {
  /** In milliseconds. */
  now(): number;
  /** Calls back soon; returns what cancels that. */
  soon(callback: () => void): () => void;
}

/** Characters of output that are drawn rather than left out with a new beginning at a key frame. */
const minSkipped = 256 * 1024;
/** Seconds: what happens at the position itself is drawn. Times are sums of whole milliseconds. */
const tolerance = 0.0005;

export class LogPlayer extends Store<PlayerState> {
  private readonly recording: Recording;
  private readonly screen: PlayerScreen;
  private readonly clock: PlayerClock;
  private readonly times: number[];
  private next = 0;
  private cancel = () => {};

  constructor(recording: Recording, screen: PlayerScreen, clock: PlayerClock) {
    super(initialPlayerState);
    this.recording = recording;
    this.screen = screen;
    this.clock = clock;
    this.times = recording.events.map(({ time }) => time);
    this.rewind();
  }

  /** Starts over at the end. */
  play(): void {
    if (this.state.isPlaying) return;
    if (this.state.position >= this.recording.duration) this.seek(0);
    this.update({ isPlaying: true });
    this.scheduleFrom(this.clock.now());
  }

  pause(): void {
    this.cancel();
    this.update({ isPlaying: false });
  }

  setSpeed(speed: number): void {
    this.update({ speed });
  }

  /** Draws from the last key frame before that time, or else from the beginning. */
  seek(seconds: number): void {
    const position = this.clamp(seconds);
    const end = this.endAt(position);
    const keyFrame = this.recording.keyFrames.findLast(({ complete }) => complete <= end);
    if (position < this.state.position) this.rewind(keyFrame);
    else if (keyFrame && this.isFarAhead(keyFrame)) this.rewind(keyFrame);
    this.advance(position);
  }

  dispose(): void {
    this.cancel();
    this.listeners.clear();
  }

  private scheduleFrom(since: number): void {
    this.cancel = this.clock.soon(() => {
      const now = this.clock.now();
      const { position, speed } = this.state;
      this.advance(this.clamp(position + ((now - since) / 1000) * speed));
      if (this.state.position >= this.recording.duration) this.update({ isPlaying: false });
      else this.scheduleFrom(now);
    });
  }

  private clamp(seconds: number): number {
    return Math.min(Math.max(seconds, 0), this.recording.duration);
  }

  /** Index of the first event after a time. */
  private endAt(position: number): number {
    return lowerBound(this.times, position + tolerance);
  }

  /** So much is left out by going to a key frame that it takes less time. */
  private isFarAhead({ from, opening }: KeyFrame): boolean {
    const skipped = this.recording.events.slice(this.next, from);
    const characters = skipped.reduce(
      (sum, { kind, data }) => sum + (kind === 'output' ? data.length : 0),
      0,
    );
    return characters > opening.length + minSkipped;
  }

  private rewind(keyFrame?: KeyFrame): void {
    this.screen.reset();
    this.screen.resize(this.recording.columns, this.recording.rows);
    this.next = keyFrame?.from ?? 0;
    if (keyFrame) this.screen.write(keyFrame.opening);
  }

  private advance(position: number): void {
    this.update({ position });
    this.draw();
  }

  private draw(): void {
    const end = this.endAt(this.state.position);
    let output = '';
    for (; this.next < end; this.next += 1) {
      const { kind, data } = this.recording.events[this.next]!;
      if (kind === 'output') output += data;
      const size = kind === 'resize' ? parseSize(data) : null;
      if (!size) continue;
      this.screen.write(output);
      output = '';
      // In the order of the output.
      this.screen.write('', () => this.screen.resize(size.columns, size.rows));
    }
    if (output !== '') this.screen.write(output);
  }

  private update(change: Partial<PlayerState>): void {
    this.setState({ ...this.state, ...change });
  }
}
