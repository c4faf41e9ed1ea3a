// Computes the weeks and levels of a contribution grid from daily counts.

export interface DayCount {
  /** yyyy-MM-dd. */
  date: string;
  count: number;
}

/** Returns 0 for none, else 1 to 4 by quarters of the largest count. */
export function levelOf(count: number, largest: number): 0 | 1 | 2 | 3 | 4 {
  if (count <= 0 || largest <= 0) return 0;
  return Math.min(4, Math.ceil((count / largest) * 4)) as 1 | 2 | 3 | 4;
}

/**
 * Groups days into weeks from Monday to Sunday; null for days outside the range. The days must be
 * consecutive.
 */
export function groupByWeek(days: readonly DayCount[]): (DayCount | null)[][] {
  const first = days[0];
  if (!first) return [];
  const lead = (new Date(`${first.date}T00:00:00Z`).getUTCDay() + 6) % 7;
  const cells: (DayCount | null)[] = [...Array<null>(lead).fill(null), ...days];
  while (cells.length % 7 !== 0) cells.push(null);
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7));
}
