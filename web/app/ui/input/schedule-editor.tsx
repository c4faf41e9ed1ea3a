// Schedule input: once, or daily, weekly or monthly at a time of day in a time zone; a sentence below
// describes it.

import { formatFieldDateTime, readFieldDateTime } from '@yagura/core/format/date-time';
import {
  ScheduleError,
  type ScheduleKind,
  scheduleKind,
  type Timing,
  weekDaysOf,
} from '@yagura/core/schedule/schedule';
import { clockText, scheduleSentence } from '@yagura/core/schedule/schedule-sentence';
import { type WeekDay, weekDays } from '@yagura/core/time/week-day';
import { formatViolation } from '@yagura/core/validation/violation';
import { useId, useState } from 'react';
import { classNames } from '../class-names.ts';
import { controlClass } from '../field/field-frame.tsx';
import { jsonInputName } from '../field/form-data.ts';
import { LabelledPart } from '../field/labelled-part.tsx';
import { type Translation, useTranslation } from '../translation.tsx';
import { TimeZoneInput } from './time-zone-input.tsx';
import { WeekdayGroup } from './weekday-group.tsx';

const kinds: ScheduleKind[] = ['oneshot', 'daily', 'weekly', 'monthly'];
const frequencies = { daily: 'day', weekly: 'week', monthly: 'month' } as const;

interface ScheduleDraft {
  kind: ScheduleKind;
  /** yyyy/MM/dd HH:mm in the page's time zone. */
  dateTime: string;
  /** The instant that it showed at first. */
  shown: string | undefined;
  /** As typed; see `readClock`. */
  time: string;
  zone: string;
  days: WeekDay[];
  day: number;
}

interface Props {
  value?: Timing;
  onChange?: (timing: Timing) => void;
}

/** Posts `oneshot` and `recurrence`, one of them null. */
export function ScheduleEditor(props: Props) {
  const { timeZone } = useTranslation();
  // Remounted when the browser has reported its time zone: the same local time would be another instant.
  return <Editor key={timeZone} {...props} />;
}

function Editor(props: Props) {
  const translation = useTranslation();
  const { t, timeZone, language } = translation;
  const id = useId();
  const [draft, setDraft] = useState<ScheduleDraft>(() => toDraft(props.value ?? {}, timeZone));
  const timing = toTiming(draft, timeZone);

  function change(part: Partial<ScheduleDraft>) {
    const next = { ...draft, ...part };
    setDraft(next);
    props.onChange?.(toTiming(next, timeZone));
  }

  const problem = findProblem(draft, timing, translation);
  const line = classNames(controlClass, 'h-8');
  return (
    <div className="grid gap-3">
      <input type="hidden" name={jsonInputName('oneshot')} value={JSON.stringify(timing.oneshot ?? null)} />
      <input
        type="hidden"
        name={jsonInputName('recurrence')}
        value={JSON.stringify(timing.recurrence ?? null)}
      />
      <LabelledPart id={`${id}-kind`} text={t('ui.schedule-kind')}>
        <select
          id={`${id}-kind`}
          value={draft.kind}
          onChange={(event) => change({ kind: kinds.find((kind) => kind === event.target.value) })}
          className={classNames(line, 'max-w-48')}
        >
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {t(`ui.schedule-${kind}`)}
            </option>
          ))}
        </select>
      </LabelledPart>
      {draft.kind === 'oneshot' ? (
        <LabelledPart id={`${id}-moment`} text={t('ui.schedule-moment', { zone: timeZone })}>
          <input
            id={`${id}-moment`}
            value={draft.dateTime}
            placeholder="yyyy/MM/dd HH:mm"
            inputMode="numeric"
            autoComplete="off"
            onChange={(event) => change({ dateTime: event.target.value })}
            className={classNames(line, 'max-w-[290px] tabular-nums md:max-w-150')}
          />
        </LabelledPart>
      ) : (
        <>
          {draft.kind === 'weekly' && (
            <WeekdayGroup
              frame={{ name: `${id}-days`, label: t('ui.schedule-days'), required: true }}
              value={draft.days}
              onChange={(days) => change({ days })}
            />
          )}
          {draft.kind === 'monthly' && (
            <LabelledPart id={`${id}-day`} text={t('ui.schedule-day')}>
              <input
                id={`${id}-day`}
                type="number"
                min={1}
                max={31}
                value={draft.day}
                onChange={(event) => change({ day: Number(event.target.value) })}
                className={classNames(line, 'max-w-24 tabular-nums')}
              />
            </LabelledPart>
          )}
          <LabelledPart id={`${id}-time`} text={t('ui.schedule-time')}>
            <input
              id={`${id}-time`}
              value={draft.time}
              placeholder="HH:mm"
              inputMode="numeric"
              autoComplete="off"
              maxLength={8}
              onChange={(event) => change({ time: event.target.value })}
              className={classNames(line, 'max-w-24 tabular-nums')}
            />
          </LabelledPart>
          <LabelledPart id={`${id}-zone`} text={t('ui.schedule-zone')}>
            <TimeZoneInput
              control={{
                id: `${id}-zone`,
                name: '',
                'aria-invalid': undefined,
                'aria-describedby': undefined,
                'aria-required': true,
              }}
              value={draft.zone}
              required
              onChange={(zone) => change({ zone })}
            />
          </LabelledPart>
        </>
      )}
      <p role="status" className={classNames('text-sm', problem ? 'text-danger-fg' : 'text-muted')}>
        {problem ?? scheduleSentence(timing, { language, timeZone }, t)}
      </p>
    </div>
  );
}

