import { screen, within } from '@testing-library/react';
import { scope } from '@yagura/core/alerthub/scope';
import { itemFields } from '@yagura/core/resource/define-resource';
import { describe, expect, it } from 'vitest';
import Home from '../../../home/home.tsx';
import { screenMeta } from '../../../resource/screen-meta.ts';
import { renderInRouter } from '../../../ui/test/render.tsx';
import ScopeLayout from './scope.tsx';
import Scopes from './scopes.tsx';

const muted = { shop: '2028-03-01T10:00:00Z' };
const raised = {
  raisedAt: '2026-01-01T00:00:00Z',
  acknowledgedAt: '2026-01-01T00:01:00Z',
  acknowledgedBy: 'Hana',
  acknowledgementNote: 'restarting',
};
const rows = [
  {
    scopeId: 'shop',
    displayName: 'Shop',
    status: 'incident',
    severity: 3,
    ...raised,
    mutedUntil: muted.shop,
  },
  { scopeId: 'web', displayName: 'Web', status: 'incident', severity: 2, mutedUntil: null },
];
const list = {
  meta: screenMeta(scope),
  screen: '/apps/alerthub/scopes',
  rows,
  hrefs: { shop: '/apps/alerthub/scopes/shop', web: '/apps/alerthub/scopes/web' },
  total: 2,
  state: { page: 1, size: 10, sort: [], columns: ['status', 'displayName', 'severity'] },
  references: {},
  permissions: {},
  command: '',
};
const forbidden = { ok: false, reason: 'forbidden' };
const home = {
  ...Object.fromEntries(
    [
      ...['counts', 'messages', 'recent', 'silentSlots', 'deliveries', 'failed', 'runningDeliveries'],
      ...['scans', 'sessions', 'calls', 'days', 'changes'],
    ].map((part) => [part, forbidden]),
  ),
  unhealthyScopes: {
    ok: true,
    value: {
      ...list,
      ...{ name: 'scope', id: 'scopeId', fields: itemFields(scope), acknowledgeFields: null },
      scopes: Object.fromEntries(rows.map((row) => [row.scopeId, row])),
    },
  },
  setupProgress: null,
  createLinks: [],
};

describe('a muted scope says until when it is muted', () => {
  it.each([
    ['in the list of scopes', <Scopes key="list" />, list],
    ['on the home page', <Home key="home" />, home],
  ])('%s', async (_where, page, data) => {
    await renderInRouter(page, { loader: () => data });
    const row = async (name: RegExp) => within((await screen.findByRole('link', { name })).closest('tr')!);
    expect((await row(/^Shop/)).getByText('Muted until 3/1/2028, 19:00')).toBeTruthy();
    expect((await row(/^Web/)).queryByText(/Muted/)).toBe(null);
  });

  it('on its own pages, in Japanese', async () => {
    const data = { ...list, item: rows[0], crumbs: [], tabs: {} };
    await renderInRouter(<ScopeLayout />, { loader: () => data, language: 'ja' });
    expect(await screen.findByText('2028/03/01 19:00までミュート中')).toBeTruthy();
    expect(screen.getByText('Hanaが確認済み: restarting')).toBeTruthy();
  });
});
