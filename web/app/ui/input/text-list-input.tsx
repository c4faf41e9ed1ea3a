// List in one line of delimited text: blank items are removed on blur, pasting merges, and every invalid item
// is reported.
import {
  defaultDelimiter,
  dropBlankItems,
  joinListText,
  type ListTextLimits,
  mergePasted,
  splitListText,
  validateListText,
} from '@yagura/core/validation/list-text';
import { formatViolation } from '@yagura/core/validation/violation';
import { useEffect, useRef, useState } from 'react';
import { classNames } from '../class-names.ts';
import { controlClass, controlProps, FieldFrame, type FrameProps } from '../field/field-frame.tsx';
import { listMarkerName, memberInputName } from '../field/form-data.ts';
import { useTranslation } from '../translation.tsx';

export function TextListInput(props: {
  frame: FrameProps;
  value: readonly string[];
  delimiter?: string;
  limits?: ListTextLimits;
}) {
  const { t } = useTranslation();
  const { frame, delimiter = defaultDelimiter, limits = {} } = props;
  const [text, setText] = useState(() => joinListText(props.value, delimiter));
  const input = useRef<HTMLInputElement>(null);
  const items = dropBlankItems(splitListText(text, delimiter));
  const checked = validateListText(items, limits);
  const wrong = checked.items.flatMap((actionProblem, index) =>
    actionProblem ? [{ item: items[index]!, at: index, reason: formatViolation(actionProblem, t) }] : [],
  );
  const whole = checked.list ? formatViolation(checked.list, t) : '';
  const reason = whole || wrong[0]?.reason || '';

  useEffect(() => input.current!.setCustomValidity(reason), [reason]);

  return (
    <FieldFrame {...frame} error={frame.error ?? (text !== '' && whole ? whole : undefined)}>
      <input type="hidden" name={listMarkerName(frame.name)} value="" />
      {items.map((item, index) => (
        <input key={index} type="hidden" name={memberInputName(frame.name, index)} value={item} />
      ))}
      <input
        {...controlProps(frame)}
        ref={input}
        name=""
        value={text}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={reason ? true : undefined}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => setText(joinListText(items, delimiter))}
        onPaste={(event) => {
          event.preventDefault();
          const pasted = event.clipboardData.getData('text').slice(0, 100_000);
          setText(joinListText(mergePasted(items, pasted, delimiter), delimiter));
        }}
        className={classNames(controlClass, 'h-8')}
      />
      {wrong.length > 0 && (
        <ul aria-live="polite" className="grid gap-0.5 text-xs text-danger-fg">
          {wrong.slice(0, 5).map(({ item, at, reason: why }) => (
            <li key={at} className="break-words">
              {t('rule.listItem', { position: at + 1, reason: `${item}: ${why}` })}
            </li>
          ))}
        </ul>
      )}
    </FieldFrame>
  );
}
