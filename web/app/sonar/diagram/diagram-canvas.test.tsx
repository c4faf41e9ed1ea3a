// What is drawn of a node depends on the zoom level and on whether it is near the view.
import { expect, it, vi } from 'vitest';
import { renderInRouter } from '../../ui/test/render.tsx';
import { DiagramCanvas } from './diagram-canvas.tsx';
import type { DiagramNode, ViewBox } from './diagram-layout.ts';
import type { Viewport } from './use-viewport.ts';

const columns = 20;
const node = (index: number, container: string | null): DiagramNode => ({
  ...{ id: `n${index}`, name: `node-${index}`, note: `10.0.0.${index}`, type: 'server', state: 'stable' },
  ...{ x: (index % columns) * 200, y: Math.floor(index / columns) * 80, width: 180, height: 52 },
  ...{ container, isSubnet: false, moved: false, vendor: '', terms: [] },
});

async function draw(options: {
  count: number;
  container?: string | null;
  view?: ViewBox;
  scale: number | null;
}) {
  const { count, container = 'subnet', scale } = options;
  const nodes = Array.from({ length: count }, (_, index) => node(index, container));
  const view = options.view ?? { x: 0, y: 0, width: columns * 200, height: Math.ceil(count / columns) * 80 };
  const viewport = { view, scale, isWhole: true, reveal: vi.fn() } as unknown as Viewport;
  const { container: page } = await renderInRouter(
    <DiagramCanvas
      {...{ svg: { current: null }, viewport, nodes, edges: [], selected: null, found: null }}
      {...{ byId: new Map(nodes.map((one) => [one.id, one])), mayMove: false, name: 'Layer 3' }}
      {...{ onSelect: vi.fn(), onOpen: vi.fn(), onMove: vi.fn() }}
    />,
  );
  return {
    texts: page.querySelectorAll('svg text').length,
    icons: page.querySelectorAll('svg [data-node] > g').length,
    labels: page.querySelectorAll('svg [role=button][aria-label*="node-"]').length,
  };
}

it('draws everything of a diagram that can be read', async () => {
  expect(await draw({ count: 40, scale: 1 })).toEqual({ texts: 80, icons: 40, labels: 40 });
  // Before the size of the page is known, as on the server.
  expect(await draw({ count: 40, scale: null })).toEqual({ texts: 80, icons: 40, labels: 40 });
});

it('leaves out texts that are too small, but names of what nothing contains', async () => {
  expect(await draw({ count: 40, scale: 0.3 })).toEqual({ texts: 0, icons: 40, labels: 40 });
  expect(await draw({ count: 40, scale: 0.3, container: null })).toEqual({ texts: 40, icons: 0, labels: 40 });
});

it('draws the shapes of a large diagram, and the texts near the view', async () => {
  const whole = { x: 0, y: 0, width: 4400, height: 1600 };
  expect(await draw({ count: 400, scale: null, view: whole })).toEqual({ texts: 0, icons: 0, labels: 400 });
  // Columns 4 to 19 and rows 3 to 18 are in the view or touch what is near it.
  const view = { x: 1800, y: 640, width: 1000, height: 400 };
  const near = 16 * 16;
  expect(await draw({ count: 400, scale: 1, view })).toEqual({ texts: 2 * near, icons: near, labels: 400 });
});
