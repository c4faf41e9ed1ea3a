// Opens the TCP connection to a host, after the policy of the site and the hosts of the credential were asked.
import { once } from 'node:events';
import { createConnection, isIP, type Socket } from 'node:net';
import type { OpenedCredential } from '@yagura/core/kroker/open-credential';
import { isIpv4OrCidr } from '@yagura/core/validation/ipv4';
import type { Settings } from '../settings/settings.ts';
import { findPermittedAddress, type LookupName } from '../site/find-target.ts';
import { includesAddress, toRanges } from '../site/ipv4-ranges.ts';
import { SessionError } from './session-error.ts';

export interface Endpoint {
  host: string;
  port: number;
}

const connectMs = 15_000;
/**
 * Milliseconds without traffic until the system probes whether the host is still there. Node has it send ten probes, one
 * a second, before the connection fails.
 */
const keepAliveMs = 30_000;

/** The address to connect to: the one that was checked, never a name that is resolved again. */
export async function judgeEndpoint(
  { host, port }: Endpoint,
  policy: Settings['sessions'],
  lookup?: LookupName,
): Promise<string> {
  let address: string | undefined;
  try {
    address = await findPermittedAddress(policy, host.replace(/\.$/, ''), port, lookup);
  } catch {
    throw new SessionError('UNREACHABLE', { host, reason: 'NAME_NOT_FOUND' });
  }
  if (address === undefined) throw new SessionError('NOT_ALLOWED', { host, port: String(port) });
  return address;
}

/** Refuses a credential that names other hosts. */
export function checkCredentialHosts(
  { hosts }: OpenedCredential,
  { host, port }: Endpoint,
  address: string,
): void {
  if (!hosts) return;
  const name = host.toLowerCase().replace(/\.$/, '');
  const matches = (entry: string): boolean => {
    if (isIpv4OrCidr(entry)) return includesAddress(toRanges([entry]), address);
    const pattern = entry.toLowerCase().replace(/\.$/, '');
    return pattern.startsWith('*.') && isIP(name) === 0
      ? name.endsWith(pattern.slice(1)) && name.length > pattern.length - 1
      : name === pattern;
  };
  const isPort = hosts.ports.length === 0 || hosts.ports.includes(port);
  if (!isPort || !hosts.networks.some(matches))
    throw new SessionError('CREDENTIAL_NOT_FOR_HOST', { host, port: String(port) });
}

export async function connectSocket(address: string, port: number, signal: AbortSignal): Promise<Socket> {
  const options = { noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveMs };
  const socket = createConnection({ host: address, port, ...options });
  const timeout = AbortSignal.timeout(connectMs);
  try {
    await once(socket, 'connect', { signal: AbortSignal.any([signal, timeout]) });
    return socket;
  } catch (error) {
    socket.destroy();
    signal.throwIfAborted();
    if (timeout.aborted) throw new SessionError('TIMEOUT');
    const { code } = error as { code?: string };
    if (code === 'ECONNREFUSED') throw new SessionError('REFUSED');
    throw new SessionError(code === 'ETIMEDOUT' ? 'TIMEOUT' : 'UNREACHABLE', { reason: String(code) });
  }
}
