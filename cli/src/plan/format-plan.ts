// Formats a plan for a terminal: one line per item, its changes below, deletions in red.

import type { FieldChange } from '@yagura/core/plan/field-changes';
import type { PlanFile } from '@yagura/core/plan/plan-file';
import type { PlanItem } from '@yagura/core/plan/plan-item';
import { isParentPart, planKindNamed } from '@yagura/core/plan/plan-kinds';
import { resourceNoun } from '@yagura/core/resource/resource-noun';
import { cleanJson, cleanLine } from '../terminal/clean.ts';
import type { OutputStream, Terminal } from '../terminal/terminal.ts';

const signs = { create: '+', update: '~', delete: '-' } as const;
const tones = { create: 'success', update: 'warning', delete: 'danger' } as const;
/** Maximum displayed characters of a value. */
const maxValueLength = 200;

export function formatPlan(terminal: Terminal, { steps, counts, kept }: PlanFile): string {
  const stay = kept.map((item) =>
    cleanLine(terminal.t('plan.stays', { name: stepLabel(terminal, item), reason: item.reason })),
  );
  if (steps.length === 0)
    return [
      ...stay,
      terminal.t(stay.length > 0 ? 'plan.nothing-else' : 'plan.nothing'),
      ...leftAloneLine(terminal, counts),
    ].join('\n');
  const lines = steps.flatMap((step) => stepLines(terminal, step));
  return [...lines, ...stay, '', formatCounts(terminal, counts)].join('\n');
}

export function formatCounts(terminal: Terminal, counts: PlanFile['counts']): string {
  return [terminal.t('plan.counts', { ...counts }), ...leftAloneLine(terminal, counts)].join('\n');
}

function leftAloneLine({ t }: Terminal, { leftAlone }: PlanFile['counts']): string[] {
  return leftAlone > 0 ? [t('plan.left-alone', { count: leftAlone })] : [];
}

/** Formats an item as `scope "Shop"`, with its parents. */
export function stepLabel(terminal: Terminal, item: Omit<PlanItem, 'fields'>): string {
  const resource = planKindNamed(item.kind);
  const word = resourceNoun(resource.noun, terminal.language);
  return cleanLine(
    `${word} ${(isParentPart(resource) ? item.parents : [...item.parents, item.name]).map((one) => JSON.stringify(one)).join(' / ')}`,
  );
}

function stepLines(terminal: Terminal, step: PlanFile['steps'][number]): string[] {
  return changeLines(terminal.out, step.operation, stepLabel(terminal, step), step.changes);
}

/** An item with its operation, and for an update each change below it. */
export function changeLines(
  { paint }: OutputStream,
  operation: PlanFile['steps'][number]['operation'],
  label: string,
  changes: readonly FieldChange[],
): string[] {
  const head = paint(tones[operation], `${signs[operation]} ${label}`);
  if (operation !== 'update') return [head];
  return [
    head,
    ...changes.map(
      ({ path, before, after }) =>
        `    ${cleanLine(path)}: ${paint('danger', formatValue(before))} → ${paint('success', formatValue(after))}`,
    ),
  ];
}

function formatValue(value: unknown): string {
  if (value === undefined) return '-';
  const text = cleanJson(value);
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;
}
