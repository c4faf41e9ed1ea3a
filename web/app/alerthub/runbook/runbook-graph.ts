// State changes of a runbook graph in the editor: positions, edges and automatic layout.
import type { RunbookGraph, RunbookStep } from '@yagura/core/alerthub/runbook';

export const nodeSize = { width: 176, height: 56 };
const layoutGap = { x: 232, y: 104 };

export type Branch = 'next' | 'nextTrue' | 'nextFalse';

export interface RunbookEdge {
  from: RunbookStep;
  to: RunbookStep;
  branch: Branch;
}

export function branchesOf(step: RunbookStep): Branch[] {
  return step.kind === 'branch' ? ['nextTrue', 'nextFalse'] : ['next'];
}

export function edgesOf(steps: readonly RunbookStep[]): RunbookEdge[] {
  const byId = new Map(steps.map((step) => [step.stepId, step]));
  return steps.flatMap((from) =>
    branchesOf(from).flatMap((branch) => {
      const to = byId.get(from[branch] ?? '');
      return to ? [{ from, to, branch }] : [];
    }),
  );
}

export type GraphChange =
  | { kind: 'add'; step: RunbookStep }
  | { kind: 'set'; stepId: string; change: Partial<RunbookStep> }
  | { kind: 'remove'; stepId: string }
  | { kind: 'start'; stepId: string }
  | { kind: 'arrange' };

/** Positions that are not changed keep their exact digits. */
export function graphReducer(graph: RunbookGraph, change: GraphChange): RunbookGraph {
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
          next: rename(branchTarget(step, change, 'next')),
          nextTrue: rename(branchTarget(step, change, 'nextTrue')),
          nextFalse: rename(branchTarget(step, change, 'nextFalse')),
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
      return { startStepId, steps: arrangeSteps(graph) };
  }
}

function branchTarget(
  step: RunbookStep,
  change: GraphChange & { kind: 'set' },
  branch: Branch,
): string | null {
  const changed = step.stepId === change.stepId ? change.change[branch] : undefined;
  return changed === undefined ? step[branch] : changed;
}

/** Returns a new step placed beside the others, with an unused id. */
export function createStep(graph: RunbookGraph, kind: RunbookStep['kind']): RunbookStep {
  const taken = new Set(graph.steps.map((step) => step.stepId));
  let number = 1;
  while (taken.has(`${kind}-${number}`)) number += 1;
  const lowest = Math.max(-layoutGap.y, ...graph.steps.map((step) => Number(step.posY)));
  return {
    stepId: `${kind}-${number}`,
    kind,
    displayName: '',
    posX: '0',
    posY: String(Math.round(lowest + layoutGap.y)),
    params: kind === 'action' ? { wait: false } : kind === 'event' ? { delta: 1 } : {},
    next: null,
    nextTrue: null,
    nextFalse: null,
    maxVisits: null,
  };
}

/** Arranges the steps in rows by distance from the first step, each row from left to right in edge order. */
function arrangeSteps({ startStepId, steps }: RunbookGraph): RunbookStep[] {
  const depth = new Map<string, number>();
  const byId = new Map(steps.map((step) => [step.stepId, step]));
  const queue = startStepId === null ? [] : [startStepId];
  if (startStepId !== null) depth.set(startStepId, 0);
  for (let index = 0; index < queue.length; index += 1) {
    const step = byId.get(queue[index]!);
    for (const branch of step ? branchesOf(step) : []) {
      const target = step![branch];
      if (target === null || depth.has(target) || !byId.has(target)) continue;
      depth.set(target, depth.get(step!.stepId)! + 1);
      queue.push(target);
    }
  }
  const last = Math.max(0, ...depth.values()) + 1;
  const columns = new Map<number, number>();
  const positions = new Map<string, { row: number; column: number }>();
  for (const id of [...queue, ...steps.map((step) => step.stepId)]) {
    if (positions.has(id)) continue;
    const row = depth.get(id) ?? last;
    const column = columns.get(row) ?? 0;
    columns.set(row, column + 1);
    positions.set(id, { row, column });
  }
  return steps.map((step) => {
    const { row, column } = positions.get(step.stepId)!;
    return { ...step, posX: String(column * layoutGap.x), posY: String(row * layoutGap.y) };
  });
}
