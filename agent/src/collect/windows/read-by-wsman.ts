// Reads a Windows host by WS-Management with one account.
import { credentialPorts } from '@yagura/core/ksocket/credential-file';
import type { Credential } from '../../settings/credential-files.ts';
import type { HostKey, KnownHosts } from '../../state/known-hosts.ts';
import type { Attempt } from '../credential-health.ts';
import type { HostPart } from '../host-part.ts';
import { toWindowsHostPart } from './windows-host-part.ts';
import { runWsmanScript } from './wsman-session.ts';

const httpsPort = 5986;

/** Without encryption, nothing is signed in to: in place of the port for http, the one for https is used. */
export function wsmanPort({ port }: Pick<Credential, 'port'>): number {
  return port === credentialPorts.winrm ? httpsPort : port;
}

export async function readByWsman(
  credential: Credential,
  address: string,
  signal: AbortSignal,
  hostKeys?: KnownHosts,
): Promise<Attempt<HostPart>> {
  const { username, password } = credential.account;
  const port = wsmanPort(credential);
  const service = { protocol: 'winrm', address, port } as const;
  const accept = hostKeys && ((key: HostKey) => hostKeys.accept(service, key));
  const result = await runWsmanScript({ address, port, username, password }, signal, accept);
  return 'code' in result ? result : { value: toWindowsHostPart(result.value, { source: 'winrm' }) };
}
