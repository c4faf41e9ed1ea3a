// The graph of a runbook while it is edited: positions, ways between steps, and an arrangement by itself.
import type { RunbookGraph, RunbookStep } from '@yagura/core/alerthub/runbook';

export const nodeSize = { width: 176, height: 56 };
const gap = { x: 232, y: 104 };

export type Way = 'next' | 'nextTrue' | 'nextFalse';

export interface Edge {
  from: RunbookStep;
  to: RunbookStep;
  way: Way;
}

export function waysOf(step: RunbookStep): Way[] {
  return step.kind === 'branch' ? ['nextTrue', 'nextFalse'] : ['next'];
}

export function edgesOf(steps: readonly RunbookStep[]): Edge[] {
  const byId = new Map(steps.map((step) => [step.stepId, step]));
  return steps.flatMap((from) =>
    waysOf(from).flatMap((way) => {
      const to = byId.get(from[way] ?? '');
      return to ? [{ from, to, way }] : [];
    }),
  );
}

export type GraphChange =
  | { kind: 'add'; step: RunbookStep }
  | { kind: 'set'; stepId: string; change: Partial<RunbookStep> }
  | { kind: 'remove'; stepId: string }
  | { kind: 'start'; stepId: string }
  | { kind: 'arrange' };

/** Untouched positions keep the very digits they came with. */
export function changeGraph(graph: RunbookGraph, change: GraphChange): RunbookGraph {
  const { startStepId, steps } = graph;
  switch (change.kind) {
    case 'add':
      return { startStepId: startStepId ?? change.step.stepId, steps: [...steps, change.step] };
    case 'set': {
      const renamed = change.change.stepId;
      const rename = (id: string | null) => (renamed !== undefined && id === change.stepId ? renamed : id);
      return {
        startStepId: rename(startStepId),
        steps: steps.map((step) => ({
          ...step,
          ...(step.stepId === change.stepId ? change.change : {}),
          next: rename(wayOf(step, change, 'next')),
          nextTrue: rename(wayOf(step, change, 'nextTrue')),
          nextFalse: rename(wayOf(step, change, 'nextFalse')),
        })),
      };
    }
    case 'remove': {
      const without = (id: string | null) => (id === change.stepId ? null : id);
      const left = steps.filter((step) => step.stepId !== change.stepId);
      return {
        startStepId: without(startStepId) ?? left[0]?.stepId ?? null,
        steps: left.map((step) => ({
          ...step,
          next: without(step.next),
          nextTrue: without(step.nextTrue),
          nextFalse: without(step.nextFalse),
        })),
      };
    }
    case 'start':
      return { startStepId: change.stepId, steps };
    case 'arrange':
      return { startStepId, steps: arranged(graph) };
  }
}

function wayOf(step: RunbookStep, change: GraphChange & { kind: 'set' }, way: Way): string | null {
  const given = step.stepId === change.stepId ? change.change[way] : undefined;
  return given === undefined ? step[way] : given;
}

/** A new step beside the others, with an id that none of them has. */
export function newStep(graph: RunbookGraph, kind: RunbookStep['kind']): RunbookStep {
  const taken = new Set(graph.steps.map((step) => step.stepId));
  let number = 1;
  while (taken.has(`${kind}-${number}`)) number += 1;
  const lowest = Math.max(-gap.y, ...graph.steps.map((step) => Number(step.posY)));
  return {
    stepId: `${kind}-${number}`,
    kind,
    displayName: '',
    posX: '0',
    posY: String(Math.round(lowest + gap.y)),
    params: kind === 'action' ? { wait: false } : kind === 'event' ? { delta: 1 } : {},
    next: null,
    nextTrue: null,
    nextFalse: null,
    maxVisits: null,
  };
}

/** Rows by distance from the first step, each row from left to right in the order of the ways. */
function arranged({ startStepId, steps }: RunbookGraph): RunbookStep[] {
  const depth = new Map<string, number>();
  const byId = new Map(steps.map((step) => [step.stepId, step]));
  const queue = startStepId === null ? [] : [startStepId];
  if (startStepId !== null) depth.set(startStepId, 0);
  for (let at = 0; at < queue.length; at += 1) {
    const step = byId.get(queue[at]!);
    for (const way of step ? waysOf(step) : []) {
      const target = step![way];
      if (target === null || depth.has(target) || !byId.has(target)) continue;
      depth.set(target, depth.get(step!.stepId)! + 1);
      queue.push(target);
    }
  }
  const last = Math.max(0, ...depth.values()) + 1;
  const columns = new Map<number, number>();
  const place = new Map<string, { row: number; column: number }>();
  for (const id of [...queue, ...steps.map((step) => step.stepId)]) {
    if (place.has(id)) continue;
    const row = depth.get(id) ?? last;
    const column = columns.get(row) ?? 0;
    columns.set(row, column + 1);
    place.set(id, { row, column });
  }
  return steps.map((step) => {
    const { row, column } = place.get(step.stepId)!;
    return { ...step, posX: String(column * gap.x), posY: String(row * gap.y) };
  });
}
