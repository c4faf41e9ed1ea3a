// `hosts list` and `hosts forget ADDRESS`: the keys of hosts that the agent has signed in to.
import { isIpv4 } from '@yagura/core/validation/ipv4';
import { AgentError, UsageError } from '../agent-error.ts';
import { readSettings } from '../settings/settings.ts';
import { KnownHosts } from '../state/known-hosts.ts';
import { type SettingsOption, settingsPath } from './settings-path.ts';
import type { Terminal } from './terminal.ts';

export async function listHosts(
  terminal: Terminal,
  options: SettingsOption & { json?: boolean },
): Promise<void> {
  const hosts = await (await knownHosts(terminal, options)).list();
  if (options.json) terminal.print(JSON.stringify(hosts));
  else
    for (const { protocol, address, port, type, fingerprint } of hosts)
      terminal.print(`${address}\t${protocol}\t${port}\t${type}\t${fingerprint}`);
}

export async function forgetHosts(
  terminal: Terminal,
  addresses: readonly string[],
  options: SettingsOption,
): Promise<void> {
  for (const address of addresses)
    if (!isIpv4(address)) throw new UsageError('agent.hosts.address', { address });
  const known = await knownHosts(terminal, options);
  const unknown: string[] = [];
  for (const address of addresses) {
    const forgotten = await known.forget(address);
    for (const { protocol, port, fingerprint } of forgotten)
      terminal.note(terminal.t('agent.hosts.forgotten', { address, protocol, port, fingerprint }));
    if (forgotten.length === 0) unknown.push(address);
  }
  if (unknown.length > 0) throw new AgentError('agent.hosts.unknown', { addresses: unknown.join(', ') });
}

async function knownHosts(terminal: Terminal, options: SettingsOption): Promise<KnownHosts> {
  return new KnownHosts((await readSettings(settingsPath(terminal, options), terminal.t)).stateFolder);
}
