// `run`: connects to the server and executes its orders until it is stopped.
import { runAgent } from '../agent.ts';
import { AgentError } from '../agent-error.ts';
import { createLog, reasonOf } from '../log.ts';
import { readCredentials } from '../settings/credential-files.ts';
import { readSettings, readToken } from '../settings/settings.ts';
import { lockStateFolder } from '../state/state-lock.ts';
import { type SettingsOption, settingsPath } from './settings-path.ts';
import type { Terminal } from './terminal.ts';

export async function run(terminal: Terminal, options: SettingsOption): Promise<void> {
  const { t, signal } = terminal;
  const settings = await readSettings(settingsPath(terminal, options), t);
  await readToken(settings);
  const credentials =
    settings.credentials === undefined ? [] : await readCredentials(settings.credentials, t);
  const log = createLog((line) => void process.stderr.write(line));
  try {
    const lock = await lockStateFolder(settings.stateFolder);
    try {
      await runAgent({ settings, credentials, readToken: () => readToken(settings), log }, signal);
    } finally {
      await lock.release();
    }
  } catch (error) {
    if (error instanceof AgentError) throw error;
    throw new AgentError('agent.file.unwritable', { file: settings.stateFolder, reason: reasonOf(error) });
  }
  log({ level: 'info', message: 'stopped' });
}
