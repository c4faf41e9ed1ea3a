// Rows shared by both event editors: row list, severity name and severity change.
import type { FieldMeta } from '@yagura/core/resource/field';
import { type ReactNode, useId } from 'react';
import { Button } from '../../ui/button.tsx';
import { FieldGroup } from '../../ui/field/field-frame.tsx';
import { jsonInputName, memberInputName } from '../../ui/field/form-data.ts';
import { useFormError } from '../../ui/field/form-errors.ts';
import { handleMoveKey, RowActions, useRowFocus } from '../../ui/field/row-actions.tsx';
import { useRows } from '../../ui/field/use-rows.ts';
import { useTranslation } from '../../ui/translation.tsx';
import { useDataPaths } from './data-paths.ts';
import { SeverityChangeInputs, type SeverityChangeRow } from './severity-change-inputs.tsx';
import { type Source, SourceInput } from './source-input.tsx';

export interface EventRow extends SeverityChangeRow {
  severityName: Source;
}

/** Submits the list as JSON in one hidden input named `<name>.$json`. */
export function EventRows<Row extends EventRow>(props: {
  name: string;
  label: string;
  hint?: string;
  meta: FieldMeta;
  value: Row[];
  emptyRow: Row;
  emptyText: string;
  /** Converts a row to its submitted form. */
  toInput: (row: Row) => unknown;
  sentence: (row: Row) => string;
  /** Renders the scope selection of a row. */
  children: (row: Row, name: string, onChange: (row: Row) => void, pathList: string) => ReactNode;
}) {
  const { t, fieldLabel } = useTranslation();
  const { name } = props;
  const [rows, change] = useRows<Row>(props.value);
  const { box, focusRow } = useRowFocus(rows.length);
  const error = useFormError(name);
  const pathList = useId();
  const paths = useDataPaths('rule');
  const move = (from: number, to: number) => change({ kind: 'move', from, to });

  return (
    <FieldGroup name={name} label={props.label} hint={props.hint} error={error} required={false}>
      <input
        type="hidden"
        name={jsonInputName(name)}
        value={JSON.stringify(rows.map((row) => props.toInput(row.value)))}
      />
      <datalist id={pathList}>
        {paths.map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
      <div ref={box} className="grid gap-2">
        {rows.length === 0 && <p className="text-sm text-muted">{props.emptyText}</p>}
        {rows.map(({ key, value: row }, index) => {
          const rowName = memberInputName(name, index);
          const set = (value: Row) => change({ kind: 'set', index, value });
          return (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset would nest legends without words
            <div
              key={key}
              data-row={index}
              role="group"
              aria-label={t('alerthub.event', { number: index + 1 })}
              onKeyDown={(event) => handleMoveKey(event, index, rows.length, move)}
              className="grid gap-2 rounded-md border border-line bg-surface p-2.5"
            >
              <div className="flex items-start gap-2">
                <div className="min-w-0 flex-1">{props.children(row, rowName, set, pathList)}</div>
                <RowActions
                  index={index}
                  count={rows.length}
                  onMove={move}
                  onRemove={() => {
                    focusRow(index);
                    change({ kind: 'remove', index });
                  }}
                />
              </div>
              <SourceInput
                name={memberInputName(rowName, 'severityName')}
                label={fieldLabel('severityName')}
                fromLabel={t('alerthub.severity-from')}
                value={row.severityName}
                required
                pathList={pathList}
                onChange={(severityName) => set({ ...row, severityName })}
              />
              <SeverityChangeInputs
                name={rowName}
                meta={props.meta.item}
                row={row}
                pathList={pathList}
                onChange={(changed) => set({ ...row, ...changed })}
              />
              <p className="text-xs text-muted">{props.sentence(row)}</p>
            </div>
          );
        })}
        <div>
          <Button
            size="small"
            icon="plus"
            data-add=""
            disabled={props.meta.max !== undefined && rows.length >= props.meta.max}
            onClick={() => {
              focusRow(rows.length);
              change({ kind: 'add', value: props.emptyRow });
            }}
          >
            {t('alerthub.add-event')}
          </Button>
        </div>
      </div>
    </FieldGroup>
  );
}

/** Converts a source to its API representation. */
export function toSourceInput({ from, text }: Source): { literal: string } | { path: string } {
  return from === 'path' ? { path: text } : { literal: text };
}
