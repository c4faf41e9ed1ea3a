// Input for a field of any kind, with names that `readForm` understands.
import type { FieldKind, FieldMeta } from '@yagura/core/resource/field';
import { traitsOf } from '@yagura/core/resource/field-kinds';
import { useContext, useRef } from 'react';
import { controlProps, FieldFrame, FieldGroup, FieldNotes, type FrameProps } from '../field/field-frame.tsx';
import { memberInputName } from '../field/form-data.ts';
import { useFormError } from '../field/form-errors.ts';
import { FormPartContext } from '../field/form-part.ts';
import { useSiblingValue } from '../field/use-sibling-value.ts';
import type { ReferenceOptions } from '../references.ts';
import { useTranslation } from '../translation.tsx';
import { KeyValuesInput } from './key-values-input.tsx';
import { ListInput } from './list-input.tsx';
import { ScalarInput } from './scalar-input.tsx';

export interface FieldInputProps {
  /** Dotted path of the field in the request body. */
  name: string;
  meta: FieldMeta;
  label: string;
  value?: unknown;
  /** Error message; taken from the surrounding form if absent. */
  error?: string;
  hint?: string;
  references?: ReferenceOptions;
  /** Values of sibling fields, from which a variant selects its shape before hydration. */
  siblings?: Record<string, unknown>;
  /** Labels of choices that replace the default translations. */
  optionLabel?: (option: string) => string;
}

/** Whether the members are rendered individually and show their own errors. */
const isCompound = (kind: FieldKind) => kind === 'list' || kind === 'object' || kind === 'variant';

export function FieldInput(props: FieldInputProps) {
  const { name, meta, label, hint } = props;
  const part = useContext(FormPartContext);
  const known = useFormError(name, !isCompound(meta.kind));
  const error = props.error ?? known;
  // A new object defaults to its creator's time zone; null in an existing one keeps its meaning.
  const fallback = meta.kind === 'time-zone' ? undefined : meta.default;
  const value = props.value === undefined ? fallback : props.value;
  const needed = meta.required && !meta.nullable;
  const acceptsEmpty = meta.kind === 'text' || traitsOf(meta.kind).prose === 'lines';
  const frame: FrameProps = {
    name,
    label,
    hint,
    error,
    part,
    required: needed && !(acceptsEmpty && (meta.min ?? 0) === 0),
  };

  switch (meta.kind) {
    case 'boolean':
      return <BooleanInput frame={frame} value={value} />;
    case 'object':
      return (
        <FieldGroup {...frame} required={false} className="rounded-md border border-line p-3">
          <Members {...props} shape={meta.fields ?? {}} value={value} />
        </FieldGroup>
      );
    case 'variant':
      return <VariantInput {...props} frame={frame} value={value} />;
    case 'list':
      return (
        <ListInput frame={{ ...frame, required: needed && (meta.min ?? 0) > 0 }} meta={meta} value={value}>
          {(rowName, rowValue, index) => <ListRow {...props} name={rowName} value={rowValue} index={index} />}
        </ListInput>
      );
    case 'key-values':
      return <KeyValuesInput frame={frame} value={value} />;
  }
  return (
    <FieldFrame {...frame}>
      <ScalarInput {...props} kind={meta.kind} frame={frame} value={value} />
    </FieldFrame>
  );
}

/** Row of a list: a bare control for a scalar, the members of an object. */
function ListRow(props: FieldInputProps & { index: number }) {
  const { t } = useTranslation();
  const item = props.meta.item ?? { kind: 'text', required: true, nullable: false };
  const known = useFormError(props.name, true);
  const part = useContext(FormPartContext);
  const { kind } = item;
  if (kind === 'object') {
    return <Members {...props} meta={item} shape={item.fields ?? {}} value={props.value} />;
  }
  const label = `${props.label} ${t('ui.row', { number: props.index + 1 })}`;
  if (kind === 'list' || kind === 'variant' || kind === 'key-values' || kind === 'boolean') {
    return <FieldInput {...props} meta={item} label={label} hint={undefined} error={undefined} />;
  }
  const frame: FrameProps = { name: props.name, label, required: item.required, error: known, part };
  return (
    <div className="grid gap-1">
      <ScalarInput {...props} meta={item} kind={kind} frame={frame} value={props.value} hasOwnLabel />
      <FieldNotes {...frame} />
    </div>
  );
}

function Members(props: FieldInputProps & { shape: Record<string, FieldMeta> }) {
  const { fieldLabel } = useTranslation();
  const values =
    typeof props.value === 'object' && props.value !== null ? (props.value as Record<string, unknown>) : {};
  return (
    <div className="grid gap-3">
      {Object.entries(props.shape).map(([member, field]) => (
        <FieldInput
          key={member}
          name={memberInputName(props.name, member)}
          meta={field}
          label={fieldLabel(member)}
          value={values[member]}
          references={props.references}
          siblings={values}
        />
      ))}
    </div>
  );
}

/** Object whose shape depends on a sibling field; each shape keeps its inputs while the form is mounted. */
function VariantInput(props: FieldInputProps & { frame: FrameProps }) {
  const { t, fieldLabel } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const by = props.meta.by ?? '';
  const sibling = props.name.includes('.') ? `${props.name.slice(0, props.name.lastIndexOf('.'))}.${by}` : by;
  const first = props.siblings?.[by];
  const picked = useSiblingValue(box, sibling, typeof first === 'string' ? first : '');
  const shape = Object.hasOwn(props.meta.variants ?? {}, picked) ? props.meta.variants![picked] : undefined;
  return (
    <div ref={box}>
      <FieldGroup {...props.frame} required={false} className="rounded-md border border-line p-3">
        {shape ? (
          <Members key={picked} {...props} shape={shape} value={picked === first ? props.value : undefined} />
        ) : (
          <p className="text-sm text-muted">{t('ui.choose-first', { name: fieldLabel(by) })}</p>
        )}
      </FieldGroup>
    </div>
  );
}

function BooleanInput({ frame, value }: { frame: FrameProps; value: unknown }) {
  const control = controlProps({ ...frame, required: false });
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={control.id} className="inline-flex min-h-6 items-center gap-2 text-sm font-medium">
        <input type="hidden" name={frame.name} value="false" />
        <input {...control} type="checkbox" value="true" defaultChecked={value === true} className="size-4" />
        {frame.label}
      </label>
      <FieldNotes {...frame} />
    </div>
  );
}
