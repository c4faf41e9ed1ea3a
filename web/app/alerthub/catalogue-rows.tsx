// Rows picked from a catalogue of the product, each with a form made of its JSON Schema: the steps of a flow, the conditions of a trigger.
import { type ReactNode, useId } from 'react';
import { Button } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { controlClass, controlProps, FieldFrame, FieldGroup } from '../ui/field-frame.tsx';
import { memberName } from '../ui/form-data.ts';
import { useFormError } from '../ui/form-errors.ts';
import { moveByKey, RowTools, useRowFocus } from '../ui/row-tools.tsx';
import { useRows } from '../ui/rows.ts';
import { useTranslation } from '../ui/words.tsx';
import { type ParamField, relevanceOf } from './param-fields.ts';
import { ParamInput } from './param-input.tsx';

export interface Entry {
  id: string;
  displayName: { en: string; ja: string };
  /** Words of the group it stands in; entries of one group stand together. */
  group?: string;
  fields: ParamField[];
}

export interface Picked {
  id: string;
  params: Record<string, unknown>;
}

export interface CatalogueRowsProps {
  /** Dotted path of the list. */
  name: string;
  label: string;
  hint?: string;
  /** Name of the id in each row of the body, e.g. `operatorId`. */
  idName: string;
  /** First part of the word keys of parameters, e.g. `operator`. */
  words: string;
  entries: Entry[];
  value: Picked[];
  rowLabel: (number: number) => string;
  addLabel: string;
  emptyText: string;
  sentence: (picked: Picked) => string;
  /** Paths that data can be read at, besides what earlier rows store. */
  paths: string[];
  max: number | undefined;
  /** Draws the hidden inputs that carry the value. */
  children: (rows: Picked[]) => ReactNode;
}

export function CatalogueRows(props: CatalogueRowsProps) {
  const { t } = useTranslation();
  const { name, label } = props;
  const [rows, change] = useRows<Picked>(props.value);
  const { box, focusRow } = useRowFocus(rows.length);
  const error = useFormError(name);
  const full = props.max !== undefined && rows.length >= props.max;
  const move = (from: number, to: number) => change({ kind: 'move', from, to });

  return (
    <FieldGroup name={name} label={label} hint={props.hint} error={error} required={false}>
      {props.children(rows.map((row) => row.value))}
      <div ref={box} className="grid gap-2">
        {rows.length === 0 && <p className="text-sm text-muted">{props.emptyText}</p>}
        {rows.map((row, at) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset would nest legends without words
          <div
            key={row.key}
            data-row={at}
            role="group"
            aria-label={props.rowLabel(at + 1)}
            onKeyDown={(event) => moveByKey(event, at, rows.length, move)}
            className="grid gap-2 rounded-md border border-line bg-surface p-2.5"
          >
            <PickedRow
              {...props}
              at={at}
              picked={row.value}
              stored={storedBefore(
                rows.map((other) => other.value),
                at,
              )}
              onChange={(value) => change({ kind: 'set', at, value })}
              tools={
                <RowTools
                  at={at}
                  count={rows.length}
                  onMove={move}
                  onRemove={() => {
                    focusRow(at);
                    change({ kind: 'remove', at });
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
  at: number;
  picked: Picked;
  /** Names that earlier rows store values under. */
  stored: string[];
  onChange: (picked: Picked) => void;
  tools: ReactNode;
}

function PickedRow(props: PickedRowProps) {
  const { t, language } = useTranslation();
  const { picked, entries, at } = props;
  const rowName = memberName(props.name, at);
  const idName = memberName(rowName, props.idName);
  const error = useFormError(idName);
  const entry = entries.find(({ id }) => id === picked.id);
  const pathList = useId();
  const frame = { name: idName, label: props.rowLabel(at + 1), required: true, error };

  function pick(id: string) {
    // Parameters of the same name say the same thing for every entry, e.g. where a value is read.
    const next = entries.find((other) => other.id === id);
    const kept = Object.entries(picked.params).filter(([param]) =>
      next?.fields.some((field) => field.name === param && ['source', 'destination'].includes(param)),
    );
    props.onChange({ id, params: Object.fromEntries(kept) });
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
            className={classes(controlClass, 'h-8')}
          >
            <option value="">{t('rule.select')}</option>
            {picked.id && !entry && (
              <option value={picked.id}>{t('alerthub.unknown-step', { id: picked.id })}</option>
            )}
            {groupsOf(entries).map(([group, members]) =>
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
          <Params {...props} key={entry.id} entry={entry} rowName={rowName} pathList={pathList} />
        </div>
      )}
      {picked.id && <p className="text-xs text-muted">{props.sentence(picked)}</p>}
      <datalist id={pathList}>
        {[...props.stored, ...props.paths].map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
    </>
  );
}

function Params(props: PickedRowProps & { entry: Entry; rowName: string; pathList: string }) {
  const { t } = useTranslation();
  const { entry, picked, words } = props;
  const wordOf = (key: string, fallback: string) => {
    const word = t(key);
    return word === key ? fallback : word;
  };
  return entry.fields.map((field) => {
    const relevance = relevanceOf(entry.id, field.name, picked.params);
    if (relevance === 'hidden') return null;
    return (
      <ParamInput
        key={field.name}
        field={field}
        name={memberName(memberName(props.rowName, 'params'), field.name)}
        label={wordOf(`${words}.${entry.id}.${field.name}`, field.title ?? field.name)}
        required={relevance === 'required' || (field.required && field.default === undefined)}
        value={picked.params[field.name]}
        onChange={(value) => props.onChange({ ...picked, params: { ...picked.params, [field.name]: value } })}
        optionLabel={(option) => wordOf(`operator.option.${option}`, option)}
        pathList={props.pathList}
      />
    );
  });
}

function groupsOf(entries: Entry[]): [group: string, members: Entry[]][] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries)
    groups.set(entry.group ?? '', [...(groups.get(entry.group ?? '') ?? []), entry]);
  return [...groups];
}

function storedBefore(rows: Picked[], at: number): string[] {
  const names = rows.slice(0, at).map((row) => row.params.destination);
  return [...new Set(names.filter((name): name is string => typeof name === 'string' && name !== ''))];
}
