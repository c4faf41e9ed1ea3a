// Days of the week.

/** Names used in schedules, Monday first as in the picker. */
export const weekDays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
export type WeekDay = (typeof weekDays)[number];

export function isWeekDay(value: unknown): value is WeekDay {
  return (weekDays as readonly unknown[]).includes(value);
}
