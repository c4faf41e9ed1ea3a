// Editor for a trigger's related message filters; submits them as JSON in one hidden input.
import type { RelatedMessageFilter } from '@yagura/core/alerthub/trigger';
import type { FieldMeta } from '@yagura/core/resource/field';
import { jsonInputName } from '../../ui/field/form-data.ts';
import { useTranslation } from '../../ui/translation.tsx';
import { CatalogueRows, type PickedEntry } from './catalogue-rows.tsx';
import { paramFields, toSentParams } from './param-fields.ts';
import { describeRelatedFilter } from './step-sentence.ts';

/** An item of the lookup list `trigger-related-message-filters`. */
export interface RelatedFilterItem {
  filterId: string;
  displayName: { en: string; ja: string };
  /** JSON Schema of the filter's parameters. */
  params: unknown;
}

/** `meta` is the field's metadata from the trigger resource. */
export function RelatedFilterEditor(props: {
  meta: FieldMeta;
  value: RelatedMessageFilter[] | undefined;
  filters: RelatedFilterItem[];
}) {
  const { t, fieldLabel } = useTranslation();
  const name = 'relatedMessageFilters';
  const entries = props.filters.map(({ filterId, displayName, params }) => ({
    id: filterId,
    displayName,
    fields: paramFields(params),
  }));
  const fields = new Map(entries.map((entry) => [entry.id, entry.fields]));
  const filterOf = ({ id, params }: PickedEntry): RelatedMessageFilter => ({
    filterId: id,
    params: toSentParams(id, fields.get(id), params),
  });
  return (
    <CatalogueRows
      name={name}
      label={fieldLabel(name)}
      idField="filterId"
      keyPrefix="related"
      entries={entries}
      value={(props.value ?? []).map(({ filterId, params }) => ({ id: filterId, params: params ?? {} }))}
      rowLabel={(number) => t('related.row', { number })}
      addLabel={t('related.add')}
      emptyText={t('related.none')}
      describe={(picked) => describeRelatedFilter(filterOf(picked), t)}
      dataPaths={[]}
      max={props.meta.max}
    >
      {(rows) => (
        <input type="hidden" name={jsonInputName(name)} value={JSON.stringify(rows.map(filterOf))} />
      )}
    </CatalogueRows>
  );
}
