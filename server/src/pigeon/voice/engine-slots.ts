// Limits how many speech engines run at once; further work waits in order, up to a limit.
import { Slots } from '@yagura/core/live/slots';
import { VoiceFailed } from './speech-renderer.ts';

export class EngineSlots {
  private readonly slots: Slots;
  private readonly maxWaiting: number;

  constructor(size: number, maxWaiting: number) {
    this.slots = new Slots(size);
    this.maxWaiting = maxWaiting;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.slots.isFull && this.slots.queued >= this.maxWaiting)
      throw new VoiceFailed('too many texts wait for a voice');
    return this.slots.run(work);
  }
}
