// Renewing the log key: a flag while it runs, and fresh lists afterwards (spec section 4).
import { nullIfNotFound } from '../http/null-if-not-found.ts';
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

/** The latest key; null when there is none yet. Other problems are thrown. */
export function findLatestKey<T = Record<string, unknown>>(transport: Transport): Promise<T | null> {
  return findOrNull<T>(transport, '/api/apps/greac/log-keys/latest');
}

/** The private half of a key; null when it was deleted. Other problems are thrown. */
export function findPrivateKey<T = Record<string, unknown>>(
  transport: Transport,
  keyId: string,
): Promise<T | null> {
  return findOrNull<T>(transport, `/api/apps/greac/log-keys/${encodeURIComponent(keyId)}/private-key`);
}

async function findOrNull<T>(transport: Transport, path: string): Promise<T | null> {
  return send<T>(transport, { method: 'GET', path })
    .then((reply) => reply.data)
    .catch(nullIfNotFound);
}
