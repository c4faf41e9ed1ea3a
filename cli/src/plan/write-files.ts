// Writes a space as files that `plan` reads: one per kind, references by name, secrets as variables.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Fields, secretPaths, withValue } from '@yagura/core/plan/plan-item';
import { isParentPart, parentsOf, planKindNamed, planKinds } from '@yagura/core/plan/plan-kinds';
import { inputFields } from '@yagura/core/resource/define-resource';
import { UsageError } from '../command-line/usage-error.ts';
import { yamlText } from '../resource/output/yaml-text.ts';
import { openSession } from '../signin/session.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';
import { type ExistingItem, readSpaceState } from './space-state.ts';

/** Writes the kinds the caller may read; a kind without items has no file. */
export async function writeFiles(terminal: Terminal, folder: string): Promise<void> {
  const { transport } = openSession(terminal);
  const kinds = new Set(planKinds.map(({ name }) => name));
  const { items } = await readSpaceState(transport, kinds, terminal.signal, true);
  for (const { name, plural } of planKinds) {
    const own = items.filter(({ kind }) => kind === name);
    if (own.length === 0) continue;
    const path = join(folder, `${plural}.yaml`);
    const text = yamlText({ [plural]: own.map((item, index) => toFileEntry(item, index)) });
    try {
      await mkdir(folder, { recursive: true });
      await writeFile(path, `# ${terminal.t('plan.file-head')}\n${text}`);
    } catch (error) {
      throw new UsageError('cli.usage.save', {
        flag: '--all',
        source: path,
        reason: (error as Error).message,
      });
    }
    printMessage(terminal, terminal.t('cli.export.saved', { path }));
  }
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
