// Editor for the events that a rule raises at scopes selected by attributes or display name
// (`conditionalEventParams`).
import type { ConditionalEventParam } from '@yagura/core/alerthub/flow-schema';
import type { FieldMeta } from '@yagura/core/resource/field';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { controlClass, controlProps, FieldFrame, FieldNotes } from '../../ui/field/field-frame.tsx';
import { memberInputName } from '../../ui/field/form-data.ts';
import { useFormError } from '../../ui/field/form-errors.ts';
import { RowActions } from '../../ui/field/row-actions.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { type EventRow, EventRows, toSourceInput } from './event-rows.tsx';
import { newChangeRow, toChangeInput, toChangeRow } from './severity-change-inputs.tsx';
import { type Source, SourceInput, toSource } from './source-input.tsx';
import { describeEvent, describeScopes } from './step-sentence.ts';

interface AttributeRow {
  /** Stable React key; does not change when other conditions are removed. */
  key: number;
  name: string;
  op: string;
  value: Source;
}

interface ConditionalEventRow extends EventRow {
  attributes: AttributeRow[];
  /** A literal text is a template. */
  scopeName: Source;
  createScope: boolean;
}

const emptySource: Source = { from: 'literal', text: '' };

const createAttribute = (key: number, op: string): AttributeRow => ({
  key,
  name: '',
  op,
  value: emptySource,
});

const toAttributeInput = ({ name, op, value }: AttributeRow) => ({
  name,
  op,
  ...(op === 'pr' ? {} : { value: value.from === 'path' ? { path: value.text } : value.text }),
});

function toScopeNameInput({ from, text }: Source): ConditionalEventParam['scopeName'] {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return from === 'path' ? { path: trimmed } : { template: trimmed };
}

function toScopeNameSource(scopeName: ConditionalEventParam['scopeName']): Source {
  if (!scopeName) return emptySource;
  return 'path' in scopeName
    ? { from: 'path', text: scopeName.path }
    : { from: 'literal', text: scopeName.template };
}

/** `meta` is the field's metadata from the rule resource. */
export function ConditionalEventParamsEditor(props: {
  name?: string;
  meta: FieldMeta;
  value: ConditionalEventParam[] | undefined;
}) {
  const { t, fieldLabel } = useTranslation();
  const name = props.name ?? 'conditionalEventParams';
  const attributes = props.meta.item?.fields?.attributes;
  const operators = attributes?.item?.fields?.op?.options ?? [];
  const sent = (row: ConditionalEventRow) => ({
    attributes: row.attributes.map(toAttributeInput),
    scopeName: toScopeNameInput(row.scopeName),
    createScope: row.createScope,
    severityName: toSourceInput(row.severityName),
    ...toChangeInput(row),
  });
  return (
    <EventRows<ConditionalEventRow>
      name={name}
      label={fieldLabel(name)}
      meta={props.meta}
      value={(props.value ?? []).map((param) => ({
        attributes: param.attributes.map((attribute, key) => ({
          key,
          name: attribute.name,
          op: attribute.op,
          value: toSource(attribute.value),
        })),
        scopeName: toScopeNameSource(param.scopeName),
        createScope: param.createScope ?? false,
        severityName: toSource(param.severityName),
        ...toChangeRow(param),
      }))}
      emptyRow={{
        attributes: [createAttribute(0, operators[0] ?? '')],
        scopeName: emptySource,
        createScope: false,
        severityName: toSource(props.meta.item?.fields?.severityName?.default),
        ...newChangeRow,
      }}
      emptyText={t('alerthub.no-conditional-events')}
      toInput={sent}
      sentence={(row) => describeEvent(sent(row), describeScopes(sent(row), t), t)}
    >
      {(row, rowName, onChange, pathList) => (
        <div className="grid gap-2">
          <Attributes
            name={memberInputName(rowName, 'attributes')}
            value={row.attributes}
            operators={operators}
            max={attributes?.max}
            pathList={pathList}
            onChange={(attributes) => onChange({ ...row, attributes })}
          />
          <SourceInput
            name={memberInputName(rowName, 'scopeName')}
            label={fieldLabel('scopeName')}
            fromLabel={t('alerthub.scope-name-from')}
            hint={t('alerthub.scope-name-hint', { example: '{{element.labels.host}}' })}
            value={row.scopeName}
            required={false}
            pathList={pathList}
            onChange={(scopeName) => onChange({ ...row, scopeName })}
          />
          <CreateScopeInput
            name={memberInputName(rowName, 'createScope')}
            value={row.createScope}
            onChange={(createScope) => onChange({ ...row, createScope })}
          />
        </div>
      )}
    </EventRows>
  );
}

