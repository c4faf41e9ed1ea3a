// Edits the events that a rule raises at every scope whose attributes meet conditions (`conditionalEventParams`).
import type { ConditionalEventParam } from '@yagura/core/alerthub/flow';
import type { FieldMeta } from '@yagura/core/resource/field';
import { Button } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { controlClass, controlProps, FieldFrame } from '../ui/field-frame.tsx';
import { memberName } from '../ui/form-data.ts';
import { useFormError } from '../ui/form-errors.ts';
import { RowTools } from '../ui/row-tools.tsx';
import { useTranslation } from '../ui/words.tsx';
import { deltaOf } from './delta-input.tsx';
import { type EventRow, EventRows, sentSource } from './event-rows.tsx';
import { type Source, SourceInput, sourceOf } from './source-input.tsx';
import { attributesSentence, eventSentence } from './step-sentence.ts';

interface Attribute {
  /** Stays with the condition when others go. */
  key: number;
  name: string;
  op: string;
  value: Source;
}

interface Row extends EventRow {
  attributes: Attribute[];
}

const fresh = (key: number, op: string): Attribute => ({
  key,
  name: '',
  op,
  value: { from: 'literal', text: '' },
});

const sentAttribute = ({ name, op, value }: Attribute) => ({
  name,
  op,
  ...(op === 'pr' ? {} : { value: value.from === 'path' ? { path: value.text } : value.text }),
});

/** `facts` are those of the field, from the face of rules. */
export function ConditionalEventParamsEditor(props: {
  name?: string;
  meta: FieldMeta;
  value: ConditionalEventParam[] | undefined;
}) {
  const { t, label } = useTranslation();
  const name = props.name ?? 'conditionalEventParams';
  const attributes = props.meta.item?.fields?.attributes;
  const operators = attributes?.item?.fields?.op?.options ?? [];
  const sent = (row: Row) => ({
    attributes: row.attributes.map(sentAttribute),
    severityName: sentSource(row.severityName),
    delta: deltaOf(row.delta),
  });
  return (
    <EventRows<Row>
      name={name}
      label={label(name)}
      meta={props.meta}
      value={(props.value ?? []).map((param) => ({
        attributes: param.attributes.map((attribute, key) => ({
          key,
          name: attribute.name,
          op: attribute.op,
          value: sourceOf(attribute.value),
        })),
        severityName: sourceOf(param.severityName),
        delta: String(param.delta),
      }))}
      fresh={{
        attributes: [fresh(0, operators[0] ?? '')],
        severityName: sourceOf(props.meta.item?.fields?.severityName?.default),
        delta: '1',
      }}
      emptyText={t('alerthub.no-conditional-events')}
      sent={sent}
      sentence={(row) =>
        eventSentence(sent(row), attributesSentence(row.attributes.map(sentAttribute), t), t)
      }
    >
      {(row, rowName, onChange, pathList) => (
        <Attributes
          name={memberName(rowName, 'attributes')}
          value={row.attributes}
          operators={operators}
          max={attributes?.max}
          pathList={pathList}
          onChange={(attributes) => onChange({ ...row, attributes })}
        />
      )}
    </EventRows>
  );
}

function Attributes(props: {
  name: string;
  value: Attribute[];
  operators: string[];
  max: number | undefined;
  pathList: string;
  onChange: (attributes: Attribute[]) => void;
}) {
  const { t } = useTranslation();
  const { value } = props;
  return (
    <div className="grid gap-2">
      {value.map((attribute, at) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would nest legends without words
        <div
          key={attribute.key}
          role="group"
          aria-label={t('alerthub.attribute', { number: at + 1 })}
          className="flex items-end gap-1.5"
        >
          <AttributeInputs
            name={memberName(props.name, at)}
            value={attribute}
            operators={props.operators}
            pathList={props.pathList}
            onChange={(next) => props.onChange(value.with(at, next))}
          />
          <RowTools at={at} count={value.length} onRemove={() => props.onChange(value.toSpliced(at, 1))} />
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
              fresh(Math.max(-1, ...value.map(({ key }) => key)) + 1, props.operators[0] ?? ''),
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
  value: Attribute;
  operators: string[];
  pathList: string;
  onChange: (attribute: Attribute) => void;
}) {
  const { t, label, value: word } = useTranslation();
  const { value, onChange } = props;
  const nameFrame = {
    name: memberName(props.name, 'name'),
    label: label('name'),
    required: true,
    error: useFormError(memberName(props.name, 'name')),
  };
  const opFrame = { name: memberName(props.name, 'op'), label: label('op'), required: true };
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
          className={classes(controlClass, 'h-8')}
        />
      </FieldFrame>
      <FieldFrame {...opFrame}>
        <select
          {...controlProps(opFrame)}
          value={value.op}
          onChange={(event) => onChange({ ...value, op: event.target.value })}
          className={classes(controlClass, 'h-8 w-auto!')}
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
          name={memberName(props.name, 'value')}
          label={label('value')}
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
