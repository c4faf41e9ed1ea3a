// Writes a space as files that `plan` reads: one per kind, references by name, secrets as variables.
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
import { type ExistingItem, readSpaceState } from './space-state.ts';

/**
 * Writes the kinds the caller may read, and names the others. A kind without items has no file; one that is there from an earlier export is
 * emptied, or the items in it would come back.
 */
export async function writeFiles(terminal: Terminal, folder: string): Promise<void> {
  const { transport } = openSession(terminal);
  await saving('--all', folder, () => createFolder(folder));
  const kinds = new Set(planKinds.map(({ name }) => name));
  const { items, unreadable } = await readSpaceState(transport, kinds, terminal.signal, kinds);
  for (const { name, plural } of planKinds) {
    const own = items.filter(({ kind }) => kind === name);
    const path = join(folder, `${plural}.yaml`);
    if (own.length === 0 && (unreadable.has(name) || !existsSync(path))) continue;
    const text = yamlText({ [plural]: own.map((item, index) => toFileEntry(item, index)) });
    await saveFile(terminal, path, `# ${terminal.t('plan.file-head')}\n${text}`, { flag: '--all' });
  }
  if (unreadable.size === 0) return;
  const leftOut = planKinds.filter(({ name }) => unreadable.has(name)).map(({ plural }) => plural);
  const message = terminal.t('plan.unreadable', { kinds: leftOut.join(', ') });
  printMessage(terminal, terminal.err.paint('warning', message));
}

/** Puts parents and name first, and a variable for each required secret. */
function toFileEntry(item: ExistingItem, index: number): Fields {
  const resource = planKindNamed(item.kind);
  const fields = inputFields(resource);
  const whole = secretPaths(fields, item.fields).reduce((fields, path) => {
    const variable = `${resource.plural}_${index + 1}_${path}`.replace(/[^a-z0-9]+/gi, '_').toUpperCase();
    return withValue(fields, path, { $env: variable });
  }, item.fields);
  const parents = parentsOf(resource).map((parent, at) => [parent.name, item.parents[at]]);
  const name = isParentPart(resource) ? {} : { [resource.identifiedBy]: item.name };
  return { ...Object.fromEntries(parents), ...name, ...whole };
}
