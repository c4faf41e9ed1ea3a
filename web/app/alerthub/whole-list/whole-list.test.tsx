import { screen } from '@testing-library/react';
import { event } from '@yagura/core/alerthub/event';
import { itemFields } from '@yagura/core/resource/define-resource';
import { describe, expect, it } from 'vitest';
import { screenMeta } from '../../resource/screen-meta.ts';
import { renderInRouter } from '../../ui/test/render.tsx';
import ScopeOverview from '../screens/scopes/scope-overview.tsx';
import { ShowAll } from './show-all.tsx';

const rows = [{ eventId: 'e', scopeId: 's', severityName: 'disk', status: 'incident' }];
const latest = (total: number) => ({
  ...{ name: 'event', id: 'eventId', fields: itemFields(event), rows, hrefs: {}, total, references: {} },
});

describe('a short list', () => {
  it('says how many rows there are, and leads to all of them', async () => {
    await renderInRouter(<ShowAll data={latest(1234)} caption="Latest events" />, {
      path: '/apps/alerthub/scopes/with-lists',
    });
    expect(screen.getByText('1–1 of 1,234')).toBeTruthy();
    const link = screen.getByRole('link', { name: 'Show all: Latest events' });
    expect(link.getAttribute('href')).toBe('/apps/alerthub/scopes/with-lists?list=event');
  });

  it('says nothing if it shows all', async () => {
    const { container } = await renderInRouter(<ShowAll data={latest(1)} caption="Latest events" />);
    expect(container.textContent).toBe('');
  });
});

it('the whole list replaces the overview on all of its pages, and leads back', async () => {
  const whole = {
    ...{ meta: screenMeta(event), screen: '/apps/alerthub/events', rows, hrefs: {}, total: 1234 },
    ...{ state: { page: 1, size: 10, sort: [], columns: ['severityName'] }, references: {}, permissions: {} },
  };
  await renderInRouter(<ScopeOverview />, {
    path: '/apps/alerthub/scopes/with-lists?list=event',
    loader: () => ({ whole, overview: null }),
  });
  const hrefOf = async (name: string) => (await screen.findByRole('link', { name })).getAttribute('href');
  expect(await hrefOf('Next page')).toBe('/apps/alerthub/scopes/with-lists?list=event&page=2');
  expect(await hrefOf('Back: Overview')).toBe('/apps/alerthub/scopes/with-lists');
  expect(screen.getByText('disk')).toBeTruthy();
});
