// Main side of the mock phone's worker thread.
import type { Clock } from '../../common/clock.ts';
import type { Log } from '../../common/log.ts';
import { CallThread } from '../thread/call-thread.ts';
import type { PhoneAddress, PhoneCommand, PhoneMessage, PhoneRequest } from './phone-messages.ts';

/** Messages about calls. */
export type PhoneReport = Extract<PhoneMessage, { kind: 'incoming' | 'status' | 'key' }>;

export interface PhoneThreadEvents {
  report(report: PhoneReport): void;
  /** The worker has ended and with it its calls. */
  lost(): void;
}

export class PhoneThread {
  /** Why the phone takes no calls; null while it does. */
  problem: string | null = 'the phone is starting';
  private readonly thread: CallThread<PhoneRequest, PhoneMessage>;

  constructor(
    { address, clock, log }: { address: PhoneAddress; clock: Clock; log: Log },
    events: PhoneThreadEvents,
  ) {
    this.thread = new CallThread<PhoneRequest, PhoneMessage>({
      ...{ data: address, clock, log },
      file: new URL('./phone-worker.mjs', import.meta.url),
      failure: 'the thread of the mock phone failed',
      restartDelaysMs: [5000],
      closeTimeoutMs: 3000,
      onMessage: (message) => {
        if (message.kind === 'started') this.problem = null;
        else events.report(message);
      },
      onLost: () => {
        this.problem = this.thread.failure.slice(0, 200) || 'the thread of the phone ended';
        events.lost();
      },
    });
  }

  start(): void {
    this.thread.start();
  }

  post(request: PhoneRequest): void {
    this.thread.post(request);
  }

  async act(mockCallId: string, command: PhoneCommand): Promise<boolean> {
    const answer = await this.thread.ask((number) => ({ kind: 'act', number, mockCallId, command }));
    return answer?.kind === 'acted' && answer.done;
  }

  /** µ-law; null for a call that the worker no longer has. */
  async heard(mockCallId: string): Promise<Uint8Array | null> {
    const answer = await this.thread.ask((number) => ({ kind: 'heard', number, mockCallId }));
    return answer?.kind === 'heard' ? answer.audio : null;
  }

  /** Hangs up all calls. */
  close(): Promise<void> {
    return this.thread.close({ kind: 'close' });
  }
}
