// Inputs for how an event changes a severity: by an amount, to a value, or to a value of each fingerprint.
import { type EventParam, severityChangeModes } from '@yagura/core/alerthub/flow-schema';
import type { FieldMeta } from '@yagura/core/resource/field';
import { classNames } from '../../ui/class-names.ts';
import { controlClass, controlProps, FieldFrame } from '../../ui/field/field-frame.tsx';
import { memberInputName } from '../../ui/field/form-data.ts';
import { useFormError } from '../../ui/field/form-errors.ts';
import { useTranslation } from '../../ui/translation.tsx';

/** A change while it is edited; numbers are as typed. */
export interface SeverityChangeRow {
  mode: (typeof severityChangeModes)[number];
  delta: string;
  value: string;
  /** Path of the fingerprint; empty for none. */
  fingerprint: string;
}

type ChangeParam = Pick<EventParam, 'mode' | 'delta' | 'value' | 'fingerprint'>;

export const newChangeRow: SeverityChangeRow = { mode: 'add', delta: '1', value: '1', fingerprint: '' };

export function toChangeRow({ mode, delta, value, fingerprint }: ChangeParam): SeverityChangeRow {
  return {
    mode: mode ?? newChangeRow.mode,
    delta: delta === undefined ? newChangeRow.delta : String(delta),
    value: value === undefined ? newChangeRow.value : String(value),
    fingerprint: fingerprint?.path ?? '',
  };
}

/** Converts a row to its API representation, without the fields of the other mode. */
export function toChangeInput({ mode, delta, value, fingerprint }: SeverityChangeRow) {
  if (mode === 'add') return { mode, delta: parseNumber(delta) };
  const path = fingerprint.trim();
  return { mode, value: parseNumber(value), fingerprint: path === '' ? null : { path } };
}

/**
 * Parses the typed number. Text that is not a number is submitted unchanged so that the server's error names
 * the field.
 */
function parseNumber(inputValue: string): number | string {
  const number = Number(inputValue);
  return inputValue.trim() !== '' && Number.isFinite(number) ? number : inputValue;
}

export function SeverityChangeInputs(props: {
  /** Name of the row; its members are named below it. */
  name: string;
  meta: FieldMeta | undefined;
  row: SeverityChangeRow;
  pathList: string;
  onChange: (change: Partial<SeverityChangeRow>) => void;
}) {
  const { t, fieldLabel, choiceLabel } = useTranslation();
  const { row, onChange } = props;
  const modeFrame = {
    name: memberInputName(props.name, 'mode'),
    label: fieldLabel('mode'),
    required: true,
    error: useFormError(memberInputName(props.name, 'mode')),
  };
  return (
    <div className="grid gap-2 sm:grid-cols-[auto_auto_minmax(0,1fr)]">
      <FieldFrame {...modeFrame}>
        <select
          {...controlProps(modeFrame)}
          value={row.mode}
          onChange={(event) => onChange({ mode: event.target.value as SeverityChangeRow['mode'] })}
          className={classNames(controlClass, 'h-8 w-auto!')}
        >
          {severityChangeModes.map((mode) => (
            <option key={mode} value={mode}>
              {choiceLabel(mode)}
            </option>
          ))}
        </select>
      </FieldFrame>
      {row.mode === 'add' ? (
        <NumberInput
          {...props}
          field="delta"
          value={row.delta}
          hint={t('alerthub.delta-hint')}
          onChange={(delta) => onChange({ delta })}
        />
      ) : (
        <>
          <NumberInput
            {...props}
            field="value"
            value={row.value}
            hint={t('alerthub.set-hint')}
            onChange={(value) => onChange({ value })}
          />
          <FingerprintInput {...props} onChange={(fingerprint) => onChange({ fingerprint })} />
        </>
      )}
    </div>
  );
}

function NumberInput(props: {
  name: string;
  field: 'delta' | 'value';
  meta: FieldMeta | undefined;
  value: string;
  hint: string;
  onChange: (inputValue: string) => void;
}) {
  const { fieldLabel } = useTranslation();
  const name = memberInputName(props.name, props.field);
  const meta = props.meta?.fields?.[props.field];
  const frame = {
    name,
    label: fieldLabel(props.field),
    required: true,
    error: useFormError(name),
    hint: props.hint,
  };
  return (
    <FieldFrame {...frame}>
      <input
        {...controlProps(frame)}
        type="number"
        required
        step={1}
        min={meta?.min}
        max={meta?.max}
        value={props.value}
        onChange={(event) => props.onChange(event.target.value)}
        className={classNames(controlClass, 'h-8 w-28! tabular-nums')}
      />
    </FieldFrame>
  );
}

function FingerprintInput(props: {
  name: string;
  row: SeverityChangeRow;
  pathList: string;
  onChange: (path: string) => void;
}) {
  const { t, fieldLabel } = useTranslation();
  const name = memberInputName(props.name, 'fingerprint');
  const frame = {
    name,
    label: fieldLabel('fingerprint'),
    required: false,
    error: useFormError(name, true),
    hint: t('alerthub.fingerprint-hint'),
  };
  return (
    <FieldFrame {...frame}>
      <input
        {...controlProps(frame)}
        maxLength={512}
        value={props.row.fingerprint}
        list={props.pathList}
        placeholder={t('alerthub.fingerprint-example')}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => props.onChange(event.target.value)}
        className={classNames(controlClass, 'h-8 font-mono text-xs')}
      />
    </FieldFrame>
  );
}
