// Recurrence input that needs no knowledge of RFC 5545; a rule that the form cannot represent is edited as
// text.
import { formatDateTime, readFieldDateTime } from '@yagura/core/format/date-time';
import { type Mute, upcomingMuteWindows } from '@yagura/core/schedule/mute';
import { muteSentence } from '@yagura/core/schedule/mute-sentence';
import { type RruleFrequency, rruleFrequencies, rruleLimits } from '@yagura/core/schedule/rrule';
import {
  defaultRepeat,
  type MonthDayRule,
  monthOrdinals,
  parseRepeat,
  printRepeat,
  type Repeat,
} from '@yagura/core/schedule/rrule-form';
import { ScheduleError } from '@yagura/core/schedule/schedule';
import { type WeekDay, weekDays } from '@yagura/core/time/week-day';
import { isZone, localTimeAt, weekDayIndex } from '@yagura/core/time/zone-clock';
import { isDate } from '@yagura/core/validation/date';
import { formatViolation } from '@yagura/core/validation/violation';
import { type RefObject, useRef, useState } from 'react';
import { classNames } from '../class-names.ts';
import { type ControlProps, controlClass } from '../field/field-frame.tsx';
import { shownInputName } from '../field/form-data.ts';
import { LabelledPart } from '../field/labelled-part.tsx';
import { useSiblingValue } from '../field/use-sibling-value.ts';
import { useTranslation } from '../translation.tsx';
import { WeekdayGroup } from './weekday-group.tsx';

/** Most frequent first. */
const frequencies = [...rruleFrequencies].reverse();
const monthPlaces: MonthDayRule[] = ['same', 'last', 'weekday'];
const ends = ['forever', 'until', 'count'] as const;
type FirstOccurrence = Pick<Mute, 'beginAt' | 'endAt' | 'timeZone'>;
type RepeatMode = 'never' | 'rule' | RruleFrequency;

const inputClass = classNames(controlClass, 'h-8');

/** Posts the rule text under the control's name; empty if the span does not repeat. */
export function RruleInput(props: { control: ControlProps; value: string }) {
  const { t } = useTranslation();
  const { id, name, ...about } = props.control;
  const [repeat, setRepeat] = useState<Repeat>(() => parseRepeat(props.value) ?? defaultRepeat);
  const [text, setText] = useState(props.value);
  const [mode, setMode] = useState<RepeatMode>(() =>
    props.value === '' ? 'never' : (parseRepeat(props.value)?.frequency ?? 'rule'),
  );
  const rule = mode === 'never' ? '' : mode === 'rule' ? text.trim() : printRepeat(repeat);
  const box = useRef<HTMLDivElement>(null);
  const span = useFirstOccurrence(box);

  function choose(next: RepeatMode) {
    // The text input starts with the rule built so far.
    if (next === 'rule' && rule !== '') setText(rule);
    if (next !== 'rule' && next !== 'never') setRepeat({ ...repeat, frequency: next });
    setMode(next);
  }

  return (
    <div ref={box} className="grid gap-3">
      <input type="hidden" name={name} value={rule} />
      <select
        {...about}
        id={id}
        value={mode}
        onChange={(event) => choose(event.target.value as RepeatMode)}
        className={classNames(inputClass, 'max-w-72')}
      >
        <option value="never">{t('ui.repeat-never')}</option>
        {frequencies.map((frequency) => (
          <option key={frequency} value={frequency}>
            {t(`schedule.every.${frequency}`)}
          </option>
        ))}
        <option value="rule">{t('ui.repeat-rule')}</option>
      </select>
      {mode === 'rule' && (
        <LabelledPart id={`${id}-text`} text={t('ui.repeat-text')}>
          <input
            id={`${id}-text`}
            value={text}
            maxLength={rruleLimits.length}
            placeholder="FREQ=MONTHLY;BYDAY=2TU"
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setText(event.target.value)}
            className={classNames(inputClass, 'font-mono text-xs')}
          />
        </LabelledPart>
      )}
      {mode !== 'rule' && mode !== 'never' && (
        <RepeatOptions
          id={id}
          name={name}
          repeat={repeat}
          firstDay={span && firstWeekDayOf(span)}
          change={(part) => setRepeat({ ...repeat, ...part })}
        />
      )}
      {mode !== 'never' && (
        <p role="status" className="text-sm whitespace-pre-line text-muted">
          {span && <RepeatDescription mute={{ ...span, rrule: rule }} />}
        </p>
      )}
    </div>
  );
}

