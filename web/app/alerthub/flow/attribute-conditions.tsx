// Conditions on the attributes of scopes: the name, the comparison and the value, literal or read from the data.
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { controlClass, controlProps, FieldFrame } from '../../ui/field/field-frame.tsx';
import { memberInputName } from '../../ui/field/form-data.ts';
import { useFormError } from '../../ui/field/form-errors.ts';
import { RowActions } from '../../ui/field/row-actions.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { type Source, SourceInput, toSource } from './source-input.tsx';

export interface AttributeRow {
  /** Stable React key; does not change when other conditions are removed. */
  key: number;
  name: string;
  op: string;
  value: Source;
}

export const createAttribute = (key: number, op: string): AttributeRow => ({
  key,
  name: '',
  op,
  value: { from: 'literal', text: '' },
});

export function toAttributeRows(
  attributes: readonly { name: string; op: string; value?: unknown }[],
): AttributeRow[] {
  return attributes.map(({ name, op, value }, key) => ({ key, name, op, value: toSource(value) }));
}

/** Converts a row to its API representation; a test for presence has no value. */
export const toAttributeInput = ({ name, op, value }: AttributeRow) => ({
  name,
  op,
  ...(op === 'pr' ? {} : { value: value.from === 'path' ? { path: value.text } : value.text }),
});

/** Rows of conditions, which may all be removed; errors are looked up below `name`. */
export function AttributeConditions(props: {
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
    // The width is that of the form around it, which may be a narrow column.
    <div className="@container grid gap-2">
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
    <div className="grid min-w-0 flex-1 gap-1.5 @md:grid-cols-[minmax(0,1fr)_auto_minmax(0,2fr)]">
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
