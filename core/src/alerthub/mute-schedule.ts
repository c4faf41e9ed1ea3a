import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { parseMute } from '../schedule/mute.ts';
import { ScheduleError } from '../schedule/schedule.ts';
import { reportScheduleError } from '../schedule/schedule-schema.ts';

/** At the end of a window: nothing, or held triggers that still apply fire once. */
export const muteEnds = ['silent', 'fire'] as const;

const body = {
  displayName: field.displayName(),
  remarks: field.remarks(),
  /** The first window; every repetition has the same length. */
  beginAt: field.dateTime(),
  endAt: field.dateTime(),
  /** RFC 5545 text without a prefix; null for a single window. */
  rrule: field.rrule().nullable().default(null),
  /** Time zone in which the rule repeats; UTC if null. */
  timeZone: field.timeZone().nullable().default(null),
  atEnd: field.choice(muteEnds).default('silent'),
  disabled: field.flag().default(false),
};

/** Maximum length of a window in milliseconds; to silence a trigger permanently, disable it. */
const maxWindowMs = 366 * 86_400_000;

function checkSchedule(payload: z.core.ParsePayload<z.output<z.ZodObject<typeof body>>>): void {
  reportScheduleError(payload, () => {
    const { length } = parseMute(payload.value);
    if (length > maxWindowMs) throw new ScheduleError('endAt', 'rule.muteTooLong');
  });
}

export const muteSchedule = defineResource({
  app: 'alerthub',
  name: 'mute-schedule',
  noun: { en: ['mute schedule', 'mute schedules'], ja: 'ミュートスケジュール' },
  path: '/api/apps/alerthub/scopes/{scopeId}/mute-schedules',
  screen: '/apps/alerthub/scopes/:scopeId/mute-schedules',
  id: 'muteScheduleId',
  title: 'displayName',
  parent: 'scope',
  shape: z.object({
    muteScheduleId: field.uuid(),
    scopeId: field.reference('scope'),
    ...body,
    /** End of the active window. */
    activeUntil: field.dateTime().nullable(),
    /** Beginning of the next window. */
    nextBeginAt: field.dateTime().nullable(),
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: z.object(body).check(checkSchedule),
  verbs: ['list', 'show', 'create', 'edit', 'remove'],
  columns: ['displayName', 'beginAt', 'endAt', 'rrule', 'atEnd', 'disabled', 'activeUntil', 'nextBeginAt'],
  filterable: [
    'muteScheduleId',
    'displayName',
    'beginAt',
    'endAt',
    'atEnd',
    'disabled',
    'createdAt',
    'updatedAt',
  ],
  sortable: [
    'muteScheduleId',
    'displayName',
    'beginAt',
    'endAt',
    'atEnd',
    'disabled',
    'createdAt',
    'updatedAt',
  ],
  defaultSort: 'beginAt',
  unique: ['displayName'],
  permission: 'alerthub:mute-schedules',
});
