// The words that the browser has so far. A module asks for the rooms of words that it names as it is loaded; the build writes these calls.
import type { Language, Translations } from '@yagura/core/words/translate';

type Load = () => Promise<{ words: Translations }>;
export type Namespaces = Readonly<Record<string, Readonly<Record<Language, Load>>>>;

const words: Record<string, string> = {};
const asked = new Set(['first']);
let load: ((room: string) => Promise<void>) | undefined;
let underWay: Promise<void> | undefined;

/** Words as they arrive; the object stays the same. */
export const loadedTranslations: Translations = words;

/** Asks for rooms by their names; once for each. */
export function requestTranslations(...rooms: string[]): void {
  for (const room of rooms) {
    if (asked.has(room)) continue;
    asked.add(room);
    if (load) follow(load(room));
  }
}

/** Says where rooms come from, and fetches those of every page and what was asked for until now. `lost` is told of what cannot be fetched. */
export function loadTranslations(
  rooms: Namespaces,
  language: Language,
  lost: (error: unknown) => void,
): void {
  load = async (room) => {
    try {
      Object.assign(words, (await rooms[room]![language]()).words);
    } catch (error) {
      lost(error);
      // Nothing is shown without its words.
      await new Promise(() => {});
    }
  };
  for (const room of asked) follow(load(room));
}

/** Ends when all words that were asked for are there; nothing when they are. */
export function pendingTranslations(): Promise<void> | undefined {
  return underWay;
}

function follow(loading: Promise<void>): void {
  const all = Promise.all([underWay, loading]).then(() => {
    if (underWay === all) underWay = undefined;
  });
  underWay = all;
}
