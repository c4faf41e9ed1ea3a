// Writes a space as files that `plan` reads: one per kind, references by name, secrets as variables.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Fields, secretPaths, withValue } from '@yagura/core/plan/plan-item';
import { isParentPart, parentsOf, planKindNamed, planKinds } from '@yagura/core/plan/plan-kinds';
import { inputFields } from '@yagura/core/resource/define-resource';
import { createFolder } from '../files/create-folder.ts';
import { saveFile, saving } from '../files/save-file.ts';
import { yamlText } from '../resource/output/yaml-text.ts';
import { openSession } from '../signin/session.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';
import { type ExistingItem, SpaceReader } from './space-state.ts';

/**
 * Writes the kinds the caller may read, and names the others. A kind without items has no file; one that is there from an earlier export is
 * emptied, or the items in it would come back.
 */
export async function writeFiles(terminal: Terminal, folder: string): Promise<void> {
  const { transport } = openSession(terminal);
  await saving('--all', folder, () => createFolder(folder));
  const kinds = new Set(planKinds.map(({ name }) => name));
  const { items, unreadable } = await new SpaceReader(transport, terminal.signal).read(kinds, {
    optional: kinds,
  });
  for (const { name, plural } of planKinds) {
    const own = items.filter(({ kind }) => kind === name).sort(byName);
    const path = join(folder, `${plural}.yaml`);
    if (own.length === 0 && (unreadable.has(name) || !existsSync(path))) continue;
    const variables = variableNames(own);
    const text = yamlText({ [plural]: own.map((item, index) => toFileEntry(item, variables[index]!)) });
    await saveFile(terminal, path, `# ${terminal.t('plan.file-head')}\n${text}`, { flag: '--all' });
  }
  if (unreadable.size === 0) return;
  const leftOut = planKinds.filter(({ name }) => unreadable.has(name)).map(({ plural }) => plural);
  const message = terminal.t('plan.unreadable', { kinds: leftOut.join(', ') });
  printMessage(terminal, terminal.err.paint('warning', message));
}

/** Puts parents and name first, and a variable for each required secret. */
function toFileEntry(item: ExistingItem, variables: string): Fields {
  const resource = planKindNamed(item.kind);
  const fields = inputFields(resource);
  const whole = secretPaths(fields, item.fields).reduce((fields, path) => {
    const variable = `${variables}_${path.replace(/[^a-z0-9]+/gi, '_')}`.toUpperCase();
    return withValue(fields, path, { $env: variable });
  }, item.fields);
  const parents = parentsOf(resource).map((parent, at) => [parent.name, item.parents[at]]);
  const name = isParentPart(resource) ? {} : { [resource.identifiedBy]: item.name };
  return { ...Object.fromEntries(parents), ...name, ...whole };
}

/** The order in which a space was filled means nothing, and files of two spaces can be compared. */
function byName(one: ExistingItem, other: ExistingItem): number {
  const keys = [one, other].map(({ parents, name }) => [...parents, name].join('\u0000'));
  return keys[0]! < keys[1]! ? -1 : keys[0]! > keys[1]! ? 1 : one.number - other.number;
}

/**
 * How the variables of each item of a kind start. They follow from the names, since a position changes when another item
 * is deleted, and a secret would end up in the wrong item. A name of other letters, or like another, has a hash.
 */
function variableNames(items: readonly ExistingItem[]): string[] {
  const plain = items.map(({ name }) =>
    name
      .replace(/[^a-z0-9]+/gi, '_')
      .replace(/^_|_$/g, '')
      .toUpperCase(),
  );
  const uses = new Map<string, number>();
  for (const one of plain) uses.set(one, (uses.get(one) ?? 0) + 1);
  return items.map((item, index) => {
    const { kind, parents, name, number } = item;
    const own = plain[index]!;
    const isClear = /^[\x20-\x7e]+$/.test(name) && uses.get(own) === 1;
    const digest = createHash('sha256')
      .update(JSON.stringify([parents, name, number]))
      .digest('hex');
    const parts = [planKindNamed(kind).plural.replaceAll('-', '_'), own, isClear ? '' : digest.slice(0, 8)];
    return parts.filter(Boolean).join('_').toUpperCase();
  });
}
