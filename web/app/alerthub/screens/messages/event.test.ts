// The loader of an event's page: the event is found without its scope in the address.
import type { EventExplanation } from '@yagura/core/alerthub/decision-log';
import { expect, test } from 'vitest';
import { loadPage } from '../../../signin/test/load-page.ts';
import { loader } from './event.tsx';

const eventId = '01a1fea7-056f-700d-b199-539c2daf013a';
const scopeId = '01a1fea7-056f-700d-b199-539c2daf0001';
const why: EventExplanation = {
  event: {
    eventId,
    scopeId,
    scopeName: 'Web',
    severityName: 'default',
    delta: 1,
    previousSeverity: 0,
    severity: 1,
    statusBefore: 'normal',
    statusAfter: 'normal',
    ruleId: null,
    triggers: [],
  },
  createdAt: '2026-01-31T09:00:00.000Z',
  source: 'recovery',
  cause: { kind: 'recovery', recoveryTime: 300 },
  message: null,
  rule: null,
  acknowledgements: [],
  deliveries: [],
};
const scopes = '/api/apps/alerthub/scopes';
const scope = { scopeId, displayName: 'Web' };
const replies: Record<string, unknown> = {
  [`/api/apps/alerthub/events/${eventId}/why`]: why,
  [`${scopes}/${scopeId}/events/${eventId}`]: {
    eventId,
    scopeId,
    source: 'recovery',
    createdAt: why.createdAt,
  },
  [`${scopes}/${scopeId}`]: scope,
  [scopes]: { items: [scope], total: 1, limit: 100, offset: 0 },
};

/** Loads the page, and lists the API paths that it has read. */
async function load(address: string, id: string, asked: string[] = []) {
  const data = await loadPage(loader, { address, params: { eventId: id }, replies, asked });
  return { data, asked };
}

test.each(['', `?scopeId=${scopeId}`])('the event is found by its id, with the address %j', async (query) => {
  const { data, asked } = await load(`/apps/alerthub/events/${eventId}${query}`, eventId);
  expect(data.item).toMatchObject({ eventId, scopeId });
  expect(data.references.scope?.[scopeId]).toEqual({ name: 'Web', href: `/apps/alerthub/scopes/${scopeId}` });
  expect(data.meta.detail.map(({ name }) => name)).toContain('scopeId');
  expect(data.lines[0]!.text).toContain('recovered automatically');
  // The scope is read by its id; the list of all scopes is not.
  for (const path of asked.filter((one) => one.startsWith(`${scopes}?`))) expect(path).toContain(scopeId);
  expect(asked).not.toContain(scopes);
});

test('an unknown event ends on the page for unknown addresses, after a single lookup', async () => {
  const id = '01a1fea7-056f-700d-b199-00000000dead';
  const asked: string[] = [];
  const response = await load(`/apps/alerthub/events/${id}`, id, asked).catch((error: unknown) => error);
  expect((response as Response).headers.get('location')).toBe('/404');
  expect(asked.filter((path) => path.startsWith('/api/apps/alerthub'))).toEqual([
    `/api/apps/alerthub/events/${id}/why`,
  ]);
});
