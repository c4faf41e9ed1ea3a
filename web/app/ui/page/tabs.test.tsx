import { afterEach, expect, it, vi } from 'vitest';
import { renderInRouter } from '../test/render.tsx';
import { Tabs } from './tabs.tsx';

afterEach(() => vi.restoreAllMocks());

const tabs = ['/a', '/a/b', '/a/c'].map((to) => ({ to, label: to, end: true }));

/** Renders the tabs, each 100 pixels wide, in a row of 150 pixels. */
async function renderNarrow(path: string): Promise<number> {
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
    const index = tabs.findIndex(({ to }) => to === this.getAttribute('href'));
    return index < 0 ? new DOMRect(0, 0, 150, 36) : new DOMRect(index * 100, 0, 100, 36);
  });
  const { container } = await renderInRouter(<Tabs tabs={tabs} />, { path });
  return container.querySelector('nav')!.scrollLeft;
}

it.each([
  ['/a', 0],
  ['/a/b', 50],
  ['/a/c', 150],
])('shows the tab of %s in a row that is too narrow for all', async (path, scrolled) => {
  expect(await renderNarrow(path)).toBe(scrolled);
});
