import type { RunbookStep } from '@yagura/core/alerthub/runbook';
import { expect, it } from 'vitest';
import { edgePath } from './runbook-graph.ts';

const step = (stepId: string, posX: number, posY: number) =>
  ({ stepId, posX: String(posX), posY: String(posY) }) as RunbookStep;

it('draws an edge upward beside the steps that it passes', () => {
  const [top, middle, bottom] = [step('top', 0, 0), step('middle', 232, 104), step('bottom', 0, 208)];
  const far = step('far', 900, 900);
  const { path } = edgePath({ from: bottom, to: top, branch: 'next' }, [top, middle, bottom, far]);
  const rightOfMiddle = 232 + 176;
  const xs = [...path.matchAll(/[MLQ ]([\d.]+) [\d.-]+/g)].map(([, x]) => Number(x));
  expect(Math.max(...xs)).toBeGreaterThan(rightOfMiddle);
  expect(Math.max(...xs)).toBeLessThan(900);
});

it('draws an edge to a step beside it through the gap between them', () => {
  const [left, right] = [step('left', 0, 0), step('right', 232, 0)];
  const steps = [left, right];
  const middle = (176 + 232) / 2;
  for (const edge of [
    { from: left, to: right, branch: 'next' as const },
    { from: right, to: left, branch: 'next' as const },
  ])
    expect(edgePath(edge, steps).path).toContain(`Q${middle} -20 `);
});

it('draws an edge downward from the bottom to the top', () => {
  const edge = { from: step('a', 0, 0), to: step('b', 0, 104), branch: 'next' as const };
  expect(edgePath(edge, [edge.from, edge.to]).path).toBe('M88 56C88 80 88 80 88 104');
});
