// Enumerates the commands derived from resources, with valid arguments.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FieldMeta } from '@yagura/core/resource/field';
import type { Fields, ResourceMeta } from '@yagura/core/resource/resource-meta';
import { customCommands } from '../src/resource/commands.ts';
import { parentsOf } from '../src/resource/meta/path-params.ts';

export const id = '01a1fea7-056f-700d-b199-539c2daf013a';

export interface DerivedCommand {
  /** The verb, or the name of the call. */
  name: string;
  words: string[];
}

/**
 * Every command derived from a resource with all required arguments; new resources are included
 * automatically.
 */
export function derivedCommandsOf(meta: ResourceMeta, folder: string): DerivedCommand[] {
  const prefix = [meta.app, meta.singleton ? meta.name : meta.plural];
  const parents = parentsOf(meta).flatMap(({ name }) => [`--${name}`, id]);
  const item = meta.singleton ? [] : [id];
  const body = join(folder, `${meta.name}.json`);
  writeFileSync(body, JSON.stringify(sampleEdit(meta.input ?? {})));
  const verbs: Record<string, string[]> = {
    list: [...prefix, 'list', ...parents],
    show: [...prefix, 'show', ...item, ...parents],
    create: [...prefix, 'create', '--input', body, ...parents],
    edit: [...prefix, 'edit', ...item, '--input', body, ...parents],
    remove: [...prefix, 'delete', id, ...parents, '--yes'],
  };
  const calls = Object.entries(meta.calls).map(([name, call]) => ({
    name,
    words: [
      ...[...prefix, name, ...(call.on === 'item' ? item : []), ...parents],
      ...(call.danger ? ['--yes'] : []),
    ],
  }));
  return [...meta.verbs.map((name) => ({ name, words: verbs[name]! })), ...calls].filter(
    ({ name }) => !customCommands.has(`${meta.name}.${name}`),
  );
}

/** Contains at least one field, because an empty edit is rejected locally. */
function sampleEdit(fields: Fields): Record<string, unknown> {
  const [first] = Object.entries(fields);
  return first ? { [first[0]]: sampleValue(first[1], fields), ...sampleRequired(fields) } : {};
}

/** A value for each required field, valid enough to be sent. */
function sampleRequired(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, field]) => field.required || field.kind === 'text')
      .map(([name, field]) => [name, sampleValue(field, fields)]),
  );
}

function sampleValue(field: FieldMeta, around: Fields): unknown {
  if (field.by) return sampleRequired(field.variants?.[around[field.by]?.options?.[0] ?? ''] ?? {});
  if (field.options) return field.options[0];
  if (field.fields) return sampleRequired(field.fields);
  const plain: Partial<Record<FieldMeta['kind'], unknown>> = {
    integer: field.min ?? 1,
    number: 1,
    seconds: 60,
    bytes: 1,
    boolean: true,
    list: [],
    'key-values': {},
    object: {},
    json: {},
    id,
    reference: id,
    date: '2027-01-31',
    'date-time': '2027-01-01T00:00:00.000Z',
    email: 'a@example.invalid',
    url: 'https://example.invalid',
  };
  return plain[field.kind] ?? 'x';
}
