// Every screen is a command: the words of the terminal that do what a screen shows, as a text that can be pasted and read back.
import type { AnyResource } from './define-resource.ts';

/** What a command needs to know of a resource; a descriptor and a face both have it. */
export type CommandResource = Pick<AnyResource, 'app' | 'name' | 'plural' | 'singleton'>;

/** What holds the items: the resource's name and the id, outermost first. */
export type CommandParent = readonly [name: string, id: string];

/** What an address says of a list. */
export interface ListView {
  /** Counts from 1. */
  page?: number;
  size?: number;
  sort?: string;
  filter?: string;
  columns?: readonly string[];
}

/** The words before a verb: `yagura alerthub scopes`. */
function stem(resource: CommandResource): string[] {
  return ['yagura', resource.app, resource.singleton ? resource.name : resource.plural];
}

function flagsOf(parents: readonly CommandParent[]): string[] {
  return parents.flatMap(([name, id]) => [`--${name}`, id]);
}

/** The command that lists what a view shows. What the view does not say is left to the terminal. */
export function listCommand(
  resource: CommandResource,
  view: ListView = {},
  parents: readonly CommandParent[] = [],
): string[] {
  const { page = 1, size, sort, filter, columns } = view;
  return [
    ...stem(resource),
    'list',
    ...flagsOf(parents),
    ...(filter ? ['--filter', filter] : []),
    ...(sort ? ['--sort', sort] : []),
    ...(columns ? ['--columns', columns.join(',')] : []),
    ...(size ? ['--limit', String(size)] : []),
    ...(size && page > 1 ? ['--offset', String((page - 1) * size)] : []),
  ];
}

/** The command that does a verb or a call on one item; `id` is absent for what there is one of. */
export function itemCommand(
  resource: CommandResource,
  verb: string,
  id: string | undefined,
  parents: readonly CommandParent[] = [],
): string[] {
  return [...stem(resource), verb, ...(id === undefined ? [] : [id]), ...flagsOf(parents)];
}

/** The flags of an input, objects by dotted flags, lists and pairs by repeated ones; what is absent or null by default is left out. */
export function inputFlags(values: Readonly<Record<string, unknown>>, prefix = ''): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const path = prefix + name;
    const flag = `--${path.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value === undefined || value === null || value === '') return [];
    if (Array.isArray(value)) return value.flatMap((item) => [flag, listItem(item)]);
    if (typeof value === 'object') return inputFlags(value as Record<string, unknown>, `${path}.`);
    if (typeof value === 'boolean') return [`${flag}=${value}`];
    return [flag, atSign(String(value))];
  });
}

function listItem(item: unknown): string {
  if (typeof item === 'object' && item !== null) return JSON.stringify(item);
  return atSign(String(item));
}

/** A value that begins with @ would be read as the name of a file. */
function atSign(text: string): string {
  return text.startsWith('@') ? `@${text}` : text;
}

const plain = /^[\w@%+=:,./-]+$/;

/** Words as one line for a POSIX shell. */
export function quoteWords(words: readonly string[]): string {
  return words.map((word) => (plain.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
}

/** The words of a line that `quoteWords` wrote, or that was typed with quotes and backslashes; null for an open quote. */
export function splitWords(line: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let quote = '';
  for (let at = 0; at < line.length; at += 1) {
    const letter = line[at]!;
    if (quote) {
      if (letter === quote) quote = '';
      else if (quote === '"' && letter === '\\' && '"\\$`'.includes(line[at + 1] ?? ' ')) word += line[++at]!;
      else word += letter;
    } else if (letter === "'" || letter === '"') {
      quote = letter;
      word ??= '';
    } else if (letter === '\\' && at + 1 < line.length) word = (word ?? '') + line[++at]!;
    else if (/\s/.test(letter)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + letter;
  }
  if (quote) return null;
  return word === null ? words : [...words, word];
}
