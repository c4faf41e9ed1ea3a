// Settings for one role, with what stands in the file for the other.
import { readFile } from 'node:fs/promises';
import type { Translate } from '@yagura/core/i18n/translator';
import { parse, stringify } from 'smol-toml';
import { AgentError } from '../agent-error.ts';
import { reasonOf } from '../log.ts';
import { parseToml } from '../settings/read-toml.ts';
import { settingsSchema } from '../settings/settings.ts';

export interface SettingsChange {
  /** Keys at the top of the file. */
  keys: Record<string, string>;
  /** Keys of tables; the other keys of a table stay. */
  tables: Record<string, Record<string, unknown>>;
}

/**
 * The text of the changed file. Keeps comments unless keys have to be replaced. Throws an error that names what else in
 * the file is not valid, so that it can be checked before anything is written.
 */
export async function changeSettings(
  file: string,
  { keys, tables }: SettingsChange,
  t: Translate,
): Promise<string> {
  const text = await readText(file);
  const before = parseOrEmpty(text);
  const changed = Object.entries(tables).map(([name, table]) => [
    name,
    { ...tableIn(before, name), ...table },
  ]);
  const isReplaced = Object.keys({ ...keys, ...tables }).some((name) => name in before);
  const isNew = Object.keys(before).length === 0;
  const after =
    isReplaced || isNew
      ? `${stringify({ ...before, ...keys, ...Object.fromEntries(changed) })}\n`
      : `${stringify(keys)}\n${text.trimEnd()}\n\n${stringify(tables)}\n`;
  parseToml(file, after, settingsSchema, t);
  return after;
}

/** Without a byte order mark. */
async function readText(file: string): Promise<string> {
  try {
    return new TextDecoder().decode(await readFile(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw new AgentError('agent.file.unreadable', { file, reason: reasonOf(error) });
  }
}

/** A file that is not TOML is replaced. */
function parseOrEmpty(text: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch {
    return {};
  }
}

function tableIn(settings: Record<string, unknown>, name: string): object {
  const value = settings[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}
