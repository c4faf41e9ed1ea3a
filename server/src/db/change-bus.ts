// Publishes committed changes within this process and to other replicas.
import type { Clock } from './clock.ts';
import type { Database } from './database.ts';
import { retryWhileUnavailable } from './retry-while-unavailable.ts';
import type { StoreLog } from './store-log.ts';

export type Operation = 'create' | 'update' | 'delete';

/** A change as sent to clients, plus its space. */
export interface Change {
  spaceId: string;
  /** Name of the resource descriptor. */
  resource: string;
  id: string;
  /** Id of the parent item, if any. */
  scope?: string;
  op: Operation;
  at: string;
  /** True when only runtime state changed (e.g. a scope's status), not user settings. */
  state?: true;
}

const channel = 'yagura_change';
/** Bytes of the changes in one notification, whose payload is limited to 7,999 bytes. */
const maxPayloadBytes = 7_500;
/** Changes that may wait to be sent; beyond them, other replicas read everything again. */
const maxUnsent = 5_000;

/** What one replica tells the others. */
type Notification = { origin: string } & ({ changes: Change[] } | { reload: true });

export interface ChangePublisher {
  /** Call after the commit. Other replicas are notified through the database, as soon as it is available. */
  publish(changes: readonly Change[]): void;
}

export interface ChangeBusDeps {
  database: Database;
  clock: Clock;
  log: StoreLog;
  /** Id of this process. */
  instance: string;
}

export class ChangeBus implements ChangePublisher {
  private readonly deps: ChangeBusDeps;
  private readonly listeners = new Set<(changes: readonly Change[]) => void>();
  private readonly closing = new AbortController();
  private stop: (() => Promise<void>) | undefined;
  private unsent: Change[] = [];
  private isReloadUnsent = false;
  private sending: Promise<void> | undefined;

  constructor(deps: ChangeBusDeps) {
    this.deps = deps;
  }

  /**
   * Subscribes to other replicas; the embedded engine has none. `missed` is called when changes of theirs may have been
   * missed. They are told that they may have missed some of a process that ended before it could send them.
   */
  async start(missed: () => void): Promise<void> {
    const { database, instance } = this.deps;
    if (database.kind === 'embedded') return;
    this.stop = await database.listen(
      channel,
      (payload) => {
        const notification = JSON.parse(payload) as Notification;
        if (notification.origin === instance) return;
        if ('reload' in notification) missed();
        else this.notifyListeners(notification.changes);
      },
      missed,
    );
    this.isReloadUnsent = true;
    this.send();
  }

  /** Sends what can be sent now. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.sending;
    this.listeners.clear();
    await this.stop?.();
  }

  listen(listener: (changes: readonly Change[]) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  publish(changes: readonly Change[]): void {
    if (changes.length === 0) return;
    this.notifyListeners(changes);
    if (this.deps.database.kind === 'embedded') return;
    this.unsent.push(...changes);
    if (this.unsent.length > maxUnsent) {
      this.unsent = [];
      this.isReloadUnsent = true;
    }
    this.send();
  }

  private send(): void {
    this.sending ??= this.sendUnsent().finally(() => {
      this.sending = undefined;
    });
  }

  private async sendUnsent(): Promise<void> {
    const { database, clock, log } = this.deps;
    const { signal } = this.closing;
    for (let payload = this.takePayload(); payload !== undefined; payload = this.takePayload()) {
      const text = payload;
      try {
        await retryWhileUnavailable(() => database.notify(channel, text), { clock, signal });
      } catch (error) {
        const { message } = error as Error;
        if (!signal.aborted)
          log({ level: 'error', message: `other servers were not told of changes: ${message}` });
      }
    }
  }

  private takePayload(): string | undefined {
    const { instance: origin } = this.deps;
    if (this.isReloadUnsent) {
      this.isReloadUnsent = false;
      return JSON.stringify({ origin, reload: true } satisfies Notification);
    }
    let bytes = 0;
    const end = this.unsent.findIndex((change) => {
      bytes += Buffer.byteLength(JSON.stringify(change)) + 1;
      return bytes > maxPayloadBytes;
    });
    const changes = this.unsent.splice(0, end < 0 ? this.unsent.length : Math.max(1, end));
    return changes.length === 0 ? undefined : JSON.stringify({ origin, changes } satisfies Notification);
  }

  private notifyListeners(changes: readonly Change[]): void {
    for (const listener of this.listeners) listener(changes);
  }
}
