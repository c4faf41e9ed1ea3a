// Records requests blocked by the IP restriction in the audit log, at most once a minute per address.

import type { Clock } from '../common/clock.ts';
import type { AuditLog } from './audit-log.ts';

export interface BlockedRequest {
  address: string;
  userAgent: string;
  method: string;
  /** Path without the query. */
  path: string;
}

const intervalMs = 60_000;
/** Maximum addresses recorded per minute; during a flood the first ones are enough. */
const maxAddresses = 1_000;

export function createBlockedRequestRecorder(
  audit: Pick<AuditLog, 'enqueue'>,
  clock: Clock,
): (blocked: BlockedRequest) => void {
  const noted = new Map<string, number>();
  return ({ address, userAgent, method, path }) => {
    const now = clock.now();
    if ((noted.get(address) ?? Number.NEGATIVE_INFINITY) > now - intervalMs) return;
    for (const [old, at] of noted) if (at <= now - intervalMs) noted.delete(old);
    if (noted.size >= maxAddresses) return;
    noted.set(address, now);
    audit.enqueue({
      actor: { kind: 'guest', userId: null, name: '' },
      from: { address, userAgent },
      action: method,
      outcome: 'refused',
      resource: 'ip-restriction',
      detail: `${method} ${path}`,
    });
  };
}
