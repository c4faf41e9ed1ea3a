import { readBySnmp, type SnmpContext } from '../../src/collect/snmp/read-by-snmp.ts';
import type { Credential } from '../../src/settings/credential-files.ts';

/** Reads as a scan does, with short waits. */
export function readDevice(credential: Credential, context: Partial<SnmpContext> = {}) {
  return readBySnmp(credential, '127.0.0.1', {
    admit: async () => undefined,
    signal: new AbortController().signal,
    has: new Set(),
    ...context,
    limits: { timeoutMs: 150, ...context.limits },
  });
}