/** Inputs for the details of a frequency and its end. */
function RepeatOptions(props: {
  id: string;
  /** Of the field that the parts are checked for before it is posted. */
  name: string;
  repeat: Repeat;
  /** Weekday of the first occurrence, once known. */
  firstDay: WeekDay | undefined;
  change: (part: Partial<Repeat>) => void;
}) {
  const { t } = useTranslation();
  const { id, repeat, change } = props;
  const days = repeat.days.length > 0 ? repeat.days : [props.firstDay ?? weekDays[0]];
  const end = repeat.until !== undefined ? 'until' : repeat.count !== undefined ? 'count' : 'forever';
  return (
    <>
      <div className="flex flex-wrap gap-3">
        <CountInput
          id={`${id}-interval`}
          name={props.name}
          text={t('ui.repeat-interval')}
          max={rruleLimits.interval}
          value={repeat.interval}
          onChange={(interval) => change({ interval })}
        />
        {repeat.frequency === 'MONTHLY' && (
          <LabelledPart id={`${id}-place`} text={t('ui.repeat-place')}>
            <OptionSelect
              id={`${id}-place`}
              value={repeat.monthDayRule}
              options={monthPlaces.map((monthPlace) => [monthPlace, t(`ui.repeat-${monthPlace}`)])}
              onChange={(monthPlace) => change({ monthDayRule: monthPlace })}
            />
          </LabelledPart>
        )}
        {repeat.frequency === 'MONTHLY' && repeat.monthDayRule === 'weekday' && (
          <>
            <LabelledPart id={`${id}-ordinal`} text={t('ui.repeat-ordinal')}>
              <OptionSelect
                id={`${id}-ordinal`}
                value={String(repeat.ordinal)}
                options={monthOrdinals.map((ordinal) => [
                  String(ordinal),
                  t(ordinal === -1 ? 'schedule.last.day' : `schedule.ordinal.${ordinal}`),
                ])}
                onChange={(ordinal) => change({ ordinal: Number(ordinal) })}
              />
            </LabelledPart>
            <LabelledPart id={`${id}-week-day`} text={t('ui.repeat-week-day')}>
              <OptionSelect
                id={`${id}-week-day`}
                value={repeat.weekDay}
                options={weekDays.map((day): [WeekDay, string] => [day, t(`schedule.day.${day}`)])}
                onChange={(weekDay) => change({ weekDay })}
              />
            </LabelledPart>
          </>
        )}
      </div>
      {repeat.frequency === 'WEEKLY' && (
        <WeekdayGroup
          // Until the user selects days, the day of the first occurrence is selected.
          key={props.firstDay}
          frame={{ name: `${id}-days`, label: t('ui.repeat-days'), required: false }}
          value={days}
          onChange={(days) => change({ days })}
        />
      )}
      <div className="flex flex-wrap gap-3">
        <LabelledPart id={`${id}-end`} text={t('ui.repeat-end')}>
          <OptionSelect
            id={`${id}-end`}
            value={end}
            options={ends.map((one) => [one, t(`ui.repeat-${one}`)])}
            onChange={(one) =>
              change({
                until: one === 'until' ? '' : undefined,
                count: one === 'count' ? 10 : undefined,
              })
            }
          />
        </LabelledPart>
        {end === 'until' && (
          <LabelledPart id={`${id}-until`} text={t('ui.repeat-until-day')}>
            <input
              id={`${id}-until`}
              data-name={props.name}
              value={repeat.until}
              placeholder="YYYY-MM-DD"
              inputMode="numeric"
              autoComplete="off"
              required
              ref={(input) =>
                input?.setCustomValidity(
                  repeat.until === '' || isDate(repeat.until ?? '') ? '' : t('rule.date'),
                )
              }
              onChange={(event) => change({ until: event.target.value.trim() })}
              className={classNames(inputClass, 'max-w-36 tabular-nums')}
            />
          </LabelledPart>
        )}
        {end === 'count' && (
          <CountInput
            id={`${id}-count`}
            name={props.name}
            text={t('ui.repeat-count-number')}
            max={rruleLimits.count}
            value={repeat.count ?? 1}
            onChange={(count) => change({ count })}
          />
        )}
      </div>
    </>
  );
}

