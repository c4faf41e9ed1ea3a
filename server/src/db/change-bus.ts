// Publishes committed changes within this process and to other replicas.
import type { Database } from './database.ts';

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
/** NOTIFY payloads are limited to 7,999 bytes; a change takes about 250. */
const changesPerPayload = 20;

export interface ChangePublisher {
  /** Call after the commit. Other replicas are notified through the database. */
  publish(changes: readonly Change[]): void;
}

export class ChangeBus implements ChangePublisher {
  private readonly listeners = new Set<(changes: readonly Change[]) => void>();
  private readonly database: Database;
  private readonly origin: string;
  private stop: (() => Promise<void>) | undefined;

  constructor(database: Database, origin: string) {
    this.database = database;
    this.origin = origin;
  }

  /** Subscribes to other replicas; the embedded engine has none. */
  async start(missed: () => void): Promise<void> {
    if (this.database.kind === 'embedded') return;
    this.stop = await this.database.listen(
      channel,
      (payload) => {
        const { origin, changes } = JSON.parse(payload) as { origin: string; changes: Change[] };
        if (origin !== this.origin) this.notifyListeners(changes);
      },
      missed,
    );
  }

  async close(): Promise<void> {
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
    if (this.database.kind === 'embedded') return;
    for (let at = 0; at < changes.length; at += changesPerPayload) {
      const payload = JSON.stringify({
        origin: this.origin,
        changes: changes.slice(at, at + changesPerPayload),
      });
      this.database.notify(channel, payload).catch(() => undefined);
    }
  }

  private notifyListeners(changes: readonly Change[]): void {
    for (const listener of this.listeners) listener(changes);
  }
}
