// Arguments and flags of the examples in the help, derived from a resource.
import type { FieldMeta } from '@yagura/core/resource/field';
import { traitsOf } from '@yagura/core/resource/field-kinds';
import type { Fields, ResourceMeta } from '@yagura/core/resource/resource-meta';
import { flagOf } from '../../command-line/flag-name.ts';
import { parentsOf } from '../meta/path-params.ts';
import { isNamed } from '../meta/resolve-id.ts';

const placeholder = (name: string) => name.replaceAll('-', '_').toUpperCase();

/** The item, by name if it has one. */
export function itemWords(meta: ResourceMeta): string[] {
  return meta.singleton ? [] : [isNamed(meta) ? 'NAME' : 'ID'];
}

export function parentWords(meta: ResourceMeta): string[] {
  return parentsOf(meta).map(({ name }) => `--${name} ${placeholder(name)}`);
}

/** The most useful selection that the list has. */
export function listWords(meta: ResourceMeta): string[] {
  if (meta.time) return ['--since 2h'];
  if (hasTextTitle(meta)) return [`--filter '${filterExample(meta)}'`];
  const [first] = meta.sortable;
  return [first ? `--sort ${first}` : '--all'];
}

/** A filter that the list accepts, by its name or else by another of its fields. */
export function filterExample(meta: ResourceMeta): string {
  const { filterable, fields, id, title } = meta;
  const field = [
    ...(hasTextTitle(meta) ? [title] : []),
    ...filterable.filter((name) => name !== id && ['text', 'choice'].includes(fields[name]?.kind ?? '')),
    ...filterable,
  ][0];
  if (field === undefined) return '';
  const { kind, options } = fields[field] ?? {};
  if (options) return `${field} eq "${options[0]}"`;
  return kind === 'text' ? `${field} co "web"` : `${field} eq "ID"`;
}

function hasTextTitle({ title, id, filterable, fields }: ResourceMeta): boolean {
  return title !== id && filterable.includes(title) && fields[title]?.kind === 'text';
}

/** A flag for each required field, or the body from a file when one of them is structured. */
export function inputWords(fields: Fields): string[] {
  const isSimple = requiredFields(fields).every(([, field]) => simpleValue(field) !== undefined);
  return isSimple ? requiredWords(fields) : ['--input body.json'];
}

/** A flag for each required field. */
export function requiredWords(fields: Fields): string[] {
  return requiredFields(fields).map(([name, field]) => `${flagOf(name)} ${simpleValue(field) ?? 'JSON'}`);
}

/** A new name, or another change from a file. */
export function changeWords(meta: ResourceMeta): string[] {
  const name = meta.input?.[meta.title];
  return name?.kind === 'text' ? [`${flagOf(meta.title)} "NEW NAME"`] : ['--input body.json'];
}

const requiredFields = (fields: Fields) => Object.entries(fields).filter(([, field]) => field.required);

/** A value for the flag of a field that needs no JSON. */
function simpleValue(field: FieldMeta): string | undefined {
  if (field.options) return field.options[0];
  if (field.kind === 'boolean') return 'true';
  if (field.kind === 'reference') return placeholder(field.resource ?? 'id');
  const { written } = traitsOf(field.kind);
  if (written === 'number') return String(field.min ?? 1);
  return written === 'text' || written === 'secret' ? placeholder(field.kind) : undefined;
}
