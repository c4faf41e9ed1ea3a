// Input for key-value pairs. Keys are required and unique; the form cannot be submitted otherwise.
import { useEffect, useRef } from 'react';
import { Button } from '../button.tsx';
import { classNames } from '../class-names.ts';
import { controlClass, FieldGroup, type FrameProps } from '../field/field-frame.tsx';
import { keyInputName, listMarkerName, valueInputName } from '../field/form-data.ts';
import { RowActions, useRowFocus } from '../field/row-actions.tsx';
import { useRows } from '../field/use-rows.ts';
import { Icon } from '../icon.tsx';
import { useTranslation } from '../translation.tsx';

type Pair = [key: string, value: string];

/** `onChange` is called whenever the value is complete: no empty and no duplicate keys. */
export function KeyValuesInput(props: {
  frame: FrameProps;
  value: unknown;
  onChange?: (value: Record<string, string>) => void;
}) {
  const { t } = useTranslation();
  const { frame } = props;
  const [rows, change] = useRows<Pair>(pairsOf(props.value));
  const { box, focusRow } = useRowFocus(rows.length);
  const counts = new Map<string, number>();
  for (const { value } of rows) counts.set(value[0], (counts.get(value[0]) ?? 0) + 1);
  const keyError = ([key, value]: Pair) => {
    if (key === '') return value === '' ? '' : t('rule.required');
    return counts.get(key)! > 1 ? t('rule.keyExists') : '';
  };

  const lastNotified = useRef(rows);
  useEffect(() => {
    if (lastNotified.current === rows) return;
    lastNotified.current = rows;
    const pairs = rows.map((row) => row.value).filter(([key, text]) => key !== '' || text !== '');
    const whole =
      pairs.every(([key]) => key !== '') && new Set(pairs.map(([key]) => key)).size === pairs.length;
    if (whole) props.onChange?.(Object.fromEntries(pairs));
  });

  return (
    <FieldGroup {...frame}>
      <input type="hidden" name={listMarkerName(frame.name)} value="" />
      <div ref={box} className="grid gap-1.5">
        {rows.map(({ key: row, value: pair }, index) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset would nest legends without words
          <div
            key={row}
            data-row={index}
            role="group"
            aria-label={t('ui.row', { number: index + 1 })}
            className="grid gap-0.5"
          >
            <div className="flex gap-1.5">
              <KeyBox
                name={keyInputName(frame.name, index)}
                label={`${t('ui.key')} ${index + 1}`}
                value={pair[0]}
                problem={keyError(pair)}
                onChange={(key) => change({ kind: 'set', index, value: [key, pair[1]] })}
              />
              <input
                name={valueInputName(frame.name, index)}
                aria-label={`${t('ui.value')} ${index + 1}`}
                placeholder={t('ui.value')}
                value={pair[1]}
                autoComplete="off"
                onChange={(event) => change({ kind: 'set', index, value: [pair[0], event.target.value] })}
                className={classNames(controlClass, 'h-8 flex-[2] font-mono text-xs')}
              />
              <RowActions
                index={index}
                count={rows.length}
                onRemove={() => {
                  focusRow(index);
                  change({ kind: 'remove', index });
                }}
              />
            </div>
          </div>
        ))}
        <div>
          <Button
            size="small"
            icon="plus"
            data-add=""
            aria-label={t('ui.add-to', { name: frame.label })}
            onClick={() => {
              focusRow(rows.length);
              change({ kind: 'add', value: ['', ''] });
            }}
          >
            {t('ui.add')}
          </Button>
        </div>
      </div>
    </FieldGroup>
  );
}

function KeyBox(props: {
  name: string;
  label: string;
  value: string;
  problem: string;
  onChange: (key: string) => void;
}) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const about = `${props.name}-problem`;
  useEffect(() => input.current!.setCustomValidity(props.problem), [props.problem]);
  return (
    <div className="grid flex-1 content-start gap-0.5">
      <input
        ref={input}
        name={props.name}
        aria-label={props.label}
        placeholder={t('ui.key')}
        value={props.value}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={props.problem ? true : undefined}
        aria-describedby={props.problem ? about : undefined}
        onChange={(event) => props.onChange(event.target.value)}
        className={classNames(controlClass, 'h-8 font-mono text-xs')}
      />
      {props.problem && (
        <p id={about} role="alert" className="flex items-start gap-1 text-xs text-danger-fg">
          <Icon name="error" size={13} className="mt-0.5" />
          {props.problem}
        </p>
      )}
    </div>
  );
}

function pairsOf(value: unknown): Pair[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).map(([key, text]) => [
    key,
    typeof text === 'string' ? text : JSON.stringify(text),
  ]);
}
