// The table has all connections of the diagram, and how they are known.
import { act, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderInRouter } from '../../ui/test/render.tsx';
import type { DiagramEdge, DiagramNode } from './diagram-layout.ts';
import { DiagramTable } from './diagram-table.tsx';

const node = (id: string): DiagramNode => ({
  ...{ id, name: id, note: '', type: 'switch', state: null, vendor: '', terms: [], isSubnet: false },
  ...{ x: 0, y: 0, width: 10, height: 10, container: null, moved: false },
});
const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const evidences = ['measured', 'confirmed', 'inferred'] as const;
const edges = ids.slice(1).map(
  (to, at): DiagramEdge => ({
    ...{ id: to, from: 'a', to, label: at === 0 ? '' : `Gi${at}`, evidence: evidences[at % 3]! },
  }),
);

it('names the first connections of a node, and all of them on demand', async () => {
  const nodes = ids.map(node);
  const byId = new Map(nodes.map((one) => [one.id, one]));
  const { user } = await renderInRouter(
    <DiagramTable nodes={nodes} edges={edges} byId={byId} found={null} name="Layer 2" />,
  );
  const cell = () => screen.getByRole('rowheader', { name: 'a' }).closest('tr')!.lastElementChild!;
  expect(cell().textContent).toBe(
    'b, c (Gi1 · Reported by both ends), d (Gi2 · Inferred from a table), e (Gi3) … Show all 6',
  );
  await user.click(screen.getByRole('button', { name: 'Show all 6: a' }));
  expect(cell().textContent).toMatch(/e \(Gi3\), f \(Gi4 · Reported by both ends\), g \(Gi5 · .*\)$/);
  expect(screen.queryByRole('button')).toBeNull();
  expect(cell().contains(document.activeElement)).toBe(true);
});

it('shows all nodes on demand, and the focus goes to the first of the others', async () => {
  const many = Array.from({ length: 60 }, (_, index) => node(`n${index}`));
  const byId = new Map(many.map((one) => [one.id, one]));
  const { user } = await renderInRouter(
    <DiagramTable nodes={many} edges={[]} byId={byId} found={null} name="Layer 2" />,
  );
  await user.click(screen.getByRole('button', { name: 'Show all 60' }));
  expect(screen.getAllByRole('rowheader')).toHaveLength(60);
  expect(document.activeElement?.textContent).toBe('n50');
});

it('has all nodes and connections on paper, where no button can ask for them', async () => {
  const many = [...ids, ...Array.from({ length: 60 }, (_, index) => `n${index}`)].map(node);
  const byId = new Map(many.map((one) => [one.id, one]));
  await renderInRouter(<DiagramTable nodes={many} edges={edges} byId={byId} found={null} name="Layer 2" />);
  expect(screen.getAllByRole('rowheader')).toHaveLength(50);
  const print = (type: string) => act(() => void window.dispatchEvent(new Event(type)));
  print('beforeprint');
  expect(screen.getAllByRole('rowheader')).toHaveLength(many.length);
  expect(screen.queryByRole('button')).toBeNull();
  print('afterprint');
  expect(screen.getAllByRole('rowheader')).toHaveLength(50);
});
