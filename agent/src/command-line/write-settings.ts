// Writes settings for one role and leaves what stands in the file for the other.
import { readFile } from 'node:fs/promises';
import { parse, stringify } from 'smol-toml';
import { replaceFile } from '../replace-file.ts';
import { settingsSchema } from '../settings/settings.ts';

export interface SettingsChange {
  /** Keys at the top of the file. */
  keys: Record<string, string>;
  tables: Record<string, Record<string, unknown>>;
}

/** Keeps comments unless keys have to be replaced. The result is checked before it is written. */
export async function writeSettings(file: string, { keys, tables }: SettingsChange): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const before = parseOrEmpty(text);
  const after = { ...before, ...keys, ...tables };
  settingsSchema.parse(after);
  const isReplaced = Object.keys({ ...keys, ...tables }).some((name) => name in before);
  const isNew = Object.keys(before).length === 0;
  await replaceFile(
    file,
    isReplaced || isNew
      ? `${stringify(after)}\n`
      : `${stringify(keys)}\n${text.trimEnd()}\n\n${stringify(tables)}\n`,
  );
}

/** A file that cannot be read is replaced. */
function parseOrEmpty(text: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch {
    return {};
  }
}
