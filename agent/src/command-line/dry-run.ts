// `scan --dry-run NETWORK`: the estimate and the targets of a scan; sends nothing.
import { isIpv4OrCidr } from '@yagura/core/validation/ipv4';
import { UsageError } from '../agent-error.ts';
import { findAbilities } from '../discover/abilities.ts';
import { estimateScan } from '../scan/estimate.ts';
import { readCredentials } from '../settings/credential-files.ts';
import { readSettings } from '../settings/settings.ts';
import { toNetworks } from '../site/ipv4-ranges.ts';
import { ownNetworks } from '../site/own-networks.ts';
import { type SettingsOption, settingsPath } from './settings-path.ts';
import type { Terminal } from './terminal.ts';

export async function dryRun(
  terminal: Terminal,
  seeds: string[],
  options: SettingsOption & { dryRun?: boolean; json?: boolean },
): Promise<void> {
  const { t } = terminal;
  if (!options.dryRun) throw new UsageError('agent.scan.only-dry');
  for (const seed of seeds)
    if (!isIpv4OrCidr(seed)) throw new UsageError('agent.setup.network', { network: seed });
  const settings = await readSettings(settingsPath(terminal, options), t);
  // Unreadable credentials end the command, as they would end the scan.
  if (settings.credentials !== undefined) await readCredentials(settings.credentials, t);
  const request = { seeds, allowed: [], forbidden: [] };
  const { targets, ...estimate } = estimateScan(
    settings.scan,
    request,
    ownNetworks(),
    findAbilities(settings.scan.discover),
  );
  const networks = toNetworks(targets);
  if (options.json) {
    terminal.print(JSON.stringify({ ...estimate, targets: networks }));
    return;
  }
  const { addresses, packets, seconds, excluded, limits } = estimate;
  terminal.print(t('agent.scan.estimate', { addresses, packets, seconds }));
  for (const network of networks) terminal.print(`${t('agent.scan.target')}\t${network}`);
  for (const { network, reason } of excluded)
    terminal.print(`${t('agent.scan.excluded')}\t${network}\t${t(`agent.excluded.${reason}`)}`);
  if (limits.neighborTable) terminal.note(t(`sonar.neighbor-table.${limits.neighborTable}`));
}
