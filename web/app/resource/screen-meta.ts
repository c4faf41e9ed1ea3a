// What the generic screens need of a resource's metadata, in the form in which they draw it.
import type { AnyResource } from '@yagura/core/resource/define-resource';
import type { FieldMeta } from '@yagura/core/resource/field';
import {
  type CallMeta,
  type Fields,
  type ResourceMeta,
  resourceMeta,
} from '@yagura/core/resource/resource-meta';

export interface ColumnMeta {
  name: string;
  meta: FieldMeta;
  sortable: boolean;
}

type ScreenBasics = Pick<
  ResourceMeta,
  'app' | 'name' | 'plural' | 'noun' | 'id' | 'title' | 'screen' | 'singleton' | 'verbs' | 'defaultSort'
>;

export interface ScreenMeta extends ScreenBasics {
  columns: ColumnMeta[];
  detail: ColumnMeta[];
  form: Fields;
  /** Metadata of the filterable fields, without dotted ones that are in no shape. */
  filterable: Fields;
  calls: Record<string, Pick<CallMeta, 'on' | 'danger'>>;
}

export function screenMeta(resource: AnyResource): ScreenMeta {
  const meta = resourceMeta(resource);
  const column = (name: string): ColumnMeta => ({
    name,
    meta: meta.fields[name]!,
    sortable: meta.sortable.includes(name),
  });
  const { app, name, plural, noun, id, title, screen, singleton, verbs, defaultSort } = meta;
  return {
    ...{ app, name, plural, noun, id, title, screen, singleton, verbs, defaultSort },
    columns: meta.columns.map(column),
    detail: meta.detail.map(column),
    form: meta.input ?? {},
    filterable: Object.fromEntries(
      meta.filterable.flatMap((name) => {
        const found = fieldAt(meta.fields, name);
        return found ? [[name, found]] : [];
      }),
    ),
    calls: Object.fromEntries(
      Object.entries(meta.calls).map(([name, { on, danger }]) => [name, { on, danger }]),
    ),
  };
}

/** Metadata of the field at a dotted path; undefined if unknown. */
function fieldAt(fields: Fields, path: string): FieldMeta | undefined {
  const [name = '', ...rest] = path.split('.');
  const found = fields[name];
  if (!found || rest.length === 0) return found;
  return fieldAt(found.fields ?? {}, rest.join('.'));
}
