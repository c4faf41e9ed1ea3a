// A wait that can be ended early.
import type { Clock } from '../clock.ts';

export class InterruptibleSleep {
  private end: () => void = () => undefined;

  /** One at a time. */
  sleep(milliseconds: number, clock: Pick<Clock, 'after'>): Promise<void> {
    return new Promise<void>((resolve) => {
      const stop = clock.after(milliseconds, resolve);
      this.end = () => {
        stop();
        resolve();
      };
    });
  }

  /** Ends the current sleep, if there is one. */
  interrupt(): void {
    this.end();
  }
}