/** Returns the first occurrence from the sibling fields; undefined until both ends are valid. */
function useFirstOccurrence(inside: RefObject<HTMLElement | null>): FirstOccurrence | undefined {
  const { timeZone } = useTranslation();
  const shownBegin = useSiblingValue(inside, shownInputName('beginAt'), '');
  const shownEnd = useSiblingValue(inside, shownInputName('endAt'), '');
  const begin = readFieldDateTime(useSiblingValue(inside, 'beginAt', '').trim(), timeZone, shownBegin);
  const end = readFieldDateTime(useSiblingValue(inside, 'endAt', '').trim(), timeZone, shownEnd);
  const zone = useSiblingValue(inside, 'timeZone', '');
  return begin && end ? { beginAt: begin, endAt: end, timeZone: zone || null } : undefined;
}

function firstWeekDayOf({ beginAt, timeZone }: FirstOccurrence): WeekDay | undefined {
  const zone = timeZone ?? 'UTC';
  return isZone(zone) ? weekDays[weekDayIndex(localTimeAt(Date.parse(beginAt), zone))] : undefined;
}

/** Describes the rule and its next occurrences, or the error in it. */
function RepeatDescription({ mute }: { mute: Mute }): string {
  const translation = useTranslation();
  const { t } = translation;
  try {
    const times = upcomingMuteWindows(mute, Date.now(), 3).map((span) =>
      formatDateTime(span.begin, translation),
    );
    const next =
      times.length > 0
        ? t('ui.repeat-next', { times: times.join(' · '), zone: translation.timeZone })
        : t('ui.repeat-no-more');
    return `${muteSentence(mute, translation, t)}\n${next}`;
  } catch (error) {
    if (error instanceof ScheduleError) return formatViolation(error.violation, t);
    throw error;
  }
}

/** An emptied input keeps the last number until another is typed, which must not be appended to a default. */
function CountInput(props: {
  id: string;
  name: string;
  text: string;
  max: number;
  value: number;
  onChange: (value: number) => void;
}) {
  const [inputValue, setInputValue] = useState<string>();
  return (
    <LabelledPart id={props.id} text={props.text}>
      <input
        id={props.id}
        data-name={props.name}
        type="number"
        min={1}
        max={props.max}
        value={inputValue ?? props.value}
        onChange={(event) => {
          setInputValue(event.target.value);
          const count = Math.floor(Number(event.target.value));
          if (count >= 1) props.onChange(count);
        }}
        onBlur={() => setInputValue(undefined)}
        className={classNames(inputClass, 'max-w-24 tabular-nums')}
      />
    </LabelledPart>
  );
}

function OptionSelect<V extends string>(props: {
  id: string;
  value: V;
  options: readonly (readonly [V, string])[];
  onChange: (value: V) => void;
}) {
  return (
    <select
      id={props.id}
      value={props.value}
      onChange={(event) => props.onChange(event.target.value as V)}
      className={classNames(inputClass, 'w-auto!')}
    >
      {props.options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}
