// A plan for a person: one line for each item, its changes below, deletions in red.

import { nounWithin } from '@yagura/core/format/noun';
import type { PlanFile } from '@yagura/core/plan/plan-file';
import type { PlanItem } from '@yagura/core/plan/plan-item';
import { isPart, planKindNamed } from '@yagura/core/plan/plan-kinds';
import { cleanJson, cleanLine } from '../term/clean.ts';
import type { Terminal } from '../term/terminal.ts';

const signs = { create: '+', update: '~', delete: '-' } as const;
const tones = { create: 'success', update: 'warning', delete: 'danger' } as const;
/** Characters of a value that are shown. */
const max = 200;

export function planText(terminal: Terminal, { steps, counts, kept }: PlanFile): string {
  const stay = kept.map((item) =>
    cleanLine(terminal.t('plan.stays', { name: stepName(terminal, item), reason: item.reason })),
  );
  if (steps.length === 0) return [...stay, terminal.t('plan.nothing')].join('\n');
  const lines = steps.flatMap((step) => stepLines(terminal, step));
  return [...lines, ...stay, '', countsText(terminal, counts)].join('\n');
}

export function countsText({ t }: Terminal, counts: PlanFile['counts']): string {
  const text = t('plan.counts', { ...counts });
  return counts.leftAlone > 0 ? `${text}\n${t('plan.left-alone', { count: counts.leftAlone })}` : text;
}

/** `scope "Shop"`, with what holds it. */
export function stepName(terminal: Terminal, item: Omit<PlanItem, 'fields'>): string {
  const resource = planKindNamed(item.kind);
  const word = nounWithin(resource.noun, terminal.language);
  return cleanLine(
    `${word} ${(isPart(resource) ? item.parents : [...item.parents, item.name]).map((one) => JSON.stringify(one)).join(' / ')}`,
  );
}

function stepLines(terminal: Terminal, step: PlanFile['steps'][number]): string[] {
  const { paint } = terminal.out;
  const head = paint(tones[step.operation], `${signs[step.operation]} ${stepName(terminal, step)}`);
  if (step.operation !== 'update') return [head];
  return [
    head,
    ...step.changes.map(
      ({ path, before, after }) =>
        `    ${cleanLine(path)}: ${paint('danger', valueText(before))} → ${paint('success', valueText(after))}`,
    ),
  ];
}

function valueText(value: unknown): string {
  if (value === undefined) return '-';
  const text = cleanJson(value);
  return text.length > max ? `${text.slice(0, max)}…` : text;
}