function CreateScopeInput(props: { name: string; value: boolean; onChange: (createScope: boolean) => void }) {
  const { t, fieldLabel } = useTranslation();
  const frame = {
    name: props.name,
    label: fieldLabel('createScope'),
    required: false,
    error: useFormError(props.name),
    hint: t('alerthub.create-scope-hint'),
  };
  const control = controlProps(frame);
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={control.id} className="inline-flex min-h-6 items-center gap-2 text-sm font-medium">
        <input
          {...control}
          type="checkbox"
          checked={props.value}
          onChange={(event) => props.onChange(event.target.checked)}
          className="size-4"
        />
        {frame.label}
      </label>
      <FieldNotes {...frame} />
    </div>
  );
}

function Attributes(props: {
  name: string;
  value: AttributeRow[];
  operators: string[];
  max: number | undefined;
  pathList: string;
  onChange: (attributes: AttributeRow[]) => void;
}) {
  const { t } = useTranslation();
  const { value } = props;
  return (
    <div className="grid gap-2">
      {value.map((attribute, index) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would nest legends without words
        <div
          key={attribute.key}
          role="group"
          aria-label={t('alerthub.attribute', { number: index + 1 })}
          className="flex items-end gap-1.5"
        >
          <AttributeInputs
            name={memberInputName(props.name, index)}
            value={attribute}
            operators={props.operators}
            pathList={props.pathList}
            onChange={(next) => props.onChange(value.with(index, next))}
          />
          <RowActions
            index={index}
            count={value.length}
            onRemove={() => props.onChange(value.toSpliced(index, 1))}
          />
        </div>
      ))}
      <div>
        <Button
          size="small"
          variant="quiet"
          icon="plus"
          disabled={props.max !== undefined && value.length >= props.max}
          onClick={() =>
            props.onChange([
              ...value,
              createAttribute(Math.max(-1, ...value.map(({ key }) => key)) + 1, props.operators[0] ?? ''),
            ])
          }
        >
          {t('alerthub.add-attribute')}
        </Button>
      </div>
    </div>
  );
}

function AttributeInputs(props: {
  name: string;
  value: AttributeRow;
  operators: string[];
  pathList: string;
  onChange: (attribute: AttributeRow) => void;
}) {
  const { t, fieldLabel, choiceLabel: word } = useTranslation();
  const { value, onChange } = props;
  const nameFrame = {
    name: memberInputName(props.name, 'name'),
    label: fieldLabel('name'),
    required: true,
    error: useFormError(memberInputName(props.name, 'name')),
  };
  const opFrame = { name: memberInputName(props.name, 'op'), label: fieldLabel('op'), required: true };
  return (
    <div className="grid min-w-0 flex-1 gap-1.5 sm:grid-cols-[minmax(0,1fr)_auto_minmax(0,2fr)]">
      <FieldFrame {...nameFrame}>
        <input
          {...controlProps(nameFrame)}
          required
          maxLength={255}
          value={value.name}
          autoComplete="off"
          onChange={(event) => onChange({ ...value, name: event.target.value })}
          className={classNames(controlClass, 'h-8')}
        />
      </FieldFrame>
      <FieldFrame {...opFrame}>
        <select
          {...controlProps(opFrame)}
          value={value.op}
          onChange={(event) => onChange({ ...value, op: event.target.value })}
          className={classNames(controlClass, 'h-8 w-auto!')}
        >
          {props.operators.map((op) => (
            <option key={op} value={op}>
              {word(op)}
            </option>
          ))}
        </select>
      </FieldFrame>
      {value.op !== 'pr' && (
        <SourceInput
          name={memberInputName(props.name, 'value')}
          label={fieldLabel('value')}
          fromLabel={t('alerthub.value-from')}
          value={value.value}
          required={false}
          pathList={props.pathList}
          onChange={(next) => onChange({ ...value, value: next })}
        />
      )}
    </div>
  );
}
