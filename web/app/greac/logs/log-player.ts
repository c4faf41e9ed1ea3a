// Plays a recording into a terminal: play, pause, seek and speed.
import { Store } from '../../ui/store.ts';
import { lowerBound, parseSize, type Recording } from './recording.ts';

/** The part of a terminal that is used. */
export interface PlayerScreen {
  write(text: string, onParsed?: () => void): void;
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

  /** Going back draws everything from the beginning, which takes well under a second for an hour of work. */
  seek(seconds: number): void {
    const position = Math.min(Math.max(seconds, 0), this.recording.duration);
    if (position < this.state.position) this.rewind();
    this.update({ position });
    this.draw();
  }

  dispose(): void {
    this.cancel();
    this.listeners.clear();
  }

  private scheduleFrom(since: number): void {
    this.cancel = this.clock.soon(() => {
      const now = this.clock.now();
      const { position, speed } = this.state;
      this.seek(position + ((now - since) / 1000) * speed);
      if (this.state.position >= this.recording.duration) this.update({ isPlaying: false });
      else this.scheduleFrom(now);
    });
  }

  private rewind(): void {
    this.screen.reset();
    this.screen.resize(this.recording.columns, this.recording.rows);
    this.next = 0;
  }

  private draw(): void {
    const end = lowerBound(this.times, this.state.position + tolerance);
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
