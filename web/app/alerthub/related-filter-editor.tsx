// Edits the filters of related messages of a trigger; they travel as JSON in one hidden input.
import type { RelatedMessageFilter } from '@yagura/core/alerthub/trigger';
import type { FieldMeta } from '@yagura/core/resource/field';
import { jsonName } from '../ui/form-data.ts';
import { useTranslation } from '../ui/words.tsx';
import { CatalogueRows, type Picked } from './catalogue-rows.tsx';
import { paramFields, sentParams } from './param-fields.ts';
import { relatedSentence } from './step-sentence.ts';

/** An item of the lookup list `trigger-related-message-filters`. */
export interface RelatedFilterItem {
  filterId: string;
  displayName: { en: string; ja: string };
  /** JSON Schema of its parameters. */
  params: unknown;
}

/** `facts` are those of the field, from the face of triggers. */
export function RelatedFilterEditor(props: {
  meta: FieldMeta;
  value: RelatedMessageFilter[] | undefined;
  filters: RelatedFilterItem[];
}) {
  const { t, label } = useTranslation();
  const name = 'relatedMessageFilters';
  const entries = props.filters.map(({ filterId, displayName, params }) => ({
    id: filterId,
    displayName,
    fields: paramFields(params),
  }));
  const fields = new Map(entries.map((entry) => [entry.id, entry.fields]));
  const filterOf = ({ id, params }: Picked): RelatedMessageFilter => ({
    filterId: id,
    params: sentParams(id, fields.get(id), params),
  });
  return (
    <CatalogueRows
      name={name}
      label={label(name)}
      idName="filterId"
      words="related"
      entries={entries}
      value={(props.value ?? []).map(({ filterId, params }) => ({ id: filterId, params: params ?? {} }))}
      rowLabel={(number) => t('related.row', { number })}
      addLabel={t('related.add')}
      emptyText={t('related.none')}
      sentence={(picked) => relatedSentence(filterOf(picked), t)}
      paths={[]}
      max={props.meta.max}
    >
      {(rows) => <input type="hidden" name={jsonName(name)} value={JSON.stringify(rows.map(filterOf))} />}
    </CatalogueRows>
  );
}
