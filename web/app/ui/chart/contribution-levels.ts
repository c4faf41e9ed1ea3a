// How counts per day become the levels of a contribution grid, and its weeks.

export interface DayCount {
  /** yyyy-MM-dd. */
  date: string;
  count: number;
}

/** 0 for nothing, else 1 to 4 by quarters of the largest count (spec section 9). */
export function levelOf(count: number, largest: number): 0 | 1 | 2 | 3 | 4 {
  if (count <= 0 || largest <= 0) return 0;
  return Math.min(4, Math.ceil((count / largest) * 4)) as 1 | 2 | 3 | 4;
}

/** Days in weeks from Monday to Sunday; null where the range has no day. The days are in order and without gaps. */
export function weeksOf(days: readonly DayCount[]): (DayCount | null)[][] {
  const first = days[0];
  if (!first) return [];
  const lead = (new Date(`${first.date}T00:00:00Z`).getUTCDay() + 6) % 7;
  const cells: (DayCount | null)[] = [...Array<null>(lead).fill(null), ...days];
  while (cells.length % 7 !== 0) cells.push(null);
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7));
}
