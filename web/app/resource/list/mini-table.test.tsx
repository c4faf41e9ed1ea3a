import { screen } from '@testing-library/react';
import { event } from '@yagura/core/alerthub/event';
import { describe, expect, it } from 'vitest';
import type { Api } from '../../signin/api.server.ts';
import { renderInRouter } from '../../ui/test/render.tsx';
import { miniData } from './mini-data.server.ts';
import { MiniTable } from './mini-table.tsx';

const eventRow = { eventId: 'e', scopeId: 's', severityName: 'disk', status: 'incident' };
const api = {
  client: () => ({ list: async () => ({ items: [{ scopeId: 's', displayName: 'Shop' }], total: 1 }) }),
} as unknown as Api;

describe('MiniTable', () => {
  it('shows any field of the resource, also one that its own list has no column for', async () => {
    expect(event.columns).not.toContain('scopeId');
    const data = await miniData(api, event, {}, {}, async () => ({ items: [eventRow], total: 1 }));
    await renderInRouter(
      <MiniTable data={data} caption="Events" columns={['status', 'scopeId', 'severityName']} />,
    );
    const headings = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
    expect(headings).toEqual(['Status', 'Scope', 'Severity name']);
    const links = screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
    expect(links).toEqual([
      ['Shop', '/apps/alerthub/scopes/s'],
      ['disk', '/apps/alerthub/events/e?scopeId=s'],
    ]);
  });

  it('accepts fields of the resource only', async () => {
    const data = await miniData(api, event, {}, {}, async () => ({ items: [], total: 0 }));
    // @ts-expect-error the name of no field
    const table = <MiniTable data={data} caption="Events" columns={['scope']} />;
    expect(table).toBeTruthy();
  });
});
