// `gateway setup`: makes this machine a Kroker: shows a code to approve, then writes the key and the settings.
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Problem } from '@yagura/core/http/problem';
import { type KrokerFile, setUpMachine } from '@yagura/core/kroker/machine-setup';
import { AgentError, UsageError } from '../agent-error.ts';
import { createFolder } from '../create-folder.ts';
import { reasonOf } from '../log.ts';
import { systemTiming } from '../pace.ts';
import { replaceFile } from '../replace-file.ts';
import { isOrigin } from '../settings/settings.ts';
import { settingsPath } from './settings-path.ts';
import {
  changedKeys,
  chooseNetworks,
  exists,
  readExisting,
  type SetupOptions,
  stateFolderOf,
} from './setup.ts';
import type { Terminal } from './terminal.ts';
import { changeSettings } from './write-settings.ts';

export async function setUpGateway(
  terminal: Terminal,
  options: SetupOptions & { name?: string },
): Promise<void> {
  const { t } = terminal;
  const file = resolve(settingsPath(terminal, options));
  const existing = await readExisting(file, options, t);
  if (existing?.gateway && !options.replace) throw new UsageError('agent.gateway.exists', { file });
  const url = options.url ?? existing?.url ?? (await terminal.ask(t('agent.setup.ask-url'), '--url'));
  if (!isOrigin(url)) throw new UsageError('cli.usage.address', { address: url });
  const { origin } = new URL(url);
  const isChosen = options.allow !== undefined || !existing?.gateway;
  const allowed = isChosen
    ? await chooseNetworks(terminal, options.allow, 'agent.gateway.ask-networks')
    : existing.sessions.allowed;
  const keyFile = existing?.gateway?.keyFile ?? join(dirname(file), 'kroker.json');
  // The key of an earlier set-up without settings is not lost by accident.
  if (!options.replace && (await exists(keyFile)))
    throw new UsageError('cli.usage.kroker-file', { file: keyFile });
  const stateFolder = stateFolderOf(options, existing);
  const keys = changedKeys({ url: origin, stateFolder }, existing);
  const tables = { gateway: { keyFile }, ...(isChosen ? { sessions: { allowed } } : {}) };
  const settings = await changeSettings(file, { keys, tables }, t);
  // A key that cannot be stored after the approval would be lost, and leave a Kroker without a machine.
  for (const path of [dirname(file), dirname(keyFile), stateFolder]) await prepareFolder(path);
  const made = await approve(terminal, origin, options.name ?? hostname());
  try {
    await replaceFile(keyFile, `${JSON.stringify(made.file, null, 2)}\n`);
    await replaceFile(file, settings);
  } catch (error) {
    throw new AgentError('agent.file.unwritable', { file, reason: reasonOf(error) });
  }
  terminal.note(t('cli.kroker.done', { name: made.displayName, space: made.spaceName, file: keyFile }));
  terminal.note(
    allowed.length > 0
      ? t('agent.gateway.allowed', { networks: allowed.join(', ') })
      : t('agent.gateway.nothing-allowed', { file }),
  );
}

async function prepareFolder(path: string): Promise<void> {
  try {
    createFolder(path);
    await access(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new AgentError('agent.file.unwritable', { file: path, reason: reasonOf(error) });
  }
}

async function approve(
  { t, language, note, signal }: Terminal,
  origin: string,
  hostName: string,
): Promise<{ file: KrokerFile; displayName: string; spaceName: string }> {
  try {
    const made = await setUpMachine({
      transport: { origin, fetch, headers: () => ({ 'accept-language': language }) },
      ...{ hostName, signal, now: Date.now, sleep: systemTiming.sleep },
      show({ url, code, thumbprint }) {
        note(t('cli.kroker.open', { url }));
        note(t('cli.kroker.code', { code }));
        note(t('cli.kroker.thumbprint', { thumbprint }));
      },
    });
    if (made) return made;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Problem)) throw error;
    throw new AgentError('agent.gateway.refused', { reason: error.detail ?? error.title });
  }
  throw new AgentError('cli.kroker.expired');
}
