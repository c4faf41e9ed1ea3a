// `check`: reads all files of the agent and shows what the policy permits; sends nothing.

import { AgentError } from '../agent-error.ts';
import { ignoredCredentials, readCredentials } from '../settings/credential-files.ts';
import { readKrokerFile, readSettings, readToken } from '../settings/settings.ts';
import { countAddresses, toNetworks } from '../site/ipv4-ranges.ts';
import { permittedRanges } from '../site/policy.ts';
import { type SettingsOption, settingsPath } from './settings-path.ts';
import type { Terminal } from './terminal.ts';

/** Networks that are listed; the number of addresses is always complete. */
const maxListed = 50;

export async function check(terminal: Terminal, options: SettingsOption & { json?: boolean }): Promise<void> {
  const { t } = terminal;
  const file = settingsPath(terminal, options);
  const settings = await readSettings(file, t);
  if (settings.tokenFile !== undefined) await readToken({ tokenFile: settings.tokenFile });
  const kroker = settings.gateway && (await readKrokerFile(settings, settings.gateway.keyFile));
  const credentials =
    settings.credentials === undefined ? [] : await readCredentials(settings.credentials, t);
  const ignored = settings.credentials === undefined ? [] : await ignoredCredentials(settings.credentials);
  const permitted = permittedRanges(settings.scan);
  const networks = toNetworks(permitted);
  const { packetsPerSecond, parallelHosts, ports } = settings.scan;
  const sessions = {
    networks: toNetworks(permittedRanges(settings.sessions)),
    ports: settings.sessions.ports,
    maxSessions: settings.sessions.maxSessions,
    logKeys: settings.sessions.logKeys,
  };
  if (options.json) {
    const found = {
      url: settings.url,
      scan: { addresses: countAddresses(permitted), networks, ports, packetsPerSecond, parallelHosts },
      requests: { networks: toNetworks(permittedRanges(settings.requests)), ports: settings.requests.ports },
      ...(kroker ? { gateway: { krokerId: kroker.krokerId }, sessions } : {}),
      credentials: credentials.map(({ protocol, file: name }) => ({ protocol, file: name })),
      ignoredCredentials: ignored,
    };
    terminal.print(JSON.stringify(found));
  } else {
    terminal.print(`${t('agent.check.url')}\t${settings.url}`);
    terminal.print(
      `${t('agent.check.scan')}\t${t('agent.check.addresses', { count: countAddresses(permitted) })}`,
    );
    for (const network of networks.slice(0, maxListed)) terminal.print(`\t${network}`);
    if (networks.length > maxListed) terminal.print('\t…');
    terminal.print(`${t('agent.check.ports')}\t${ports.join(', ')}`);
    terminal.print(
      `${t('agent.check.pace')}\t${t('agent.check.pace-value', { packetsPerSecond, parallelHosts })}`,
    );
    const targets = toNetworks(permittedRanges(settings.requests));
    terminal.print(`${t('agent.check.requests')}\t${targets.slice(0, maxListed).join(', ') || '-'}`);
    if (kroker) {
      terminal.print(`${t('agent.check.gateway')}\t${kroker.krokerId}`);
      terminal.print(
        `${t('agent.check.sessions')}\t${sessions.networks.slice(0, maxListed).join(', ') || '-'}`,
      );
      terminal.print(`${t('agent.check.session-ports')}\t${sessions.ports.join(', ') || '-'}`);
      for (const key of sessions.logKeys) terminal.print(`${t('agent.check.log-key')}\t${key}`);
    }
    for (const { file: name } of credentials) terminal.print(`${t('agent.check.credential')}\t${name}`);
  }
  for (const name of ignored) terminal.note(t('agent.check.ignored', { file: name }));
  if (kroker && sessions.networks.length === 0) throw new AgentError('agent.check.no-sessions', { file });
  if (settings.tokenFile !== undefined && permitted.length === 0)
    throw new AgentError('agent.check.nothing', { file });
}
