// The files of a folder as wanted items, each with its place in its file.
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import type { Fields, PlanItem } from '@yagura/core/plan/plan-item';
import { isPart, parentsOf, planKind, planKinds, planTitle } from '@yagura/core/plan/plan-kinds';
import { inputFields } from '@yagura/core/resource/define-resource';
import type { Translate } from '@yagura/core/words/translate';
import { Usage } from '../term/usage.ts';
import { readCsv } from './read-csv.ts';
import { type FileFault, type FilePart, readYaml } from './read-yaml.ts';

export interface WantedItem extends PlanItem {
  file: string;
  /** Line of a field, or of the item for an empty path. */
  lineOf(path: string): number;
}

export interface ReadFiles {
  items: WantedItem[];
  faults: FileFault[];
}

/** Bounds of one folder: files, bytes of a file, and items altogether. */
const maxFiles = 2000;
const largest = 20 * 1024 * 1024;
const maxItems = 200_000;

/** Reads `.yaml`, `.yml`, `.json` and `.csv`, folders below included, names that begin with a dot left out. */
export async function readFiles(folder: string, t: Translate): Promise<ReadFiles> {
  const found: ReadFiles = { items: [], faults: [] };
  const numbers = new Map<string, number>();
  for (const path of await filesOf(folder)) {
    const file = relative(folder, path) || path;
    const parts = await partsOf(path, file, found.faults, t);
    for (const part of parts) {
      const item = itemOf(part, file, found.faults, t);
      if (!item) continue;
      const same = JSON.stringify([item.kind, item.parents, item.name]);
      const number = numbers.get(same) ?? 0;
      numbers.set(same, number + 1);
      found.items.push({ ...item, number });
    }
    if (found.items.length > maxItems) throw new Usage('plan.too-many', { most: maxItems });
  }
  return found;
}

async function filesOf(folder: string): Promise<string[]> {
  let names: string[];
  try {
    if ((await stat(folder)).isFile()) return [folder];
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    names = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    throw new Usage('cli.usage.file', { flag: 'DIR', source: folder, reason: (error as Error).message });
  }
  const files = names
    .filter((name) => /\.(ya?ml|json|csv)$/i.test(name))
    .filter(
      (name) =>
        !relative(folder, name)
          .split(/[\\/]/)
          .some((part) => part.startsWith('.')),
    )
    .sort();
  if (files.length === 0) throw new Usage('plan.no-files', { folder });
  if (files.length > maxFiles) throw new Usage('plan.too-many', { most: maxFiles });
  return files;
}

async function partsOf(path: string, file: string, faults: FileFault[], t: Translate): Promise<FilePart[]> {
  if ((await stat(path)).size > largest) {
    faults.push({
      file,
      line: 1,
      reason: t('cli.usage.too-large', { flag: file, megabytes: largest / 1024 / 1024 }),
    });
    return [];
  }
  const text = (await readFile(path, 'utf8')).replace(/^\ufeff/, '');
  const stem = file
    .split(/[\\/]/)
    .at(-1)!
    .replace(/\.[^.]*$/, '');
  return extname(path).toLowerCase() === '.csv'
    ? readCsv(text, file, stem, faults, t)
    : readYaml(text, file, stem, faults, t);
}

/** An item with the name and the parents taken out of its fields. */
function itemOf(
  { kind: plural, fields, lineOf }: FilePart,
  file: string,
  faults: FileFault[],
  t: Translate,
): Omit<WantedItem, 'number'> | undefined {
  const fault = (path: string, reason: string) => {
    faults.push({ file, line: lineOf(path), field: path || undefined, reason });
    return undefined;
  };
  const resource = planKind(plural);
  if (!resource)
    return fault(
      '',
      t('plan.unknown-kind', { kind: plural, kinds: planKinds.map((one) => one.plural).join(', ') }),
    );
  const own: Fields = { ...fields };
  const parents: string[] = [];
  for (const parent of parentsOf(resource)) {
    const given = own[parent.name];
    if (typeof given !== 'string' || given === '') return fault(parent.name, t('rule.required'));
    parents.push(given);
    delete own[parent.name];
  }
  const title = planTitle(resource);
  const name = isPart(resource) ? parents.at(-1) : own[title];
  if (typeof name !== 'string' || name.trim() === '') return fault(title, t('rule.required'));
  // The id that is a name is no field of the input.
  if (!Object.hasOwn(inputFields(resource), title)) delete own[title];
  return { kind: resource.name, parents, name: name.trim(), fields: own, file, lineOf };
}
