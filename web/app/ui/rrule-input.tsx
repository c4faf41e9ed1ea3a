// How a span of time repeats, asked without knowing RFC 5545; a rule that says more than the form can is kept as its text.
import { formatDateTime, parseFieldDateTime } from '@yagura/core/format/date-time';
import { isDate } from '@yagura/core/rules/date';
import { refusalText } from '@yagura/core/rules/refusal';
import { type WeekDay, weekDays } from '@yagura/core/rules/week-day';
import { type Mute, nextMutes } from '@yagura/core/schedule/mute';
import { muteSentence } from '@yagura/core/schedule/mute-sentence';
import {
  type MonthPlace,
  monthOrdinals,
  plainRepeat,
  printRepeat,
  type Repeat,
  readRepeat,
} from '@yagura/core/schedule/repeat';
import { type RruleFrequency, rruleFrequencies, rruleLimits } from '@yagura/core/schedule/rrule';
import { ScheduleError } from '@yagura/core/schedule/schedule';
import { isZone, localTimeAt, weekDayIndex } from '@yagura/core/schedule/zone';
import { type RefObject, useRef, useState } from 'react';
import { classes } from './classes.ts';
import { type ControlProps, controlClass } from './field-frame.tsx';
import { Labelled } from './labelled.tsx';
import { useSiblingValue } from './sibling-value.ts';
import { WeekdayGroup } from './weekday-group.tsx';
import { useTranslation } from './words.tsx';

/** Most often first, as people think of it. */
const frequencies = [...rruleFrequencies].reverse();
const places: MonthPlace[] = ['same', 'last', 'weekday'];
const ends = ['forever', 'until', 'count'] as const;
type Span = Pick<Mute, 'beginAt' | 'endAt' | 'timeZone'>;
type Mode = 'never' | 'rule' | RruleFrequency;

const line = classes(controlClass, 'h-8');

/** Posts the rule's text under the control's name, an empty one for a span that comes once. */
export function RruleInput(props: { control: ControlProps; value: string }) {
  const { t } = useTranslation();
  const { id, name, ...about } = props.control;
  const [repeat, setRepeat] = useState<Repeat>(() => readRepeat(props.value) ?? plainRepeat);
  const [text, setText] = useState(props.value);
  const [mode, setMode] = useState<Mode>(() =>
    props.value === '' ? 'never' : (readRepeat(props.value)?.frequency ?? 'rule'),
  );
  const rule = mode === 'never' ? '' : mode === 'rule' ? text.trim() : printRepeat(repeat);
  const box = useRef<HTMLDivElement>(null);
  const span = useSpan(box);

  function choose(next: Mode) {
    // What was put together so far is where its text begins.
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
        onChange={(event) => choose(event.target.value as Mode)}
        className={classes(line, 'max-w-72')}
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
        <Labelled id={`${id}-text`} text={t('ui.repeat-text')}>
          <input
            id={`${id}-text`}
            value={text}
            maxLength={rruleLimits.length}
            placeholder="FREQ=MONTHLY;BYDAY=2TU"
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setText(event.target.value)}
            className={classes(line, 'font-mono text-xs')}
          />
        </Labelled>
      )}
      {mode !== 'rule' && mode !== 'never' && (
        <Parts
          id={id}
          repeat={repeat}
          firstDay={span && firstDayOf(span)}
          change={(part) => setRepeat({ ...repeat, ...part })}
        />
      )}
      {mode !== 'never' && (
        <p role="status" className="text-sm whitespace-pre-line text-muted">
          {span && <Told mute={{ ...span, rrule: rule }} />}
        </p>
      )}
    </div>
  );
}

