// Dialog that builds a list filter row by row and shows the resulting text; a filter that rows cannot
// represent is edited as text.
import type { MessageKey } from '@yagura/core/i18n/message-key';
import type { FieldMeta } from '@yagura/core/resource/field';
import { type FormEvent, useId, useState } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { controlClass } from '../../ui/field/field-frame.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { filterOperatorKey } from './filter-operator-key.ts';
import {
  createFilterRow,
  type FilterRow,
  type FilterRows,
  formatFilter,
  needsValue,
  operatorsFor,
  parseFilterRows,
} from './filter-rows.ts';
import { FilterValueInput } from './filter-value-input.tsx';

/** Maximum rows in the dialog; the filter text may contain more. */
const maxRows = 20;

type KeyedRow = FilterRow & { key: number };

export default function FilterDialog(props: {
  text: string;
  fields: Record<string, FieldMeta>;
  onApply: (text: string) => void;
  onClose: () => void;
}) {
  const { t, fieldLabel } = useTranslation();
  const { fields } = props;
  const names = Object.keys(fields);
  const form = useId();
  const [fresh] = useState(() => createFilterRow(names[0]!, fields[names[0]!]!));
  const [read] = useState(() => parseFilterRows(props.text, fields));
  const [join, setJoin] = useState<FilterRows['join']>(read?.join ?? 'and');
  const [next, setNext] = useState(read?.rows.length || 1);
  const [rows, setRows] = useState<KeyedRow[]>(() =>
    (read?.rows.length ? read.rows : [fresh]).map((row, key) => ({ ...row, key })),
  );
  const text = formatFilter({ join, rows }, fields);
  const change = (key: number, part: Partial<FilterRow>) =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  const operator = (row: FilterRow, op: string) => t(filterOperatorKey(fields[row.field]!, op));

  function submit(event: FormEvent) {
    event.preventDefault();
    event.stopPropagation();
    props.onApply(text);
  }

  return (
    <Dialog
      open
      onClose={props.onClose}
      size="wide"
      title={t('filter.build')}
      footer={
        <>
          <Button onClick={props.onClose}>{t('verb.cancel')}</Button>
          <Button variant="primary" type="submit" form={form}>
            {t('ui.apply')}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="grid gap-3">
        {!read && (
          <p role="status" className="rounded-md bg-warning-bg px-3 py-2 text-warning-fg">
            {t('filter.by-hand')}
          </p>
        )}
        {rows.length > 1 && (
          <label className="flex items-center gap-2">
            <span className="shrink-0">{t('filter.join')}</span>
            <select
              value={join}
              onChange={(event) => setJoin(event.target.value as FilterRows['join'])}
              className={`${controlClass} h-8 max-w-72`}
            >
              <option value="and">{t('filter.and')}</option>
              <option value="or">{t('filter.or')}</option>
            </select>
          </label>
        )}
        {rows.map((row, index) => {
          const field = fields[row.field]!;
          const own = (part: MessageKey) => `${t('ui.row', { number: index + 1 })}: ${t(part)}`;
          return (
            <div
              key={row.key}
              className="grid grid-cols-[1fr_auto] items-start gap-2 sm:grid-cols-[1fr_1fr_1.5fr_auto]"
            >
              <select
                aria-label={own('filter.field')}
                value={row.field}
                onChange={(event) =>
                  change(row.key, createFilterRow(event.target.value, fields[event.target.value]!))
                }
                className={`${controlClass} h-8 max-sm:col-span-2`}
              >
                {names.map((name) => (
                  <option key={name} value={name}>
                    {fieldLabel(name)}
                  </option>
                ))}
              </select>
              <select
                aria-label={own('filter.operator')}
                value={row.op}
                onChange={(event) => change(row.key, { op: event.target.value as FilterRow['op'] })}
                className={`${controlClass} h-8 max-sm:col-span-2`}
              >
                {operatorsFor(field).map((op) => (
                  <option key={op} value={op}>
                    {operator(row, op)}
                  </option>
                ))}
              </select>
              {needsValue(row.op) ? (
                <FilterValueInput
                  key={row.field}
                  label={own('filter.value')}
                  meta={field}
                  value={row.value}
                  onChange={(value) => change(row.key, { value })}
                />
              ) : (
                <span />
              )}
              <IconButton
                icon="trash"
                label={t('ui.remove-row', { number: index + 1 })}
                onClick={() => setRows(rows.filter((each) => each.key !== row.key))}
              />
            </div>
          );
        })}
        <div>
          <Button
            icon="plus"
            size="small"
            disabled={rows.length >= maxRows}
            onClick={() => {
              setRows([...rows, { ...fresh, key: next }]);
              setNext(next + 1);
            }}
          >
            {t('filter.add')}
          </Button>
        </div>
        <p className="grid gap-1">
          <span className="text-xs text-muted">{t('filter.text')}</span>
          <code className="rounded-md bg-surface-sunken px-2 py-1 text-xs break-all">{text || '–'}</code>
        </p>
      </form>
    </Dialog>
  );
}
