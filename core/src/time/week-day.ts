// Days of the week.

/** As schedules write them, Monday first as the picker shows them. */
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
