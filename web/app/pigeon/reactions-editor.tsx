// Editor for the actions of the keys 1 to 9, one row per key; submits them as JSON in one hidden input.

import {
  type Behavior,
  behaviors,
  type Digit,
  digits,
  maxMessageLength,
} from '@yagura/core/pigeon/call-constants';
import type { Reaction, Reactions } from '@yagura/core/pigeon/guidance';
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
  const change = (digit: Digit, reaction: Reaction | undefined) => {
    const { [digit]: _gone, ...rest } = reactions;
    setReactions(reaction ? { ...rest, [digit]: reaction } : rest);
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
            reaction={reactions[digit]}
            onChange={(reaction) => change(digit, reaction)}
          />
        ))}
      </ul>
    </FieldGroup>
  );
}

function ReactionRow(props: {
  digit: Digit;
  reaction: Reaction | undefined;
  onChange: (reaction: Reaction | undefined) => void;
}) {
  const { t, choiceLabel: word } = useTranslation();
  const { digit, reaction } = props;
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
          value={reaction?.behavior ?? ''}
          onChange={(event) => {
            const behavior = event.target.value as Behavior | '';
            props.onChange(behavior === '' ? undefined : { messageTemplate: '', ...reaction, behavior });
          }}
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
      {reaction && (
        <div className="col-start-2 sm:col-start-3">
          <input
            id={controlId(messageName)}
            aria-label={t('pigeon.key-says', { digit })}
            aria-invalid={messageError ? true : undefined}
            placeholder={t('pigeon.key-says', { digit })}
            maxLength={maxMessageLength}
            value={reaction.messageTemplate}
            onChange={(event) => props.onChange({ ...reaction, messageTemplate: event.target.value })}
            className={classNames(controlClass, 'h-8')}
          />
          <FieldNotes name={messageName} error={messageError} />
          <label className="mt-1 flex w-fit items-center gap-1.5 text-xs">
            <input
              type="checkbox"
              aria-label={t('pigeon.key-acknowledges-of', { digit })}
              checked={reaction.acknowledge ?? false}
              onChange={({ target: { checked } }) => {
                const { acknowledge: _before, ...rest } = reaction;
                props.onChange(checked ? { ...rest, acknowledge: true } : rest);
              }}
            />
            {t('pigeon.key-acknowledges')}
          </label>
        </div>
      )}
    </li>
  );
}
