import { screen } from '@testing-library/react';
import { event } from '@yagura/core/alerthub/event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { stubClients } from '../../signin/test/stub-api.ts';
import { renderInRouter } from '../../ui/test/render.tsx';
import { miniData } from './mini-data.server.ts';
import { MiniTable } from './mini-table.tsx';

const eventRow = { eventId: 'e', scopeId: 's', severityName: 'disk', status: 'incident' };
const api = stubClients(() => ({
  list: async () => ({ items: [{ scopeId: 's', displayName: 'Shop' }], total: 1 }),
}));

afterEach(() => void vi.useRealTimers());

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

  it('shows what happened as past if the clock of the browser is behind', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2028-03-01T10:00:00Z') });
    const createdAt = '2028-03-01T10:01:00Z';
    const data = await miniData(api, event, {}, {}, async () => ({
      items: [{ ...eventRow, createdAt }],
      total: 1,
    }));
    await renderInRouter(<MiniTable data={data} caption="Events" columns={['createdAt']} />);
    expect(await screen.findByText('just now')).toBeTruthy();
  });

  it('accepts fields of the resource only', async () => {
    const data = await miniData(api, event, {}, {}, async () => ({ items: [], total: 0 }));
    // @ts-expect-error the name of no field
    const table = <MiniTable data={data} caption="Events" columns={['scope']} />;
    expect(table).toBeTruthy();
  });
});
