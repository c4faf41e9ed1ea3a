// The diagram page by keyboard: details, what closes them, and where the focus goes.
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderInRouter } from '../../ui/test/render.tsx';
import type { DiagramNode } from './diagram-layout.ts';
import { DiagramScreen } from './diagram-screen.tsx';

const node = (index: number): DiagramNode => ({
  ...{ id: `n${index}`, name: `web-${index}`, note: `10.0.0.${index}`, type: 'server', state: 'stable' },
  ...{ x: index * 200, y: 0, width: 180, height: 52, href: `/nodes/${index}` },
  ...{ container: null, isSubnet: false, moved: index === 1, vendor: '', terms: [] },
});
const data = {
  ...{ nodes: [node(0), node(1)], edges: [], total: 2, truncated: false, mayMove: true },
  ...{ crumbs: {}, watches: [] },
} as unknown as Parameters<typeof DiagramScreen>[0]['data'];

async function openDetails() {
  const saved: string[] = [];
  const action = (form: FormData) => {
    saved.push(String(form.get('moves')));
    return { saved: true };
  };
  const { user } = await renderInRouter(<DiagramScreen data={data} name="Layer 3" />, { action });
  const tile = (name: string) => screen.getByRole('button', { name: new RegExp(`^${name}, server`) });
  tile('web-0').focus();
  await user.keyboard('{ArrowRight} ');
  expect(document.activeElement).toBe(tile('web-1'));
  return { user, tile, saved, panel: () => screen.queryByRole('region', { name: 'web-1' }) };
}

it('names its keys to screen readers, and nodes that were moved', async () => {
  const { tile } = await openDetails();
  screen.getByRole('group', { name: 'Layer 3', description: /Space shows its details/ });
  expect(tile('web-1').getAttribute('aria-label')).toMatch(/, Moved manually$/);
  expect(tile('web-0').getAttribute('aria-label')).not.toContain('Moved');
});

it.each(['Close', 'Escape'])(
  'details that are closed with %s return the focus to their node',
  async (way) => {
    const { user, tile, panel } = await openDetails();
    const close = screen.getByRole('button', { name: 'Close' });
    close.focus();
    await user.keyboard(way === 'Close' ? '{Enter}' : '{Escape}');
    expect(panel()).toBeNull();
    expect(document.activeElement).toBe(tile('web-1'));
  },
);

it('a layout that is reset gives the focus to the diagram, because its button is disabled then', async () => {
  const { user, tile } = await openDetails();
  await user.click(screen.getByRole('button', { name: 'Reset layout' }));
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Reset layout' }));
  expect(document.activeElement).toBe(tile('web-1'));
});

it('a node that returns to its position takes the focus of the button that disappears', async () => {
  const { user, tile, saved } = await openDetails();
  screen.getByRole('button', { name: 'Reset position' }).focus();
  await user.keyboard('{Enter}');
  expect(document.activeElement).toBe(tile('web-1'));
  await waitFor(() => expect(saved).toEqual(['[{"elementId":"n1","posX":null,"posY":null}]']));
});
