// Choice of what a callee does: a reaction, or a key in a round.
import { digits, readingPlan } from '@yagura/core/pigeon/call-constants';
import { classNames } from '../../ui/class-names.ts';
import { controlClass } from '../../ui/field/field-frame.tsx';
import { useTranslation } from '../../ui/translation.tsx';

const plain = ['noAnswer', 'noInput', 'busy', 'unreachable', 'hangsUp'] as const;
const rounds = Array.from({ length: readingPlan.rounds }, (_, index) => index + 1);

/** `value` and `onChange` have the form of a simulated callee, such as `busy` or `key:1:2`. */
export function CalleeSelect(props: {
  label: string;
  value: string;
  /** Text of the choice that leaves the decision to others; there is none without it. */
  none?: string;
  onChange: (value: string) => void;
}) {
  const { t } = useTranslation();
  return (
    <label className="grid grid-cols-1 gap-1 text-sm">
      {props.label}
      <select
        value={props.value}
        onChange={(event) => props.onChange(event.target.value)}
        className={classNames(controlClass, 'h-8 w-full')}
      >
        {props.none !== undefined && <option value="">{props.none}</option>}
        {plain.map((reaction) => (
          <option key={reaction} value={reaction}>
            {t(`pigeon.callee.${reaction}`)}
          </option>
        ))}
        {rounds.map((round) => (
          <optgroup key={round} label={t('pigeon.callee.round', { round })}>
            {digits.map((key) => (
              <option key={key} value={`key:${key}:${round}`}>
                {t('pigeon.callee.key', { key, round })}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  );
}
