// Main side of the sip line's worker thread.
import type { Clock } from '../../common/clock.ts';
import type { Log } from '../../common/log.ts';
import { translatable } from '../../common/translatable-text.ts';
import type { TrunkStatus } from '../sip/user-agent.ts';
import { CallThread } from '../thread/call-thread.ts';
import type { SipSettings } from './sip-settings.ts';
import type { WorkerMessage, WorkerRequest } from './worker-messages.ts';

export interface SipThreadDeps {
  settings: SipSettings;
  clock: Clock;
  log: Log;
}

const statusTimeoutMs = 2000;

export class SipThread {
  onMessage: (message: WorkerMessage) => void = () => undefined;
  /** The worker has ended and with it its calls. */
  onLost: () => void = () => undefined;
  private readonly settings: SipSettings;
  private readonly thread: CallThread<WorkerRequest, WorkerMessage>;

  constructor({ settings, clock, log }: SipThreadDeps) {
    this.settings = settings;
    this.thread = new CallThread<WorkerRequest, WorkerMessage>({
      ...{ data: settings, clock, log },
      file: new URL('./sip-worker.mjs', import.meta.url),
      failure: 'the thread of the sip line failed',
      restartDelaysMs: [1000, 5000, 30_000],
      // Time for hanging up all calls and removing the registrations.
      closeTimeoutMs: 4000,
      onMessage: (message) => {
        if (message.kind === 'report') this.thread.recovered();
        this.onMessage(message);
      },
      onLost: () => this.onLost(),
    });
  }

  start(): void {
    this.thread.start();
  }

  post(request: WorkerRequest): void {
    if (!this.thread.post(request) && request.kind === 'dial') queueMicrotask(() => this.onLost());
  }

  /** States of the trunks; all are unreachable while the worker is down. */
  async trunks(): Promise<TrunkStatus[]> {
    const answer = await this.thread.ask((number) => ({ kind: 'trunks', number }), statusTimeoutMs);
    if (answer?.kind === 'trunks') return answer.trunks;
    const { lostAt, failure } = this.thread;
    return this.settings.trunks.map(({ name }) => ({
      name,
      state: 'unreachable',
      since: lostAt,
      detail: failure || translatable('pigeon.detail.thread-starting'),
    }));
  }

  /** Hangs up all calls and removes the registrations. */
  close(): Promise<void> {
    return this.thread.close({ kind: 'close' });
  }
}