/** What a frequency still needs to be told, and when it ends. */
function Parts(props: {
  id: string;
  repeat: Repeat;
  /** Of the first occurrence, once that is known. */
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
        <HowMany
          id={`${id}-interval`}
          text={t('ui.repeat-interval')}
          most={rruleLimits.interval}
          value={repeat.interval}
          onChange={(interval) => change({ interval })}
        />
        {repeat.frequency === 'MONTHLY' && (
          <Labelled id={`${id}-place`} text={t('ui.repeat-place')}>
            <Choice
              id={`${id}-place`}
              value={repeat.place}
              options={places.map((place) => [place, t(`ui.repeat-${place}`)])}
              onChange={(place) => change({ place })}
            />
          </Labelled>
        )}
        {repeat.frequency === 'MONTHLY' && repeat.place === 'weekday' && (
          <>
            <Labelled id={`${id}-ordinal`} text={t('ui.repeat-ordinal')}>
              <Choice
                id={`${id}-ordinal`}
                value={String(repeat.ordinal)}
                options={monthOrdinals.map((ordinal) => [
                  String(ordinal),
                  t(ordinal < 0 ? 'schedule.last.day' : `schedule.ordinal.${ordinal}`),
                ])}
                onChange={(ordinal) => change({ ordinal: Number(ordinal) })}
              />
            </Labelled>
            <Labelled id={`${id}-week-day`} text={t('ui.repeat-week-day')}>
              <Choice
                id={`${id}-week-day`}
                value={repeat.weekDay}
                options={weekDays.map((day): [WeekDay, string] => [day, t(`schedule.day.${day}`)])}
                onChange={(weekDay) => change({ weekDay })}
              />
            </Labelled>
          </>
        )}
      </div>
      {repeat.frequency === 'WEEKLY' && (
        <WeekdayGroup
          // Until days are chosen, what is ticked follows the first occurrence.
          key={props.firstDay}
          frame={{ name: `${id}-days`, label: t('ui.repeat-days'), required: false }}
          value={days}
          onChange={(days) => change({ days })}
        />
      )}
      <div className="flex flex-wrap gap-3">
        <Labelled id={`${id}-end`} text={t('ui.repeat-end')}>
          <Choice
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
        </Labelled>
        {end === 'until' && (
          <Labelled id={`${id}-until`} text={t('ui.repeat-until-day')}>
            <input
              id={`${id}-until`}
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
              className={classes(line, 'max-w-36 tabular-nums')}
            />
          </Labelled>
        )}
        {end === 'count' && (
          <HowMany
            id={`${id}-count`}
            text={t('ui.repeat-count-number')}
            most={rruleLimits.count}
            value={repeat.count ?? 1}
            onChange={(count) => change({ count })}
          />
        )}
      </div>
    </>
  );
}

/** The first occurrence as the fields beside this one say it; undefined until both ends can be read. */
function useSpan(inside: RefObject<HTMLElement | null>): Span | undefined {
  const { timeZone } = useTranslation();
  const begin = parseFieldDateTime(useSiblingValue(inside, 'beginAt', '').trim(), timeZone);
  const end = parseFieldDateTime(useSiblingValue(inside, 'endAt', '').trim(), timeZone);
  const zone = useSiblingValue(inside, 'timeZone', '');
  return begin && end ? { beginAt: begin, endAt: end, timeZone: zone || null } : undefined;
}

function firstDayOf({ beginAt, timeZone }: Span): WeekDay | undefined {
  const zone = timeZone ?? 'UTC';
  return isZone(zone) ? weekDays[weekDayIndex(localTimeAt(Date.parse(beginAt), zone))] : undefined;
}

/** The rule with its span in a sentence, and when it comes next; or why it cannot be. */
function Told({ mute }: { mute: Mute }): string {
  const words = useTranslation();
  const { t } = words;
  try {
    const times = nextMutes(mute, Date.now(), 3).map((span) => formatDateTime(span.begin, words));
    const next =
      times.length > 0 ? t('ui.repeat-next', { times: times.join(' · ') }) : t('ui.repeat-no-more');
    return `${muteSentence(mute, words, t)}\n${next}`;
  } catch (error) {
    if (error instanceof ScheduleError) return refusalText(error.refusal, t);
    throw error;
  }
}

function HowMany(props: {
  id: string;
  text: string;
  most: number;
  value: number;
  onChange: (value: number) => void;
}) {
  return (
    <Labelled id={props.id} text={props.text}>
      <input
        id={props.id}
        type="number"
        min={1}
        max={props.most}
        value={props.value}
        onChange={(event) => props.onChange(Math.max(1, Math.floor(Number(event.target.value)) || 1))}
        className={classes(line, 'max-w-24 tabular-nums')}
      />
    </Labelled>
  );
}

function Choice<V extends string>(props: {
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
      className={classes(line, 'w-auto!')}
    >
      {props.options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}
