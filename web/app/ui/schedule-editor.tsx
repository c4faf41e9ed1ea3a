// When something runs: once, or every day, week or month at a time of day in a zone; the sentence below says it in words.

import { formatFieldDateTime, parseFieldDateTime } from '@yagura/core/format/date-time';
import { refusalText } from '@yagura/core/rules/refusal';
import { type WeekDay, weekDays } from '@yagura/core/rules/week-day';
import {
  ScheduleError,
  type ScheduleKind,
  scheduleKind,
  type Timing,
  weekDaysOf,
} from '@yagura/core/schedule/schedule';
import { clockText, scheduleSentence } from '@yagura/core/schedule/schedule-sentence';
import { useId, useState } from 'react';
import { classes } from './classes.ts';
import { controlClass } from './field-frame.tsx';
import { jsonName } from './form-data.ts';
import { Labelled } from './labelled.tsx';
import { TimeZoneSelect } from './time-zone-select.tsx';
import { WeekdayGroup } from './weekday-group.tsx';
import { useTranslation } from './words.tsx';

const kinds: ScheduleKind[] = ['oneshot', 'daily', 'weekly', 'monthly'];
const frequencies = { daily: 'day', weekly: 'week', monthly: 'month' } as const;

interface Draft {
  kind: ScheduleKind;
  /** yyyy/MM/dd HH:mm in the page's zone. */
  moment: string;
  /** HH:mm. */
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
  // Begun anew when the browser has told its zone: a wall-clock time of another zone would be another moment.
  return <Editor key={timeZone} {...props} />;
}

function Editor(props: Props) {
  const words = useTranslation();
  const { t, timeZone, language } = words;
  const id = useId();
  const [draft, setDraft] = useState<Draft>(() => draftOf(props.value ?? {}, timeZone));
  const timing = timingOf(draft, timeZone);

  function change(part: Partial<Draft>) {
    const next = { ...draft, ...part };
    setDraft(next);
    props.onChange?.(timingOf(next, timeZone));
  }

  const { sentence, problem } = judge(timing, (value) => scheduleSentence(value, { language, timeZone }, t));
  const line = classes(controlClass, 'h-8');
  return (
    <div className="grid gap-3">
      <input type="hidden" name={jsonName('oneshot')} value={JSON.stringify(timing.oneshot ?? null)} />
      <input type="hidden" name={jsonName('recurrence')} value={JSON.stringify(timing.recurrence ?? null)} />
      <Labelled id={`${id}-kind`} text={t('ui.schedule-kind')}>
        <select
          id={`${id}-kind`}
          value={draft.kind}
          onChange={(event) => change({ kind: kinds.find((kind) => kind === event.target.value) })}
          className={classes(line, 'max-w-48')}
        >
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {t(`ui.schedule-${kind}`)}
            </option>
          ))}
        </select>
      </Labelled>
      {draft.kind === 'oneshot' ? (
        <Labelled id={`${id}-moment`} text={t('ui.schedule-moment', { zone: timeZone })}>
          <input
            id={`${id}-moment`}
            value={draft.moment}
            placeholder="yyyy/MM/dd HH:mm"
            inputMode="numeric"
            autoComplete="off"
            onChange={(event) => change({ moment: event.target.value })}
            className={classes(line, 'max-w-72 tabular-nums')}
          />
        </Labelled>
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
            <Labelled id={`${id}-day`} text={t('ui.schedule-day')}>
              <input
                id={`${id}-day`}
                type="number"
                min={1}
                max={31}
                value={draft.day}
                onChange={(event) => change({ day: Number(event.target.value) })}
                className={classes(line, 'max-w-24 tabular-nums')}
              />
            </Labelled>
          )}
          <Labelled id={`${id}-time`} text={t('ui.schedule-time')}>
            <input
              id={`${id}-time`}
              value={draft.time}
              placeholder="HH:mm"
              inputMode="numeric"
              autoComplete="off"
              maxLength={5}
              onChange={(event) => change({ time: event.target.value })}
              className={classes(line, 'max-w-24 tabular-nums')}
            />
          </Labelled>
          <Labelled id={`${id}-zone`} text={t('ui.schedule-zone')}>
            <TimeZoneSelect
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
          </Labelled>
        </>
      )}
      <p role="status" className={classes('text-sm', problem ? 'text-danger-fg' : 'text-muted')}>
        {problem ? refusalText(problem, t) : sentence}
      </p>
    </div>
  );
}

/** The sentence of a timing, or why it has none. */
function judge(timing: Timing, tell: (timing: Timing) => string) {
  try {
    scheduleKind(timing);
    return { sentence: tell(timing), problem: undefined };
  } catch (error) {
    if (error instanceof ScheduleError) return { sentence: '', problem: error.refusal };
    throw error;
  }
}

function draftOf(timing: Timing, timeZone: string): Draft {
  const { recurrence, oneshot } = timing;
  const kind = oneshot
    ? 'oneshot'
    : (kinds.find((name) => name !== 'oneshot' && frequencies[name] === recurrence?.frequency) ?? 'daily');
  return {
    kind,
    moment: oneshot ? formatFieldDateTime(oneshot, timeZone) : '',
    time: clockText(recurrence?.hour ?? 9, recurrence?.minute ?? 0),
    zone: recurrence?.timeZone ?? timeZone,
    days: recurrence ? [...weekDaysOf(recurrence)] : [weekDays[0]],
    day: recurrence?.day ?? 1,
  };
}

function timingOf(draft: Draft, timeZone: string): Timing {
  if (draft.kind === 'oneshot') {
    return { oneshot: parseFieldDateTime(draft.moment.trim(), timeZone) ?? draft.moment, recurrence: null };
  }
  const typed = /^(\d{1,2}):(\d{2})$/.exec(draft.time.trim());
  const [hour, minute] = typed ? [Number(typed[1]), Number(typed[2])] : [Number.NaN, Number.NaN];
  return {
    oneshot: null,
    recurrence: {
      frequency: frequencies[draft.kind],
      hour,
      minute,
      timeZone: draft.zone,
      ...(draft.kind === 'weekly' ? { weekDay: draft.days } : {}),
      ...(draft.kind === 'monthly' ? { day: draft.day } : {}),
    },
  };
}
