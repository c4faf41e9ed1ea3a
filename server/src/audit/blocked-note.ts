// Notes in the audit log who was turned away for their network address: each address once a minute, however often it knocks.

import type { Clock } from '../clock.ts';
import type { AuditLog } from './audit-log.ts';

export interface Blocked {
  address: string;
  userAgent: string;
  method: string;
  /** Without its query. */
  path: string;
}

const every = 60_000;
/** Addresses that are noted within a minute; more than this is a flood, of which the first ones tell enough. */
const max = 1_000;

export function createBlockedNotes(audit: Pick<AuditLog, 'later'>, clock: Clock): (blocked: Blocked) => void {
  const noted = new Map<string, number>();
  return ({ address, userAgent, method, path }) => {
    const now = clock.now();
    if ((noted.get(address) ?? Number.NEGATIVE_INFINITY) > now - every) return;
    for (const [old, at] of noted) if (at <= now - every) noted.delete(old);
    if (noted.size >= max) return;
    noted.set(address, now);
    audit.later({
      actor: { kind: 'guest', userId: null, name: '' },
      from: { address, userAgent },
      action: method,
      outcome: 'refused',
      resource: 'ip-restriction',
      detail: `${method} ${path}`,
    });
  };
}
