// Writes manual pages and Markdown pages for each top-level command, in both languages.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import { type Language, languages } from '@yagura/core/i18n/translator';
import { createTerminal, type Terminal } from '../terminal/terminal.ts';
import { version } from '../version.ts';
import { createFullProgram } from './full-program.ts';
import { commandPath, formatManPage } from './man-page.ts';
import { formatReferencePages } from './reference-pages.ts';

/** Writes `man1` (English) and `ja/man1` (Japanese) below the folder; returns the English files. */
export async function writePages(folder: string, date: string): Promise<string[]> {
  const written: string[] = [];
  for (const language of languages) {
    const root = createFullProgram(await terminalFor(language));
    const manFolder = join(folder, ...(language === 'en' ? [] : [language]), 'man1');
    await mkdir(manFolder, { recursive: true });
    for (const command of [root, ...root.commands.filter((one) => !one.name().startsWith('__'))]) {
      const file = join(manFolder, `${commandPath(command).join('-')}.1`);
      await writeFile(file, formatManPage(command, { version, date }));
      if (language === 'en') written.push(file);
    }
  }
  return written;
}

/** Returns the pages of `docs/commands` by relative path: English at the root, Japanese in `ja`. */
export async function documentationPages(): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  for (const language of languages) {
    const terminal = await terminalFor(language);
    for (const [name, text] of formatReferencePages(createFullProgram(terminal), terminal.t))
      all.set(language === 'en' ? name : `${language}/${name}`, text);
  }
  return all;
}

async function terminalFor(language: Language): Promise<Terminal> {
  return createTerminal(process, {
    language,
    t: await loadTranslator(language),
    jsonErrors: false,
    profile: undefined,
    signal: new AbortController().signal,
  });
}
