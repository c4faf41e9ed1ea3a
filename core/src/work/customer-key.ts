// Renewing the log key: a flag while it runs, and fresh lists afterwards (spec section 4).
import { send, type Transport } from '../http/transport.ts';

export interface KeyRefresh {
  onRefreshing(refreshing: boolean): void;
  reloadList(): Promise<unknown>;
  reloadLatest(): Promise<unknown>;
}

/** Refreshes the key. The flag goes off and both reloads run even on failure, which is thrown after them. */
export async function refreshCustomerKey(transport: Transport, watcher: KeyRefresh): Promise<void> {
  watcher.onRefreshing(true);
  try {
    await send(transport, { method: 'POST', path: '/api/apps/greac/log-keys/refresh', body: {} });
  } finally {
    watcher.onRefreshing(false);
    await Promise.allSettled([watcher.reloadList(), watcher.reloadLatest()]);
  }
}
