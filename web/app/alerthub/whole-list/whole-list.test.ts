// Lists of a page are paged: those that replace its overview, and those on a tab of their own.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { describe, expect, it } from 'vitest';
import { loadPage } from '../../signin/test/load-page.ts';
import { loader as action } from '../screens/actions/action.tsx';
import { loader as messageEvents } from '../screens/messages/message-events.tsx';
import { loader as messageOverview } from '../screens/messages/message-overview.tsx';
import { loader as messageRuleRecords } from '../screens/messages/message-rule-records.tsx';
import { loader as runbookRecords } from '../screens/runbooks/runbook-records.tsx';
import { loader as scopeOverview } from '../screens/scopes/scope-overview.tsx';

const api = '/api/apps/alerthub';
const id = '01a1fea7-056f-700d-b199-539c2daf0001';
const pageOf = (items: object[], total: number) => ({ items, total, limit: 10, offset: 10 });
const record = { runbookRecordId: 'q', runbookId: 'r', status: 'failed' };
const delivery = { actionRecordId: 'd', status: 'failed' };
const event = { eventId: 'e', scopeId: id, status: 'incident' };
const replies = {
  [`${api}/actions/${id}`]: { actionId: id, displayName: 'Mail', kind: 'email' },
  [`${api}/runbook-records`]: pageOf([record], 201),
  [`${api}/action-records`]: pageOf([delivery], 123),
  [`${api}/scopes/${id}/events`]: pageOf([event], 123),
  [`${api}/message/detail/${id}/events`]: pageOf([event], 1001),
  [`${api}/message/detail/${id}/rule-records`]: pageOf([{ ruleId: 'u', outcome: 'matched' }], 1),
};
const load = async <T>(
  loader: (args: LoaderFunctionArgs) => Promise<T>,
  path: string,
  params: Record<string, string>,
) => {
  const asked: string[] = [];
  const address = `/apps/alerthub/${path}`;
  const data = await loadPage(loader, { address, params, replies, emptyLists: true, asked });
  return { data, asked };
};
const asPage = 'limit=5&offset=5';

describe('a list on a tab of its own', () => {
  it.each([
    ['runbooks', { runbookId: id }, 'runbookId'],
    ['messages', { messageId: id }, 'sourceMessageId'],
  ])('pages and sorts the runbook records of %s', async (parent, params, field) => {
    const path = `${parent}/${id}/runbook-records?page=2&size=5&sort=status,-endedAt&columns=status`;
    const { data, asked } = await load(runbookRecords, path, params as Record<string, string>);
    expect(data).toMatchObject({ total: 201, state: { page: 2, size: 5, columns: ['status'] } });
    expect(data.hrefs).toEqual({ q: '/apps/alerthub/runbooks/r/runbook-records/q' });
    expect(asked).toContain(
      `${api}/runbook-records?${asPage}&sort=status,-endedAt&filter=${field} eq "${id}"`,
    );
  });

  it('pages the events of a message, with their scopes', async () => {
    const path = `messages/${id}/events?page=2&size=5`;
    const { data, asked } = await load(messageEvents, path, { messageId: id });
    expect(data).toMatchObject({ total: 1001, hrefs: { e: `/apps/alerthub/events/e?scopeId=${id}` } });
    expect(data.state.columns).toContain('scopeId');
    expect(asked).toContain(`${api}/message/detail/${id}/events?${asPage}&sort=-createdAt`);
  });

  it('has all rule records of a message, which come without a limit', async () => {
    const { asked } = await load(messageRuleRecords, `messages/${id}/rule-records`, { messageId: id });
    expect(asked).toContain(`${api}/message/detail/${id}/rule-records`);
  });
});

describe('a list that replaces the overview', () => {
  const deliveriesOf = (field: string) =>
    `${api}/action-records?${asPage}&sort=-createdAt&filter=${field} eq "${id}"`;

  it.each([
    ['the events of a scope', scopeOverview, 'scopeId', 'event', 'events/e?scopeId='],
    ['the deliveries of a scope', scopeOverview, 'scopeId', 'action-record', 'action-records/d'],
    ['the deliveries of an action', action, 'actionId', 'action-record', 'action-records/d'],
    ['the deliveries of a message', messageOverview, 'messageId', 'action-record', 'action-records/d'],
  ])('pages %s', async (_list, loader, param, name, href) => {
    const parent = param.replace('Id', 's');
    const { data, asked } = await load(
      loader as (args: LoaderFunctionArgs) => ReturnType<typeof scopeOverview>,
      `${parent}/${id}?list=${name}&page=2&size=5`,
      { [param]: id },
    );
    expect(data.whole).toMatchObject({ total: 123, state: { page: 2, size: 5 } });
    expect(Object.values(data.whole!.hrefs)[0]).toContain(`/apps/alerthub/${href}`);
    expect(asked).toContain(
      name === 'event' ? `${api}/scopes/${id}/events?${asPage}&sort=-createdAt` : deliveriesOf(param),
    );
  });

  it('is none that the page does not have', async () => {
    const { data } = await load(scopeOverview, `scopes/${id}?list=user`, { scopeId: id });
    expect(data.whole).toBe(null);
    expect(data.overview!.events).toMatchObject({ total: 123 });
  });
});
