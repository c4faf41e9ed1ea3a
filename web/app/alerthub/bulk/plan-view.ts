// Determines from the URL which view of a plan to show.
import { planOperations } from '@yagura/core/alerthub/bulk/bulk-job';

export const planViews = ['all', ...planOperations, 'errors'] as const;
export type PlanViewName = (typeof planViews)[number];

/** Returns the requested view; the default is the errors if there are any, else all rows. */
export function planView(requested: string | null, errorCount: number): PlanViewName {
  return planViews.find((view) => view === requested) ?? (errorCount > 0 ? 'errors' : 'all');
}

/** Returns the column names of the view's table. */
export function planColumnNames(view: PlanViewName): string[] {
  return view === 'errors' ? ['line', 'column', 'reason'] : ['line', 'operation', 'key', 'name', 'changes'];
}
