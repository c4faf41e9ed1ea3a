// Gives the browser its words in rooms: those of every page with the entry, each other room with the first module that names a word of it.
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { dictionaries, type Namespaces } from './dictionaries.ts';
import { type NamespaceUsage, namespaceUsage } from './rooms-of-words.ts';

const web = join(import.meta.dirname, '..');
/** Modules that may name words: the console's and core's. */
const sources = [join(web, 'app'), join(web, '..', 'core', 'src')].map((folder) => `${folder}/`);
const arriving = join(web, 'app', 'words', 'arriving.ts');
const own = 'virtual:page-words';
const firstRoom = 'first';

export function translationsPlugin(): Plugin {
  let languages: Record<string, Namespaces>;
  let rooms: NamespaceUsage;
  const ready = async () => {
    languages ??= await dictionaries();
    rooms ??= await namespaceUsage(languages.en!);
  };

  /** The words of one room; those that every page has are left to the first. */
  function wordsOf(language: string, room: string): Record<string, string> {
    const all = Object.entries(languages[language]!);
    const words = all.flatMap(([name, held]) =>
      room === firstRoom || room === name ? Object.entries(held) : [],
    );
    return Object.fromEntries(words.filter(([key]) => rooms.first.has(key) === (room === firstRoom)));
  }

  /** How to load each room in each language. */
  function loaders(): string {
    const line = (room: string) => {
      const each = Object.keys(languages).map(
        (language) => `${language}:()=>import("${own}/${language}-${room}")`,
      );
      return `${JSON.stringify(room)}:{${each.join()}}`;
    };
    return `export const rooms={${[firstRoom, ...Object.keys(languages.en!)].map(line).join()}}`;
  }

  return {
    name: 'words',
    buildStart: ready,
    resolveId: (id) => (id === own || id.startsWith(`${own}/`) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${own}`)) return undefined;
      const [, language, room] = /\/(\w+)-(\w+)$/.exec(id) ?? [];
      if (!language || !room) return loaders();
      const text = JSON.stringify(JSON.stringify(wordsOf(language, room)));
      return `export const words=JSON.parse(${text})`;
    },
    async transform(code, id, options) {
      if (options?.ssr || !sources.some((folder) => id.startsWith(folder)) || !/\.tsx?$/.test(id))
        return undefined;
      if (id.includes('/core/src/words/') || rooms.firstFiles.has(id)) return undefined;
      const wanted = rooms.roomsOf(id);
      if (wanted.length === 0) return undefined;
      const names = wanted.map((room) => JSON.stringify(room)).join();
      return {
        code: `${code}\nimport{wantWords}from${JSON.stringify(arriving)};wantWords(${names});`,
        map: null,
      };
    },
  };
}
