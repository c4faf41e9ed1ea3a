// What the build gives a module must hold every word that the module can show.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resourceNamed } from '@yagura/core/all';
import { resourceMeta } from '@yagura/core/resource/face';
import { describe, expect, test } from 'vitest';
import { homeColumns } from '../app/home/home-columns.ts';
import { dictionaries } from './dictionaries.ts';
import { namespaceUsage } from './rooms-of-words.ts';

const app = join(import.meta.dirname, '..', 'app');
const { en, ja } = await dictionaries();
const rooms = await namespaceUsage(en);
const modules = readdirSync(app, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\.server\.ts$|\.d\.ts$|^(words|ui\/test)\//.test(file),
);

/** The words that a module has when it is drawn: those of every page, and its rooms unless it comes with every page. */
function heldBy(file: string): Set<string> {
  const own = rooms.firstFiles.has(file) ? [] : rooms.roomsOf(file);
  return new Set([...rooms.first, ...own.flatMap((room) => Object.keys(en[room]!))]);
}

/** What a module hands to the translator as it stands, read another way than the build reads it. */
function said(text: string): string[] {
  return [...text.matchAll(/\b(?:t|optional)\(\s*(['`])([^'`]*)\1/g)].map(([, , key]) => key!);
}

test('both languages have the same rooms', () => {
  expect(Object.keys(ja)).toEqual(Object.keys(en));
});

test('every module has the words that it says', () => {
  const missing = modules.flatMap((name) => {
    const file = join(app, name);
    const held = [...heldBy(file)];
    return said(readFileSync(file, 'utf8'))
      .filter((key) => {
        const beginning = key.split('${')[0]!;
        if (beginning === 'label.') return !rooms.roomsOf(file).includes('label');
        return !held.some(
          (one) =>
            one.replace(/_(one|other)$/, '') === key || (beginning !== key && one.startsWith(beginning)),
        );
      })
      .map((key) => `${name}: ${key}`);
  });
  expect(missing).toEqual([]);
});

test('words that only data name are told of where they are said', () => {
  // Whoever translates a key that stands elsewhere, and why every key that may come is there.
  const knowing: Record<string, string> = {
    'alerthub/catalogue-rows.tsx': 'operator',
    'alerthub/runbook-step-form.tsx': 'operator',
    'alerthub/screens/attempts.tsx': 'why notice',
    'ksocket/screens/credential-tool.tsx': 'credential',
  };
  /** These translate the words of their own text, of the page's loaders, or of the drawer. */
  const ofTheirOwn = [
    'alerthub/bulk/plan-table.tsx',
    'home/beginnings.tsx',
    'resource/filter-dialog.tsx',
    'shell/crumb.ts',
    'shell/nav.tsx',
    'shell/palette.tsx',
    'shell/shortcut-sheet.tsx',
    'ui/words.tsx',
  ];
  // What is handed to the translator begins with a name, and no quoted key is chosen between.
  const open = modules.filter((name) =>
    [...readFileSync(join(app, name), 'utf8').matchAll(/(?<!function )\bt\(\s*([a-z][^()]*)/g)].some(
      ([, key]) => !/['`][\w-]+\./.test(key!),
    ),
  );
  expect(open.filter((name) => !ofTheirOwn.includes(name) && !knowing[name])).toEqual([]);
  for (const [name, wanted] of Object.entries(knowing))
    expect(rooms.roomsOf(join(app, name)), name).toEqual(expect.arrayContaining(wanted.split(' ')));
});

test('parts that come later bring their words', () => {
  const late = modules.flatMap((name) =>
    [
      ...readFileSync(join(app, name), 'utf8').matchAll(/(?<!loadChunk\([^)]*\) => )import\('(\.[^']+)'\)/g),
    ].map(([, path]) => join(app, name, '..', path!)),
  );
  expect(late.length).toBeGreaterThan(0);
  expect(late.filter((file) => !rooms.firstFiles.has(file) && rooms.roomsOf(file).length > 0)).toEqual([]);
});

describe('home', () => {
  const columns = Object.values(homeColumns).flat();

  test('has the labels of its columns', () => {
    expect(columns.filter((name) => !rooms.first.has(`label.${name}`))).toEqual([]);
  });

  test('draws no field that has members of its own', () => {
    const shown = {
      troubled: 'scope',
      messages: 'message',
      deliveries: 'action-record',
      changes: 'audit-record',
    };
    const kinds = Object.entries(shown).flatMap(([list, name]) => {
      const names: readonly string[] = homeColumns[list as keyof typeof shown];
      const found = resourceMeta(resourceNamed(name)).columns.filter((column) => names.includes(column.name));
      expect(found).toHaveLength(names.length);
      return found.map(({ meta }) => meta.kind);
    });
    expect(
      kinds.filter((kind) => ['object', 'variant', 'key-values', 'json', 'rrule'].includes(kind)),
    ).toEqual([]);
  });
});
