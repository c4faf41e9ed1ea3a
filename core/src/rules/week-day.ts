// Days of the week.
import type { Refusal } from './refusal.ts';

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

/** Refuses anything but a list of at least one day, each once. */
export function checkWeekDays(value: unknown): Refusal | undefined {
  if (!Array.isArray(value) || value.length === 0) return { word: 'rule.weekDays' };
  if (!value.every(isWeekDay)) return { word: 'rule.oneOf', options: [...weekDays] };
  return new Set(value).size === value.length ? undefined : { word: 'rule.unique' };
}
