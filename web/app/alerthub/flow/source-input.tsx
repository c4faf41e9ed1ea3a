// Input for a text that is either literal or read from the message data.
import { classNames } from '../../ui/class-names.ts';
import { controlClass, controlProps, FieldFrame } from '../../ui/field/field-frame.tsx';
import { useFormError } from '../../ui/field/form-errors.ts';
import { useTranslation } from '../../ui/translation.tsx';

export interface Source {
  from: 'literal' | 'path';
  text: string;
}

/** Parses `{literal}`, `{path}` or a plain string. */
export function toSource(value: unknown): Source {
  if (typeof value === 'string') return { from: 'literal', text: value };
  const { literal, path } = Object(value) as { literal?: unknown; path?: unknown };
  if (typeof path === 'string') return { from: 'path', text: path };
  return { from: 'literal', text: typeof literal === 'string' ? literal : '' };
}

export function SourceInput(props: {
  name: string;
  label: string;
  /** Label of the choice between literal and path. */
  fromLabel: string;
  hint?: string;
  value: Source;
  required: boolean;
  pathList: string;
  onChange: (value: Source) => void;
}) {
  const { t } = useTranslation();
  const { name, label, value } = props;
  const error = useFormError(name, true);
  const frame = { name, label, required: props.required, error, hint: props.hint };
  const path = value.from === 'path';
  return (
    <FieldFrame {...frame}>
      <div className="flex gap-1.5">
        <select
          aria-label={props.fromLabel}
          value={value.from}
          onChange={(event) => props.onChange({ ...value, from: event.target.value as Source['from'] })}
          className={classNames(controlClass, 'h-8 w-auto!')}
        >
          <option value="literal">{t('alerthub.literal')}</option>
          <option value="path">{t('alerthub.path')}</option>
        </select>
        <input
          {...controlProps(frame)}
          required={props.required || path}
          maxLength={path ? 512 : 2048}
          value={value.text}
          list={path ? props.pathList : undefined}
          placeholder={path ? t('alerthub.path-hint') : undefined}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => props.onChange({ ...value, text: event.target.value })}
          className={classNames(controlClass, 'h-8', path && 'font-mono text-xs')}
        />
      </div>
    </FieldFrame>
  );
}
