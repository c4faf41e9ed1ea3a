// Reads the configuration files of a folder as desired items with their source positions.
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import type { Translate } from '@yagura/core/i18n/translator';
import type { Fields, PlanItem } from '@yagura/core/plan/plan-item';
import { isParentPart, parentsOf, planKind, planKinds } from '@yagura/core/plan/plan-kinds';
import { inputFields } from '@yagura/core/resource/define-resource';
import { decodeUtf8 } from '../command-line/read-file-or-stdin.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { readCsv } from './read-csv.ts';
import { type EmptyKind, type FileFault, type ParsedItem, readYaml } from './read-yaml.ts';

export interface DesiredItem extends PlanItem {
  file: string;
  /** Line of a field, or of the item for an empty path. */
  lineOf(path: string): number;
}

export interface ParsedFiles {
  items: DesiredItem[];
  /** Names of the kinds that occur in the files, with or without items. */
  kinds: Set<string>;
  faults: FileFault[];
}

/** Limits per folder: number of files, bytes per file, total items. */
const maxFiles = 2000;
const maxFileBytes = 20 * 1024 * 1024;
const maxItems = 200_000;

/** Reads `.yaml`, `.yml`, `.json` and `.csv` files recursively; names starting with a dot are skipped. */
export async function readFiles(folder: string, t: Translate): Promise<ParsedFiles> {
  const found: ParsedFiles = { items: [], kinds: new Set(), faults: [] };
  const numbers = new Map<string, number>();
  for (const path of await listFiles(folder)) {
    const file = relative(folder, path) || path;
    const empty: EmptyKind[] = [];
    const parts = await parseFile(path, file, found.faults, t, empty);
    for (const { kind, line } of empty) {
      const resource = planKind(kind);
      if (resource) found.kinds.add(resource.name);
      else found.faults.push({ file, line, reason: unknownKind(kind, t) });
    }
    for (const part of parts) {
      const item = toDesiredItem(part, file, found.faults, t);
      if (!item) continue;
      const same = JSON.stringify([item.kind, item.parents, item.name]);
      const number = numbers.get(same) ?? 0;
      numbers.set(same, number + 1);
      found.kinds.add(item.kind);
      found.items.push({ ...item, number });
    }
    if (found.items.length > maxItems) throw new UsageError('plan.too-many', { most: maxItems });
  }
  return found;
}

async function listFiles(folder: string): Promise<string[]> {
  let names: string[];
  try {
    if ((await stat(folder)).isFile()) return [folder];
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    names = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    throw new UsageError('cli.usage.file', { flag: 'DIR', source: folder, reason: error });
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
  if (files.length === 0) throw new UsageError('plan.no-files', { folder });
  if (files.length > maxFiles) throw new UsageError('plan.too-many', { most: maxFiles });
  return files;
}

async function parseFile(
  path: string,
  file: string,
  faults: FileFault[],
  t: Translate,
  empty: EmptyKind[],
): Promise<ParsedItem[]> {
  if ((await stat(path)).size > maxFileBytes) {
    faults.push({
      file,
      line: 1,
      reason: t('cli.usage.too-large', { flag: file, megabytes: maxFileBytes / 1024 / 1024 }),
    });
    return [];
  }
  const decoded = decodeUtf8(await readFile(path));
  if (!('text' in decoded)) {
    faults.push({ file, line: decoded.invalidLine, reason: t('bulk.encoding') });
    return [];
  }
  const { text } = decoded;
  const fileKind = file
    .split(/[\\/]/)
    .at(-1)!
    .replace(/\.[^.]*$/, '');
  return extname(path).toLowerCase() === '.csv'
    ? readCsv(text, file, fileKind, faults, t, empty)
    : readYaml(text, file, fileKind, faults, t, empty);
}

function unknownKind(kind: string, t: Translate): string {
  return t('plan.unknown-kind', { kind, kinds: planKinds.map((one) => one.plural).join(', ') });
}

/** Builds an item, moving its name and parents out of the fields. */
function toDesiredItem(
  { kind: plural, fields, lineOf }: ParsedItem,
  file: string,
  faults: FileFault[],
  t: Translate,
): Omit<DesiredItem, 'number'> | undefined {
  const fault = (path: string, reason: string) => {
    faults.push({ file, line: lineOf(path), field: path || undefined, reason });
    return undefined;
  };
  const resource = planKind(plural);
  if (!resource) return fault('', unknownKind(plural, t));
  const remaining: Fields = { ...fields };
  const parents: string[] = [];
  for (const parent of parentsOf(resource)) {
    const parentName = remaining[parent.name];
    if (typeof parentName !== 'string' || parentName === '')
      return fault(parent.name, nameFault(parentName, t));
    parents.push(parentName);
    delete remaining[parent.name];
  }
  const title = resource.identifiedBy;
  const name = isParentPart(resource) ? parents.at(-1) : remaining[title];
  if (typeof name !== 'string' || name.trim() === '') return fault(title, nameFault(name, t));
  // An id that serves as the name is not part of the input.
  if (!Object.hasOwn(inputFields(resource), title)) delete remaining[title];
  return { kind: resource.name, parents, name: name.trim(), fields: remaining, file, lineOf };
}

/** YAML reads a name such as 10 without quotes as a number. */
function nameFault(value: unknown, t: Translate): string {
  const isMissing = value === undefined || value === null || typeof value === 'string';
  return t(isMissing ? 'rule.required' : 'rule.text');
}
