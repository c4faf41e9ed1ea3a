// The screen of a recorded desktop: a client of its own gets what the host sent, and what it says goes nowhere.
import { DesktopClient } from '../desktop/desktop-client.ts';
import type { PlayerScreen } from './log-player.ts';

/** The host's size comes with the first frames. */
const firstSize = { width: 1024, height: 768 };

export class DesktopScreen implements PlayerScreen {
  private readonly canvas: HTMLCanvasElement;
  private readonly onFailed: () => void;
  private client: DesktopClient | undefined;

  /** `onFailed` is called if no picture can be shown. */
  constructor(canvas: HTMLCanvasElement, onFailed: () => void) {
    this.canvas = canvas;
    this.onFailed = onFailed;
  }

  /** Each character is a byte. */
  write(frames: string): void {
    if (frames !== '') this.client?.receive(Uint8Array.from(frames, (character) => character.charCodeAt(0)));
  }

  reset(): void {
    this.client?.close();
    let isShown = false;
    this.client = new DesktopClient({
      canvas: this.canvas,
      size: firstSize,
      onSent: () => undefined,
      onConnected() {
        isShown = true;
      },
      // The end of the recording is the end of its client.
      onFailed: () => {
        if (!isShown) this.onFailed();
      },
    });
  }

  resize(): void {}

  dispose(): void {
    this.client?.close();
  }
}
