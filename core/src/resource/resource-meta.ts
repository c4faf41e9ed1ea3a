// Resource metadata as plain JSON, for screens that must not load the schemas.
import type { AnyResource, App, Noun, Verb } from './define-resource.ts';
import { inputFields, itemFields } from './define-resource.ts';
import type { FieldMeta } from './field.ts';

export interface ColumnMeta {
  name: string;
  meta: FieldMeta;
  sortable: boolean;
}

export interface ResourceMeta {
  app: App;
  name: string;
  plural: string;
  noun: Noun;
  id: string;
  title: string;
  screen: string | undefined;
  singleton: boolean;
  verbs: readonly Verb[];
  columns: ColumnMeta[];
  detail: ColumnMeta[];
  form: Record<string, FieldMeta>;
  /** Metadata of the filterable fields, without dotted ones that are in no shape. */
  filterable: Record<string, FieldMeta>;
  defaultSort: string;
  calls: Record<string, { on: 'item' | 'collection'; danger: boolean }>;
}

export function resourceMeta(resource: AnyResource): ResourceMeta {
  const fields = itemFields(resource);
  const column = (name: string): ColumnMeta => ({
    name,
    meta: fields[name]!,
    sortable: resource.sortable.includes(name),
  });
  return {
    app: resource.app,
    name: resource.name,
    plural: resource.plural,
    noun: resource.noun,
    id: resource.id,
    title: resource.title,
    screen: resource.screen,
    singleton: resource.singleton,
    verbs: resource.verbs,
    columns: resource.columns.map(column),
    detail: resource.detail.map(column),
    form: inputFields(resource),
    filterable: Object.fromEntries(
      resource.filterable.flatMap((name) => {
        const found = fieldAt(fields, name);
        return found ? [[name, found]] : [];
      }),
    ),
    defaultSort: resource.defaultSort,
    calls: Object.fromEntries(
      Object.entries(resource.calls).map(([name, call]) => [
        name,
        { on: call.on, danger: call.danger ?? false },
      ]),
    ),
  };
}

/** Metadata of the field at a dotted path; undefined if unknown. */
function fieldAt(fields: Record<string, FieldMeta>, path: string): FieldMeta | undefined {
  const [name = '', ...rest] = path.split('.');
  const found = fields[name];
  if (!found || rest.length === 0) return found;
  return fieldAt(found.fields ?? {}, rest.join('.'));
}
