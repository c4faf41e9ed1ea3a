// The screen of a recorded desktop: a client of its own gets what the host sent, and what it says goes nowhere.
import { continuesInNextFrame, DesktopFrames } from '@yagura/core/greac/stream/desktop-frames';
import { DesktopClient } from '../desktop/desktop-client.ts';
import type { PlayerScreen } from './log-player.ts';
import { frameBytes } from './recording.ts';

/** The host's size comes with the first frames. */
const firstSize = { width: 1024, height: 768 };
/** Bytes that a client draws before the page gets its turn. */
const sliceBytes = 256 * 1024;
/** Milliseconds after which a picture replaces the one before, drawn or not. */
const maxHiddenMs = 500;

export class DesktopScreen implements PlayerScreen {
  private readonly box: HTMLElement;
  private readonly onFailed: () => void;
  private picture: Picture | undefined;

  /** The picture is put into `box`. `onFailed` is called if none can be shown. */
  constructor(box: HTMLElement, onFailed: () => void) {
    this.box = box;
    this.onFailed = onFailed;
  }

  /** Each character is a byte. */
  write(frames: string): void {
    if (frames !== '') this.picture?.add(frames);
  }

  /** What is shown stays until the new picture is drawn. */
  reset(): void {
    this.picture?.close();
    this.picture = new Picture(this.box, this.onFailed);
  }

  resize(): void {}

  dispose(): void {
    this.picture?.close();
    this.box.replaceChildren();
  }
}

/** A client with a canvas of its own. */
class Picture {
  private readonly box: HTMLElement;
  private readonly canvas = document.createElement('canvas');
  private readonly client: DesktopClient;
  private readonly frames = new DesktopFrames();
  /** Frames of an update whose end is missing: nothing of it is drawn before. */
  private unfinished: Uint8Array[] = [];
  private waiting: Uint8Array[] = [];
  private isConnected = false;
  private isDrawing = false;
  private isClosed = false;
  private readonly timer: ReturnType<typeof setTimeout>;

  constructor(box: HTMLElement, onFailed: () => void) {
    this.box = box;
    this.canvas.className = 'max-w-full';
    // The client gets this context: many small pictures are drawn faster in memory than by a graphics processor.
    this.canvas.getContext('2d', { willReadFrequently: true });
    this.client = new DesktopClient({
      canvas: this.canvas,
      size: firstSize,
      onSent: () => undefined,
      onConnected: () => {
        this.isConnected = true;
        void this.draw();
      },
      // The end of the recording is the end of its client.
      onFailed: () => {
        if (!this.isConnected) onFailed();
      },
    });
    this.timer = setTimeout(() => this.show(), box.hasChildNodes() ? maxHiddenMs : 0);
  }

  add(frames: string): void {
    for (const frame of this.frames.add(frameBytes(frames))) {
      this.unfinished.push(frame);
      if (!continuesInNextFrame(frame)) this.waiting.push(...this.unfinished.splice(0));
    }
    void this.draw();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.client.close();
  }

  private async draw(): Promise<void> {
    if (this.isDrawing) return;
    this.isDrawing = true;
    while (this.waiting.length > 0 && !this.isClosed) {
      for (const frame of this.takeSlice()) this.client.receive(frame);
      // A client that connects takes nothing but the frames of that.
      if (this.isConnected) await this.client.drawn();
      else await new Promise((resolve) => setTimeout(resolve));
    }
    this.isDrawing = false;
    if (!this.isConnected || this.isClosed) return;
    await this.client.drawn();
    if (this.waiting.length === 0) this.show();
  }

  private takeSlice(): Uint8Array[] {
    let bytes = 0;
    const count = this.waiting.findIndex(({ length }) => {
      bytes += length;
      return bytes > sliceBytes;
    });
    return this.waiting.splice(0, count < 0 ? this.waiting.length : count + 1);
  }

  private show(): void {
    if (!this.isClosed && !this.canvas.isConnected) this.box.replaceChildren(this.canvas);
  }
}
