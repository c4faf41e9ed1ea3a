// Editor for the actions of the keys 1 to 9, one row per key; submits them as JSON in one hidden input.

import {
  type Behavior,
  behaviors,
  type Digit,
  digits,
  maxMessageLength,
} from '@yagura/core/pigeon/call-constants';
import type { Reactions } from '@yagura/core/pigeon/guidance';
import { useState } from 'react';
import { classNames } from '../ui/class-names.ts';
import { controlClass, controlId, FieldGroup, FieldNotes } from '../ui/field/field-frame.tsx';
import { jsonInputName, memberInputName } from '../ui/field/form-data.ts';
import { useFormError } from '../ui/field/form-errors.ts';
import { useTranslation } from '../ui/translation.tsx';

const name = 'reactions';

export function ReactionsEditor(props: { value: Reactions }) {
  const { t, fieldLabel } = useTranslation();
  const [reactions, setReactions] = useState(props.value);
  const error = useFormError(name);
  const change = (digit: Digit, behavior: Behavior | '', messageTemplate: string) => {
    const { [digit]: _gone, ...rest } = reactions;
    setReactions(behavior === '' ? rest : { ...rest, [digit]: { behavior, messageTemplate } });
  };
  return (
    <FieldGroup
      name={name}
      label={fieldLabel(name)}
      hint={t('pigeon.reactions-hint')}
      error={error}
      required={false}
    >
      <input type="hidden" name={jsonInputName(name)} value={JSON.stringify(reactions)} />
      <ul className="grid gap-1.5">
        {digits.map((digit) => (
          <ReactionRow
            key={digit}
            digit={digit}
            behavior={reactions[digit]?.behavior ?? ''}
            message={reactions[digit]?.messageTemplate ?? ''}
            onChange={(behavior, message) => change(digit, behavior, message)}
          />
        ))}
      </ul>
    </FieldGroup>
  );
}

function ReactionRow(props: {
  digit: Digit;
  behavior: Behavior | '';
  message: string;
  onChange: (behavior: Behavior | '', message: string) => void;
}) {
  const { t, choiceLabel: word } = useTranslation();
  const { digit, behavior, message } = props;
  const row = memberInputName(name, digit);
  const behaviorName = memberInputName(row, 'behavior');
  const messageName = memberInputName(row, 'messageTemplate');
  const error = useFormError(behaviorName);
  const messageError = useFormError(messageName);
  return (
    <li className="grid grid-cols-[2rem_minmax(0,1fr)] items-start gap-2 sm:grid-cols-[2rem_14rem_minmax(0,1fr)]">
      <kbd className="flex h-8 items-center justify-center rounded-md border border-line-strong/60 bg-surface-sunken font-mono">
        {digit}
      </kbd>
      <div>
        <select
          id={controlId(behaviorName)}
          aria-label={t('pigeon.key-does', { digit })}
          aria-invalid={error ? true : undefined}
          value={behavior}
          onChange={(event) => props.onChange(event.target.value as Behavior | '', message)}
          className={classNames(controlClass, 'h-8')}
        >
          <option value="">{t('pigeon.key-nothing')}</option>
          {behaviors.map((one) => (
            <option key={one} value={one}>
              {word(one)}
            </option>
          ))}
        </select>
        <FieldNotes name={behaviorName} error={error} />
      </div>
      {behavior !== '' && (
        <div className="col-start-2 sm:col-start-3">
          <input
            id={controlId(messageName)}
            aria-label={t('pigeon.key-says', { digit })}
            aria-invalid={messageError ? true : undefined}
            placeholder={t('pigeon.key-says', { digit })}
            maxLength={maxMessageLength}
            value={message}
            onChange={(event) => props.onChange(behavior, event.target.value)}
            className={classNames(controlClass, 'h-8')}
          />
          <FieldNotes name={messageName} error={messageError} />
        </div>
      )}
    </li>
  );
}
