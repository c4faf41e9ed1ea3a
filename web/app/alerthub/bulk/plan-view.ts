// Which part of a plan is on screen, as its address says.
import { planOperations } from '@yagura/core/alerthub/bulk/bulk-job';

export const planViews = ['all', ...planOperations, 'errors'] as const;
export type PlanViewName = (typeof planViews)[number];

/** The view that is asked for; of a file with errors these come first. */
export function planView(requested: string | null, errorCount: number): PlanViewName {
  return planViews.find((view) => view === requested) ?? (errorCount > 0 ? 'errors' : 'all');
}

/** Columns of the table of that view. */
export function planColumnNames(view: PlanViewName): string[] {
  return view === 'errors' ? ['line', 'column', 'reason'] : ['line', 'operation', 'key', 'name', 'changes'];
}
