import { roleMap } from '@yagura/core/access/role-map';
import { actionRecord } from '@yagura/core/alerthub/action-record';
import { runbookRecord } from '@yagura/core/alerthub/runbook-record';
import { session } from '@yagura/core/greac/session';
import { Problem } from '@yagura/core/http/problem';
import { createClient } from '@yagura/core/resource/client';
import { itemFields } from '@yagura/core/resource/define-resource';
import { expect, it } from 'vitest';
import type { Api } from '../signin/api.server.ts';
import { stubApi, stubClients } from '../signin/test/stub-api.ts';
import { resolveItemReferences, resolveReferences } from './references.server.ts';

type Answer = Record<string, unknown>[] | Problem['kind'];

/** An API with the given items, or refusals, by resource and parent id. */
function apiOf(answers: Record<string, Answer>): Api {
  return stubClients(({ name }) => ({
    list: async (_query: unknown, params: Record<string, string> = {}) => {
      const answer = answers[[name, ...Object.values(params)].join(' ')] ?? 'not-found';
      if (typeof answer === 'string') throw new Problem(answer);
      return { items: answer, total: answer.length };
    },
  }));
}

const requestedAt = '2028-03-01T10:00:00.000Z';
const record = {
  runbookRecordId: 'q2',
  runbookId: 'r',
  sourceMessageId: null,
  sourceScopeId: 's',
  triggerId: 't',
  eventId: 'e',
  rerunOf: 'q1',
};

it('names what a runbook record refers to, with links to the pages', async () => {
  const api = apiOf({
    runbook: [{ runbookId: 'r', displayName: 'Restart' }],
    scope: [{ scopeId: 's', displayName: 'Shop' }],
    'trigger s': [{ triggerId: 't', displayName: 'Page' }],
    'event s': [{ eventId: 'e', createdAt: requestedAt }],
    'runbook-record': [{ runbookRecordId: 'q1', runbookId: 'r', requestedAt }],
  });
  expect(await resolveItemReferences(api, runbookRecord, record)).toEqual({
    runbook: { r: { name: 'Restart', href: '/apps/alerthub/runbooks/r' } },
    scope: { s: { name: 'Shop', href: '/apps/alerthub/scopes/s' } },
    trigger: { t: { name: 'Page', href: '/apps/alerthub/scopes/s/triggers/t' } },
    event: { e: { name: 'e', at: requestedAt, href: '/apps/alerthub/events/e?scopeId=s' } },
    'runbook-record': {
      q1: { name: 'q1', at: requestedAt, href: '/apps/alerthub/runbooks/r/runbook-records/q1' },
    },
  });
});

it('tells what is deleted, alone or with its scope, from what the user may not read', async () => {
  const api = apiOf({ runbook: [], scope: [], 'runbook-record': 'forbidden' });
  expect(await resolveItemReferences(api, runbookRecord, record)).toEqual({
    runbook: { r: null },
    scope: { s: null },
    trigger: { t: null },
    event: { e: null },
    'runbook-record': {},
  });
});

it('takes nothing for deleted that may be hidden from the user', async () => {
  const api = apiOf({ destination: [] });
  expect(await resolveItemReferences(api, session, { destinationId: 'd' })).toEqual({ destination: {} });
});

it('asks for many ids in several requests', async () => {
  const rows = Array.from({ length: 150 }, (_, index) => ({ actionId: `a${index}` }));
  const asked: string[] = [];
  const list = async ({ filter }: { filter: string }) => {
    asked.push(filter);
    return { items: [], total: 0 };
  };
  const api = stubClients(() => ({ list }));
  const { action } = await resolveReferences(api, itemFields(actionRecord), rows);
  expect(Object.keys(action!)).toHaveLength(150);
  expect(asked.map((filter) => filter.split(' or ').length)).toEqual([100, 50]);
});

it('does not ask for the names of what the roles do not grant', async () => {
  const asked: string[] = [];
  const { transport } = stubApi('references of a viewer', {
    '/api/internal/profile': { privileged: false, roles: ['greac:user'] },
    '/api/internal/apps/policy/role-map': roleMap,
  });
  const fetch = (url: string, init: RequestInit) => {
    asked.push(new URL(url).pathname);
    return transport.fetch(url, init);
  };
  const asking = { ...transport, fetch };
  const api: Api = { transport: asking, client: (resource) => createClient(resource, asking) };
  expect(await resolveItemReferences(api, runbookRecord, record)).toMatchObject({ runbook: {}, scope: {} });
  expect(asked.sort()).toEqual(['/api/internal/apps/policy/role-map', '/api/internal/profile']);
});
