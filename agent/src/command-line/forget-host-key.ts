// `gateway forget-host-key`: the next session accepts another key of a host, by the policy of its destination.
import { isHost } from '@yagura/core/greac/host';
import { AgentError, UsageError } from '../agent-error.ts';
import { reasonOf } from '../log.ts';
import { HostKeyFile } from '../session/ssh/host-keys.ts';
import { readSettings } from '../settings/settings.ts';
import { type SettingsOption, settingsPath } from './settings-path.ts';
import type { Terminal } from './terminal.ts';

export async function forgetHostKey(
  terminal: Terminal,
  { host, port = '22' }: { host: string; port?: string },
  options: SettingsOption,
): Promise<void> {
  const { t } = terminal;
  const number = Number(port);
  if (!isHost(host)) throw new UsageError('agent.gateway.host', { host });
  if (!Number.isInteger(number) || number < 1 || number > 65_535)
    throw new UsageError('agent.gateway.port', { port });
  const { stateFolder } = await readSettings(settingsPath(terminal, options), t);
  const file = new HostKeyFile(stateFolder);
  let wasKnown: boolean;
  try {
    wasKnown = await file.remove({ host, port: number });
  } catch (error) {
    throw new AgentError('agent.file.unwritable', { file: file.path, reason: reasonOf(error) });
  }
  if (!wasKnown) throw new AgentError('agent.gateway.no-host-key', { host, port });
  terminal.note(t('agent.gateway.forgotten', { host, port }));
}
