// State changes of a runbook graph in the editor: positions, edges and automatic layout.
import type { RunbookGraph, RunbookStep } from '@yagura/core/alerthub/runbook';
import { type ParamFormats, renameReferences } from './rename-references.ts';

export const nodeSize = { width: 176, height: 56 };
const layoutGap = { x: 232, y: 104 };
/** Distance between steps and an arrow that goes around them; less than half of the gap between rows. */
const sideGap = 20;

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
  /** Also renames it where other steps refer to it; `formatsOf` returns the formats of a step's parameters. */
  | { kind: 'rename'; stepId: string; to: string; formatsOf: (step: RunbookStep) => ParamFormats }
  | { kind: 'remove'; stepId: string }
  | { kind: 'start'; stepId: string }
  | { kind: 'arrange' };

/** Positions that are not changed keep their exact digits. */
export function graphReducer(graph: RunbookGraph, change: GraphChange): RunbookGraph {
  const { startStepId, steps } = graph;
  switch (change.kind) {
    case 'add':
      return { startStepId: startStepId ?? change.step.stepId, steps: [...steps, change.step] };
    case 'set':
      return {
        startStepId,
        steps: steps.map((step) => (step.stepId === change.stepId ? { ...step, ...change.change } : step)),
      };
    case 'rename': {
      const { stepId, to, formatsOf } = change;
      const rename = (id: string | null) => (id === stepId ? to : id);
      return {
        startStepId: rename(startStepId),
        steps: steps.map((step) => ({
          ...step,
          stepId: rename(step.stepId)!,
          params: renameReferences(step.params, stepId, to, formatsOf(step)),
          next: rename(step.next),
          nextTrue: rename(step.nextTrue),
          nextFalse: rename(step.nextFalse),
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

/**
 * Path of the arrow of an edge in the coordinates of the steps. It leaves at the bottom and arrives at the top; one that
 * leads upward goes around the steps between, since arrows are drawn behind steps.
 */
export function edgePath({ from, to, branch }: RunbookEdge, steps: readonly RunbookStep[]) {
  const share = branch === 'nextTrue' ? 0.3 : branch === 'nextFalse' ? 0.7 : 0.5;
  const x1 = Number(from.posX) + nodeSize.width * share;
  const y1 = Number(from.posY) + nodeSize.height;
  const x2 = Number(to.posX) + nodeSize.width / 2;
  const y2 = Number(to.posY);
  const start = { x: x1, y: y1 };
  if (y2 >= y1) {
    const bend = Math.max(24, (y2 - y1) / 2);
    return { start, path: `M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}` };
  }
  const side = gapBetween(from, to) ?? rightOf(steps, y2, y1);
  const [below, above] = [y1 + sideGap, y2 - sideGap];
  const corners = [
    [x1, below],
    [side, below],
    [side, above],
    [x2, above],
  ] as const;
  return { start, path: roundedPath([[x1, y1], ...corners, [x2, y2]]) };
}

/** Middle of the gap between two steps side by side; undefined if there is none. */
function gapBetween(one: RunbookStep, other: RunbookStep): number | undefined {
  if (Math.abs(Number(one.posY) - Number(other.posY)) >= nodeSize.height) return undefined;
  const [left, right] = [Number(one.posX), Number(other.posX)].sort((a, b) => a - b) as [number, number];
  const width = right - left - nodeSize.width;
  return width >= sideGap ? right - width / 2 : undefined;
}

/** Beside all steps between two heights. */
function rightOf(steps: readonly RunbookStep[], top: number, bottom: number): number {
  const passed = steps.filter(({ posY }) => Number(posY) + nodeSize.height >= top && Number(posY) <= bottom);
  return Math.max(...passed.map(({ posX }) => Number(posX) + nodeSize.width)) + sideGap;
}

type Point = readonly [x: number, y: number];

function roundedPath(points: readonly Point[]): string {
  /** The point on the way from a corner to its neighbor where the curve ends. */
  const towards = ([x, y]: Point, [toX, toY]: Point): string => {
    const length = Math.hypot(toX - x, toY - y);
    const share = length === 0 ? 0 : Math.min(sideGap, length / 2) / length;
    return `${x + (toX - x) * share} ${y + (toY - y) * share}`;
  };
  const curves = points.slice(1, -1).map((corner, index) => {
    const [before, after] = [points[index]!, points[index + 2]!];
    return `L${towards(corner, before)}Q${corner.join(' ')} ${towards(corner, after)}`;
  });
  return `M${points[0]!.join(' ')}${curves.join('')}L${points.at(-1)!.join(' ')}`;
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
