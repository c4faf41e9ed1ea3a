// Editor for a list of catalog entries (flow steps, trigger conditions), each with a form generated from its
// JSON Schema.
import { type ReactNode, useId } from 'react';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { controlClass, controlProps, FieldFrame, FieldGroup } from '../../ui/field/field-frame.tsx';
import { memberInputName } from '../../ui/field/form-data.ts';
import { useFormError } from '../../ui/field/form-errors.ts';
import { handleMoveKey, RowActions, useRowFocus } from '../../ui/field/row-actions.tsx';
import { useRows } from '../../ui/field/use-rows.ts';
import { useTranslation } from '../../ui/translation.tsx';
import { type ParamField, relevanceOf } from './param-fields.ts';
import { ParamInput } from './param-input.tsx';

export interface CatalogueEntry {
  id: string;
  displayName: { en: string; ja: string };
  /** Label of the entry's group; entries of a group are listed together. */
  group?: string;
  fields: ParamField[];
}

export interface PickedEntry {
  id: string;
  params: Record<string, unknown>;
}

export interface CatalogueRowsProps {
  /** Dotted path of the list. */
  name: string;
  label: string;
  hint?: string;
  /** Name of the id field in each row of the request body, e.g. `operatorId`. */
  idField: string;
  /** Prefix of the message keys of the parameters, e.g. `operator`. */
  keyPrefix: string;
  entries: CatalogueEntry[];
  value: PickedEntry[];
  rowLabel: (number: number) => string;
  addLabel: string;
  emptyText: string;
  describe: (picked: PickedEntry) => string;
  /** Data paths that can be read, in addition to those that earlier rows store. */
  dataPaths: string[];
  max: number | undefined;
  /** Renders the hidden inputs that hold the value. */
  children: (rows: PickedEntry[]) => ReactNode;
}

export function CatalogueRows(props: CatalogueRowsProps) {
  const { t } = useTranslation();
  const { name, label } = props;
  const [rows, change] = useRows<PickedEntry>(props.value);
  const { box, focusRow } = useRowFocus(rows.length);
  const error = useFormError(name);
  const full = props.max !== undefined && rows.length >= props.max;
  const move = (from: number, to: number) => change({ kind: 'move', from, to });

  return (
    <FieldGroup name={name} label={label} hint={props.hint} error={error} required={false}>
      {props.children(rows.map((row) => row.value))}
      <div ref={box} className="grid gap-2">
        {rows.length === 0 && <p className="text-sm text-muted">{props.emptyText}</p>}
        {rows.map((row, index) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset would nest legends without words
          <div
            key={row.key}
            data-row={index}
            role="group"
            aria-label={props.rowLabel(index + 1)}
            onKeyDown={(event) => handleMoveKey(event, index, rows.length, move)}
            className="grid gap-2 rounded-md border border-line bg-surface p-2.5"
          >
            <PickedRow
              {...props}
              index={index}
              picked={row.value}
              stored={fieldsSetBefore(
                rows.map((other) => other.value),
                index,
              )}
              onChange={(value) => change({ kind: 'set', index, value })}
              tools={
                <RowActions
                  index={index}
                  count={rows.length}
                  onMove={move}
                  onRemove={() => {
                    focusRow(index);
                    change({ kind: 'remove', index });
                  }}
                />
              }
            />
          </div>
        ))}
        <div>
          <Button
            size="small"
            icon="plus"
            data-add=""
            disabled={full}
            onClick={() => {
              focusRow(rows.length);
              change({ kind: 'add', value: { id: '', params: {} } });
            }}
          >
            {props.addLabel}
          </Button>
          {full && <span className="ml-2 text-xs text-muted">{t('ui.list-full', { max: props.max })}</span>}
        </div>
      </div>
    </FieldGroup>
  );
}

interface PickedRowProps extends CatalogueRowsProps {
  index: number;
  picked: PickedEntry;
  /** Names under which earlier rows store values. */
  stored: string[];
  onChange: (picked: PickedEntry) => void;
  tools: ReactNode;
}

