// A descriptor as plain JSON: what a screen needs of a resource without carrying its schemas.
import type { AnyResource, App, Noun, Verb } from './define-resource.ts';
import { inputFacts, itemFacts } from './define-resource.ts';
import type { FieldFacts } from './field.ts';

export interface ColumnFace {
  name: string;
  facts: FieldFacts;
  sortable: boolean;
}

export interface ResourceFace {
  app: App;
  name: string;
  plural: string;
  noun: Noun;
  id: string;
  title: string;
  screen: string | undefined;
  singleton: boolean;
  verbs: readonly Verb[];
  columns: ColumnFace[];
  detail: ColumnFace[];
  form: Record<string, FieldFacts>;
  /** Facts of the fields that a list can be filtered by; a dotted one that no shape holds is left out. */
  filterable: Record<string, FieldFacts>;
  defaultSort: string;
  calls: Record<string, { on: 'item' | 'collection'; danger: boolean }>;
}

export function faceOf(resource: AnyResource): ResourceFace {
  const facts = itemFacts(resource);
  const column = (name: string): ColumnFace => ({
    name,
    facts: facts[name]!,
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
    form: inputFacts(resource),
    filterable: Object.fromEntries(
      resource.filterable.flatMap((name) => {
        const found = factsAt(facts, name);
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

/** The facts of a dotted path, looking into objects. */
function factsAt(facts: Record<string, FieldFacts>, path: string): FieldFacts | undefined {
  const [name = '', ...rest] = path.split('.');
  const found = facts[name];
  if (!found || rest.length === 0) return found;
  return factsAt(found.fields ?? {}, rest.join('.'));
}
