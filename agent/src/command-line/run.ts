// `run`: connects to the server and executes its orders until it is stopped.
import { runAgent } from '../agent.ts';
import { AgentError } from '../agent-error.ts';
import { createLog, reasonOf } from '../log.ts';
import { readCredentials } from '../settings/credential-files.ts';
import { readKrokerFile, readSettings, readToken } from '../settings/settings.ts';
import { lockStateFolder } from '../state/state-lock.ts';
import { type SettingsOption, settingsPath } from './settings-path.ts';
import type { Terminal } from './terminal.ts';

export async function run(terminal: Terminal, options: SettingsOption): Promise<void> {
  const { t, signal } = terminal;
  const settings = await readSettings(settingsPath(terminal, options), t);
  const { tokenFile, gateway } = settings;
  const readKey = gateway && (() => readKrokerFile(settings, gateway.keyFile));
  // What is wrong with the files is reported before anything is started.
  if (tokenFile !== undefined) await readToken({ tokenFile });
  await readKey?.();
  const credentials =
    settings.credentials === undefined ? [] : await readCredentials(settings.credentials, t);
  const log = createLog((line) => void process.stderr.write(line));
  try {
    const lock = await lockStateFolder(settings.stateFolder);
    try {
      const readers = {
        ...(tokenFile !== undefined ? { readToken: () => readToken({ tokenFile }) } : {}),
        ...(readKey ? { readKey } : {}),
      };
      await runAgent({ settings, credentials, ...readers, log }, signal);
    } finally {
      await lock.release();
    }
  } catch (error) {
    const { syscall, path = settings.stateFolder } = error as NodeJS.ErrnoException;
    if (error instanceof AgentError || syscall === undefined) throw error;
    throw new AgentError('agent.file.unwritable', { file: path, reason: reasonOf(error) });
  }
  log({ level: 'info', message: 'stopped' });
}
