// `setup`: writes the settings and the token file.
import { access, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isIpv4OrCidr } from '@yagura/core/validation/ipv4';
import { AgentError, UsageError } from '../agent-error.ts';
import { createFolder } from '../create-folder.ts';
import { reasonOf } from '../log.ts';
import { replaceFile } from '../replace-file.ts';
import {
  defaultStateFolder,
  isOrigin,
  readSettings,
  type Settings,
  tokenPattern,
} from '../settings/settings.ts';
import { ownNetworks } from '../site/own-networks.ts';
import { type SettingsOption, settingsPath } from './settings-path.ts';
import type { Terminal } from './terminal.ts';
import { changeSettings } from './write-settings.ts';

export interface SetupOptions extends SettingsOption {
  url?: string;
  tokenFile?: string;
  allow?: string[];
  stateFolder?: string;
  replace?: boolean;
}

export async function setUp(terminal: Terminal, options: SetupOptions): Promise<void> {
  const { t } = terminal;
  const file = resolve(settingsPath(terminal, options));
  const existing = await readExisting(file, options, t);
  if (existing?.tokenFile !== undefined && !options.replace)
    throw new UsageError('agent.setup.exists', { file });
  const url = options.url ?? existing?.url ?? (await terminal.ask(t('agent.setup.ask-url'), '--url'));
  if (!isOrigin(url)) throw new UsageError('cli.usage.address', { address: url });
  const token = await readNewToken(terminal, options);
  const allowed = await chooseNetworks(terminal, options.allow, 'agent.setup.ask-networks');
  const folder = dirname(file);
  const tokenFile = join(folder, 'token');
  const credentials = join(folder, 'credentials');
  const { origin } = new URL(url);
  const stateFolder = stateFolderOf(options, existing);
  const keys = { tokenFile, credentials, ...changedKeys({ url: origin, stateFolder }, existing) };
  const settings = await changeSettings(file, { keys, tables: { scan: { allowed } } }, t);
  try {
    for (const path of [folder, credentials, stateFolder]) createFolder(path);
    await replaceFile(tokenFile, `${token}\n`);
    await replaceFile(file, settings);
  } catch (error) {
    throw new AgentError('agent.file.unwritable', { file, reason: reasonOf(error) });
  }
  terminal.note(t('agent.setup.done', { file }));
  terminal.note(
    allowed.length > 0
      ? t('agent.setup.allowed', { networks: allowed.join(', ') })
      : t('agent.setup.nothing-allowed', { file }),
  );
}

/** The settings that another role has already; unreadable ones only count when they are not replaced. */
export async function readExisting(
  file: string,
  { replace }: Pick<SetupOptions, 'replace'>,
  t: Terminal['t'],
): Promise<Settings | undefined> {
  if (!(await exists(file))) return undefined;
  try {
    return await readSettings(file, t);
  } catch (error) {
    if (replace) return undefined;
    throw error;
  }
}

export function stateFolderOf({ stateFolder }: SetupOptions, existing: Settings | undefined): string {
  return resolve(stateFolder ?? existing?.stateFolder ?? defaultStateFolder);
}

/** Keys that do not stand in the file with this value. */
export function changedKeys(
  keys: { url: string; stateFolder: string },
  existing: Settings | undefined,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(keys).filter(([name, value]) => existing?.[name as keyof typeof keys] !== value),
  );
}

/** A token is never an argument: other users of the machine can read those. */
async function readNewToken(terminal: Terminal, { tokenFile }: SetupOptions): Promise<string> {
  let token: string;
  if (tokenFile === undefined)
    token = await terminal.ask(terminal.t('agent.setup.ask-token'), '--token-file', 'secret');
  else {
    try {
      token = tokenFile === '-' ? await readStdin() : await readFile(tokenFile, 'utf8');
    } catch (error) {
      throw new UsageError('cli.usage.file', {
        flag: '--token-file',
        source: tokenFile,
        reason: reasonOf(error),
      });
    }
  }
  token = token.trim();
  if (!tokenPattern.test(token)) throw new UsageError('agent.token-format', { file: '--token-file' });
  return token;
}

/** Networks from the flag or the user's answer; `ask` is the question about the networks of this machine. */
export async function chooseNetworks(
  terminal: Terminal,
  allow: readonly string[] | undefined,
  ask: 'agent.setup.ask-networks' | 'agent.gateway.ask-networks',
): Promise<string[]> {
  const given = allow?.flatMap((text) => text.split(',')).map((text) => text.trim());
  const proposed = [...new Set(ownNetworks().map(({ network }) => network))];
  const question = () => terminal.t(ask, { networks: proposed.join(', ') || '-' });
  const answer = given ?? (await terminal.ask(question(), '--allow')).split(/[,\s]+/);
  const networks = answer.flatMap((text) =>
    /^(y|yes|はい)$/i.test(text) ? proposed : text === '' ? [] : [text],
  );
  for (const network of networks)
    if (network !== 'none' && !isIpv4OrCidr(network))
      throw new UsageError('agent.setup.network', { network });
  return [...new Set(networks.filter((network) => network !== 'none'))];
}

async function readStdin(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += chunk;
    if (text.length > 10_000) break;
  }
  return text;
}

export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