/** Returns what is wrong with what was typed; undefined if it is a schedule. */
function findProblem(draft: ScheduleDraft, timing: Timing, { t, timeZone }: Translation): string | undefined {
  if (draft.kind !== 'oneshot' && !readClock(draft)) return t('rule.time');
  if (draft.kind === 'oneshot' && !readFieldDateTime(draft.dateTime.trim(), timeZone))
    return t('ui.date-time-bad');
  try {
    scheduleKind(timing);
    return undefined;
  } catch (error) {
    if (error instanceof ScheduleError) return formatViolation(error.violation, t);
    throw error;
  }
}

function toDraft(timing: Timing, timeZone: string): ScheduleDraft {
  const { recurrence, oneshot } = timing;
  const kind = oneshot
    ? 'oneshot'
    : (kinds.find((name) => name !== 'oneshot' && frequencies[name] === recurrence?.frequency) ?? 'daily');
  return {
    kind,
    dateTime: oneshot ? formatFieldDateTime(oneshot, timeZone) : '',
    shown: oneshot ?? undefined,
    time: clockText(recurrence?.hour ?? 9, recurrence?.minute ?? 0),
    zone: recurrence?.timeZone ?? timeZone,
    days: recurrence ? [...weekDaysOf(recurrence)] : [weekDays[0]],
    day: recurrence?.day ?? 1,
  };
}

function toTiming(draft: ScheduleDraft, timeZone: string): Timing {
  if (draft.kind === 'oneshot') {
    return {
      oneshot: readFieldDateTime(draft.dateTime.trim(), timeZone, draft.shown) ?? draft.dateTime,
      recurrence: null,
    };
  }
  const { hour, minute, days, day } = readClock(draft) ?? { ...draft, hour: Number.NaN, minute: Number.NaN };
  return {
    oneshot: null,
    recurrence: {
      frequency: frequencies[draft.kind],
      hour,
      minute,
      timeZone: draft.zone,
      ...(draft.kind === 'weekly' ? { weekDay: days } : {}),
      ...(draft.kind === 'monthly' ? { day } : {}),
    },
  };
}

/**
 * Reads HH:MM or HH:MM:00. 24:00 is 00:00 of the days after the given ones; undefined also if no day of every month is
 * the one after.
 */
function readClock({ kind, time, days, day }: ScheduleDraft) {
  const found = /^(\d{1,2}):([0-5]\d)(?::00)?$/.exec(time.trim());
  const [hour, minute] = [Number(found?.[1]), Number(found?.[2])];
  if (hour <= 23) return { hour, minute, days, day };
  if (hour !== 24 || minute !== 0) return undefined;
  // Day 31 stands for the last day of a month, whose next is the first; for others before it, that depends on the month.
  const dayAfter = day === 31 ? 1 : day >= 1 && day < 28 ? day + 1 : undefined;
  if (kind === 'monthly' && dayAfter === undefined) return undefined;
  const daysAfter = weekDays.filter((_day, index) => days.includes(weekDays.at(index - 1)!));
  return { hour: 0, minute: 0, days: daysAfter, day: dayAfter ?? day };
}
