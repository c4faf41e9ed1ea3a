import { Problem } from '@yagura/core/http/problem';
import { expect, it } from 'vitest';
import { stubClients } from '../../signin/test/stub-api.ts';
import { resolveLineLinks } from './decision-log-links.server.ts';

const line = (resource: string, id: string, scopeId?: string) => ({
  depth: 0,
  tone: 'neutral' as const,
  text: '',
  link: { resource, id, ...(scopeId ? { scopeId } : {}) },
});

it('links only what exists and the user may view', async () => {
  const items: Record<string, object[] | undefined> = {
    rule: [{ ruleId: 'r1', displayName: 'Disk' }],
    trigger: [{ triggerId: 't', displayName: 'Page' }],
    'runbook-record': [{ runbookRecordId: 'q', runbookId: 'b', requestedAt: '2028-03-01T10:00:00Z' }],
  };
  const client = ({ name }: { name: string }) => ({
    list: async () => {
      const found = items[name];
      if (!found) throw new Problem('forbidden');
      return { items: found, total: found.length };
    },
  });
  const lines = [
    line('rule', 'r1'),
    line('rule', 'gone'),
    line('trigger', 't', 's'),
    line('runbook-record', 'q'),
    line('action-record', 'forbidden'),
  ];
  expect(await resolveLineLinks(stubClients(client), lines)).toEqual({
    r1: '/apps/alerthub/rules/r1',
    t: '/apps/alerthub/scopes/s/triggers/t',
    q: '/apps/alerthub/runbooks/b/runbook-records/q',
  });
});
