// A list in one line of text behind a delimiter: blank items go when the field is left, pasting merges, every wrong item is named.
import {
  checkListText,
  defaultDelimiter,
  dropBlankItems,
  joinListText,
  type ListTextLimits,
  mergePasted,
  splitListText,
} from '@yagura/core/rules/list-text';
import { refusalText } from '@yagura/core/rules/refusal';
import { useEffect, useRef, useState } from 'react';
import { classes } from './classes.ts';
import { controlClass, controlProps, FieldFrame, type FrameProps } from './field-frame.tsx';
import { listMark, memberName } from './form-data.ts';
import { useTranslation } from './words.tsx';

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
  const checked = checkListText(items, limits);
  const wrong = checked.items.flatMap((refusal, at) =>
    refusal ? [{ item: items[at]!, at, reason: refusalText(refusal, t) }] : [],
  );
  const whole = checked.list ? refusalText(checked.list, t) : '';
  const reason = whole || wrong[0]?.reason || '';

  useEffect(() => input.current!.setCustomValidity(reason), [reason]);

  return (
    <FieldFrame {...frame} error={frame.error ?? (text !== '' && whole ? whole : undefined)}>
      <input type="hidden" name={listMark(frame.name)} value="" />
      {items.map((item, at) => (
        <input key={at} type="hidden" name={memberName(frame.name, at)} value={item} />
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
        className={classes(controlClass, 'h-8')}
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
