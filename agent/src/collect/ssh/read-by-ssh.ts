// Reads a host by ssh.
import type { Credential } from '../../settings/credential-files.ts';
import type { HostKey, KnownHosts } from '../../state/known-hosts.ts';
import type { Attempt } from '../credential-health.ts';
import type { HostPart } from '../host-part.ts';
import { toWindowsHostPart } from '../windows/windows-host-part.ts';
import { toHostPart } from './ssh-host-part.ts';
import type { SectionName } from './ssh-script.ts';
import { fetchHostKey, runSshScript, type SshService, sshLimits } from './ssh-session.ts';

/** Reads with one account; `only` limits what is read. */
export async function readBySsh(
  { account, port, privateKey }: Credential,
  { address, isLegacy }: Omit<SshService, 'port'>,
  signal: AbortSignal,
  hostKeys?: KnownHosts,
  only?: readonly SectionName[],
): Promise<Attempt<HostPart>> {
  const { username, password, passphrase } = account;
  const auth =
    privateKey === undefined ? { password } : { privateKey, ...(passphrase === '' ? {} : { passphrase }) };
  const service = { protocol: 'ssh', address, port } as const;
  const trust = hostKeys && {
    knownType: (await hostKeys.find(service))?.type,
    accept: (key: HostKey) => hostKeys.accept(service, key),
  };
  const target = { address, port, isLegacy, username, ...auth };
  const result = await runSshScript(target, signal, sshLimits, trust, only);
  if ('code' in result) return result;
  const { sections, hostKey } = result.value;
  return {
    value: sections.has('windows-os')
      ? toWindowsHostPart(sections, { source: 'ssh', sshHostKey: hostKey })
      : toHostPart(sections, hostKey),
  };
}

/** What a host shows without an account: its key. */
export async function readHostKey(service: SshService, signal: AbortSignal): Promise<HostPart | undefined> {
  const hostKey = await fetchHostKey(service, signal);
  return hostKey === undefined
    ? undefined
    : {
        fields: { signatures: { sshHostKey: hostKey } },
        ...{ groups: [], source: 'ssh', ownAddresses: [], identities: [`key:${hostKey}`] },
      };
}
