import { expect, test } from 'vitest';
import { testContext, testRenderContext } from '../../../test/start-test-tui.tsx';
import type { AppContext } from '../state/app-context.ts';
import { loadHome, shareRows } from './load-home.ts';

const scope = (displayName: string, status: string, severity: number) => ({
  scopeId: `s-${displayName}`,
  displayName,
  status,
  severity,
  lastEventAt: '2026-01-31T09:00:00.000Z',
});

/** The lines of the home view of a space with three scopes and an open session, and the paths asked for. */
async function loaded(overrides: Partial<AppContext> = {}) {
  const paths = new Set<string>();
  const transport = {
    origin: 'http://space.example',
    fetch: async (url: string) => {
      const { pathname, searchParams } = new URL(url);
      paths.add(pathname);
      const filter = searchParams.get('filter') ?? '';
      const counts: Record<string, number> = { incident: 2, warning: 0, normal: 14 };
      const counted = /^status eq "(\w+)"$/.exec(filter)?.[1];
      if (pathname.endsWith('/scopes') && counted)
        return Response.json({ items: [], total: counts[counted] });
      if (pathname.endsWith('/scopes')) {
        const items = [
          scope('mild', 'warning', 5),
          scope('bad', 'incident', 10),
          scope('worse', 'incident', 12),
        ];
        return Response.json({ items, total: 3 });
      }
      if (pathname.endsWith('/sessions')) {
        const items = [{ sessionId: 'o', status: 'opened', destinationName: 'db-01', protocol: 'ssh' }];
        return Response.json({ items, total: 1 });
      }
      return Response.json({ items: [], total: 0 });
    },
  };
  const context = await testContext('en', overrides);
  const { presenter } = await testRenderContext(context);
  const atSpace = { ...presenter, now: () => Date.parse('2026-01-31T09:03:05.000Z') };
  const { detail } = await loadHome(transport, context, atSpace, 40, new AbortController().signal);
  const names = detail.lines.flatMap(({ cells }) => (cells ? [cells.map(({ text }) => text).join(' ')] : []));
  return { lines: detail.lines, names, paths };
}

test('tells how many scopes have each status, and lists those that need attention, worst first', async () => {
  const { lines, names } = await loaded();
  expect(lines[0]).toMatchObject({ text: '2 Incident   0 Warning   14 Normal', style: 'danger' });
  expect(names.map((row) => /worse|bad|mild|db-01/.exec(row)?.[0])).toEqual([
    'worse',
    'bad',
    'mild',
    'db-01',
  ]);
});

test('tells ages by the clock of the space', async () => {
  const { names } = await loaded();
  expect(names.filter((row) => row.includes('3 min ago'))).toHaveLength(3);
});

test('leaves out what the user may not list, without asking for it', async () => {
  const { lines, names, paths } = await loaded({ permissions: ['greac:sessions:list'] });
  expect(lines.map(({ text }) => text).join()).not.toMatch(/Incident|Scopes/);
  expect(names).toEqual([expect.stringContaining('db-01')]);
  expect([...paths].filter((path) => /scopes|messages/.test(path))).toEqual([]);
});

test('says so when the user may list nothing', async () => {
  const { lines, paths } = await loaded({ permissions: [] });
  expect(lines).toMatchObject([{ text: expect.stringContaining('none of the lists') }]);
  expect([...paths]).toEqual([]);
});

const some = (wanted: number) => ({ wanted, all: false });

test.each([
  ['as many as there are', [some(2), some(0), some(9)], 40, [2, 0, 9]],
  ['at least three each, however small the terminal is', [some(9), some(2), some(9)], 0, [3, 2, 3]],
  ['all of a section that must be complete', [{ wanted: 30, all: true }, some(9)], 10, [30, 3]],
  ['evenly what is left over', [some(20), some(5), some(20)], 19, [7, 5, 7]],
])('sections show %s', (_what, sections, available, expected) => {
  expect(shareRows(sections, available)).toEqual(expected);
});
