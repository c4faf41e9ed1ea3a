// The commands that are derived from resources, as words that the API would be called for.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FieldMeta } from '@yagura/core/resource/field';
import { replaced } from '../src/resource/commands.ts';
import type { Fields, ResourceMeta } from '../src/resource/entry.ts';
import { parentsOf } from '../src/resource/place.ts';

export const id = '01a1fea7-056f-700d-b199-539c2daf013a';

export interface DerivedCommand {
  /** The verb, or the name of the call. */
  name: string;
  words: string[];
}

/** Every command that is derived from a resource, with all that it wants; a new resource comes in by itself. */
export function commandsOf(entry: ResourceMeta, folder: string): DerivedCommand[] {
  const stem = [entry.app, entry.singleton ? entry.name : entry.plural];
  const parents = parentsOf(entry).flatMap(({ name }) => [`--${name}`, id]);
  const item = entry.singleton ? [] : [id];
  const body = join(folder, `${entry.name}.json`);
  writeFileSync(body, JSON.stringify(edited(entry.input ?? {})));
  const verbs: Record<string, string[]> = {
    list: [...stem, 'list', ...parents],
    show: [...stem, 'show', ...item, ...parents],
    create: [...stem, 'create', '--input', body, ...parents],
    edit: [...stem, 'edit', ...item, '--input', body, ...parents],
    remove: [...stem, 'delete', id, ...parents, '--yes'],
  };
  const calls = Object.entries(entry.calls).map(([name, call]) => ({
    name,
    words: [
      ...[...stem, name, ...(call.on === 'item' ? item : []), ...parents],
      ...(call.danger ? ['--yes'] : []),
    ],
  }));
  return [...entry.verbs.map((name) => ({ name, words: verbs[name]! })), ...calls].filter(
    ({ name }) => !replaced.has(`${entry.name}.${name}`),
  );
}

/** At least one field, since an edit of nothing is refused here already. */
function edited(fields: Fields): Record<string, unknown> {
  const [first] = Object.entries(fields);
  return first ? { [first[0]]: wanted(first[1], fields), ...sample(fields) } : {};
}

/** A value for each field that must be given, right enough to be sent. */
function sample(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, facts]) => facts.required || facts.kind === 'text')
      .map(([name, facts]) => [name, wanted(facts, fields)]),
  );
}

function wanted(field: FieldMeta, around: Fields): unknown {
  if (field.by) return sample(field.variants?.[around[field.by]?.options?.[0] ?? ''] ?? {});
  if (field.options) return field.options[0];
  if (field.fields) return sample(field.fields);
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
    'date-time': '2027-01-01T00:00:00.000Z',
    email: 'a@example.invalid',
    url: 'https://example.invalid',
  };
  return plain[field.kind] ?? 'x';
}
