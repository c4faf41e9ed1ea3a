// Writes manual pages and Markdown pages for each top-level command, in both languages.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import { type Language, languages } from '@yagura/core/i18n/translator';
import type { Command } from 'commander';
import { commandPath } from '../command-line/command-path.ts';
import { createTerminal, type Terminal } from '../terminal/terminal.ts';
import { version } from '../version.ts';
import { createFullProgram } from './full-program.ts';
import { formatManPage } from './man-page.ts';
import { formatReferencePages } from './reference-pages.ts';

/**
 * Writes the pages to `man1` below the folder and returns their files. npm links every page into one folder, so
 * Japanese ones have a name of their own: `man yagura.ja`.
 */
export async function writePages(folder: string, date: string): Promise<string[]> {
  const written: string[] = [];
  const manFolder = join(folder, 'man1');
  await mkdir(manFolder, { recursive: true });
  for (const language of languages) {
    const terminal = await terminalFor(language);
    const root = createFullProgram(terminal);
    const commands = [root, ...root.commands.filter((one) => !one.name().startsWith('__'))];
    for (const command of commands) {
      const seeAlso = [
        ...commands.filter((one) => one !== command).map((one) => pageName(one, language)),
        ...languages.filter((one) => one !== language).map((one) => pageName(command, one)),
      ];
      const file = join(manFolder, `${pageName(command, language)}.1`);
      const release = { version, date, seeAlso: seeAlso.map((name) => `${name}(1)`) };
      await writeFile(file, formatManPage(command, release, terminal.t));
      written.push(file);
    }
  }
  return written;
}

function pageName(command: Command, language: Language): string {
  return `${commandPath(command).join('-')}${language === 'en' ? '' : `.${language}`}`;
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