function PickedRow(props: PickedRowProps) {
  const { t, language } = useTranslation();
  const { picked, entries, index } = props;
  const rowName = memberInputName(props.name, index);
  const idName = memberInputName(rowName, props.idField);
  const error = useFormError(idName);
  const entry = entries.find(({ id }) => id === picked.id);
  const pathList = useId();
  const frame = { name: idName, label: props.rowLabel(index + 1), required: true, error };

  function pick(id: string) {
    // `source` and `destination` mean the same in every entry, so their values are kept when the entry
    // changes.
    const next = entries.find((other) => other.id === id);
    const keptParams = Object.entries(picked.params).filter(([param]) =>
      next?.fields.some((field) => field.name === param && ['source', 'destination'].includes(param)),
    );
    props.onChange({ id, params: Object.fromEntries(keptParams) });
  }

  return (
    <>
      <div className="flex items-end gap-2">
        <FieldFrame {...frame} className="min-w-0 flex-1">
          <select
            {...controlProps(frame)}
            required
            value={picked.id}
            onChange={(event) => pick(event.target.value)}
            className={classNames(controlClass, 'h-8')}
          >
            <option value="">{t('rule.select')}</option>
            {picked.id && !entry && (
              <option value={picked.id}>{t('alerthub.unknown-step', { id: picked.id })}</option>
            )}
            {groupEntries(entries).map(([group, members]) =>
              group ? (
                <optgroup key={group} label={group}>
                  {members.map((member) => (
                    <option key={member.id} value={member.id}>
                      {member.displayName[language]}
                    </option>
                  ))}
                </optgroup>
              ) : (
                members.map((member) => (
                  <option key={member.id} value={member.id}>
                    {member.displayName[language]}
                  </option>
                ))
              ),
            )}
          </select>
        </FieldFrame>
        {props.tools}
      </div>
      {entry && (
        <div className="grid gap-2 sm:grid-cols-2">
          <ParamInputs {...props} key={entry.id} entry={entry} rowName={rowName} pathList={pathList} />
        </div>
      )}
      {picked.id && <p className="text-xs text-muted">{props.describe(picked)}</p>}
      <datalist id={pathList}>
        {[...props.stored, ...props.dataPaths].map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
    </>
  );
}

function ParamInputs(props: PickedRowProps & { entry: CatalogueEntry; rowName: string; pathList: string }) {
  const { optionalText } = useTranslation();
  const { entry, picked, keyPrefix } = props;
  const textOrFallback = (key: string, fallback: string) => optionalText(key) ?? fallback;
  return entry.fields.map((field) => {
    const relevance = relevanceOf(entry.id, field.name, picked.params);
    if (relevance === 'hidden') return null;
    return (
      <ParamInput
        key={field.name}
        field={field}
        name={memberInputName(memberInputName(props.rowName, 'params'), field.name)}
        label={textOrFallback(`${keyPrefix}.${entry.id}.${field.name}`, field.title ?? field.name)}
        required={relevance === 'required' || (field.required && field.default === undefined)}
        value={picked.params[field.name]}
        onChange={(value) => props.onChange({ ...picked, params: { ...picked.params, [field.name]: value } })}
        optionLabel={(option) => textOrFallback(`operator.option.${option}`, option)}
        pathList={props.pathList}
      />
    );
  });
}

function groupEntries(entries: CatalogueEntry[]): [group: string, members: CatalogueEntry[]][] {
  const groups = new Map<string, CatalogueEntry[]>();
  for (const entry of entries)
    groups.set(entry.group ?? '', [...(groups.get(entry.group ?? '') ?? []), entry]);
  return [...groups];
}

function fieldsSetBefore(rows: PickedEntry[], index: number): string[] {
  const names = rows.slice(0, index).map((row) => row.params.destination);
  return [...new Set(names.filter((name): name is string => typeof name === 'string' && name !== ''))];
}
