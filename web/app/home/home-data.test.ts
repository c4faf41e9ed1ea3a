import type { RoleName } from '@yagura/core/access/role-map';
import { describe, expect, test } from 'vitest';
import { loadPage } from '../signin/test/load-page.ts';
import { signedInArgs, testOrigin } from '../signin/test/signed-in-args.ts';
import { action, loader } from './home.tsx';

const identity = ['/api/internal/profile', '/api/internal/apps/policy/role-map'];

/** What the home page of a user with these roles holds, and the API paths that it reads. */
async function load(roles: RoleName[], replies: Record<string, unknown> = {}) {
  const asked: string[] = [];
  const data = await loadPage(loader, { address: '/', replies, roles, emptyLists: true, asked });
  const paths = new Set(asked.map((path) => path.split('?')[0]!));
  return { data, paths: [...paths].filter((path) => !identity.includes(path)) };
}

test('asks for nothing that the roles do not grant, and says that there is nothing', async () => {
  const { data, paths } = await load([]);
  expect(paths).toEqual([]);
  expect(data).toMatchObject({
    isEmpty: true,
    counts: { ok: false, reason: 'forbidden' },
    changes: { ok: false, reason: 'forbidden' },
  });
});

test('asks for what a role grants', async () => {
  const { data, paths } = await load(['pigeon:operator']);
  expect(paths).toEqual(['/api/apps/pigeon/results']);
  expect(data).toMatchObject({ isEmpty: false, calls: { ok: true, value: { total: 0 } } });
});

test('asks for everything while the roles are unknown, so that an ended session leads to the sign-in', async () => {
  const asked: string[] = [];
  const replies = { '/api/internal/profile': undefined };
  const data = await loadPage(loader, { address: '/', replies, asked });
  expect(asked).toContainEqual(expect.stringContaining('/api/apps/pigeon/results?'));
  expect(data).toMatchObject({ isEmpty: false, calls: { ok: false, reason: 'error' } });
});

test('says what was changed in the language of the user', async () => {
  const data = await loadPage(loader, {
    address: '/',
    replies: {
      '/api/space/audit-records': {
        items: [{ auditRecordId: 'a', action: 'promote', resource: 'user-access', actorName: 'Ann' }],
        ...{ total: 1, limit: 7, offset: 0 },
      },
    },
    emptyLists: true,
  });
  expect(data.changes).toMatchObject({
    ok: true,
    value: { rows: [{ action: 'Grant privileged access to a user', resource: 'User access' }] },
  });
});

test('shows the steps to a first alert until one was sent', async () => {
  const page = { items: [], limit: 100, offset: 0 };
  const replies = (messages: number, deliveries: number, scopes: { scopeId: string }[]) => ({
    '/api/apps/alerthub/message/list': { ...page, total: messages },
    '/api/apps/alerthub/action-records': { ...page, total: deliveries },
    '/api/apps/alerthub/receive-slots': { ...page, total: 1 },
    '/api/apps/alerthub/scopes': { ...page, items: scopes, total: scopes.length },
  });
  const progress = async (...of: Parameters<typeof replies>) =>
    (await load(['alerthub:administrator'], replies(...of))).data.setupProgress;
  const [a, b] = [{ scopeId: 'a' }, { scopeId: 'b' }];
  const scopesPage = '/apps/alerthub/scopes';
  const rest = { slot: true, rule: false, action: false, trigger: false };
  expect(await progress(0, 0, [])).toEqual({ ...rest, scope: false, triggerHref: scopesPage });
  expect(await progress(1, 0, [a])).toEqual({
    ...rest,
    scope: true,
    triggerHref: `${scopesPage}/a/triggers/new`,
  });
  expect(await progress(1, 0, [a, b])).toEqual({ ...rest, scope: true, triggerHref: scopesPage });
  expect(await progress(1, 1, [a])).toBeNull();
  expect(await progress(51, 0, [a])).toBeNull();
  const ready = Object.fromEntries(
    ['rules', 'actions', 'scopes/a/triggers'].map((path) => [
      `/api/apps/alerthub/${path}`,
      { ...page, total: 1 },
    ]),
  );
  for (const scopes of [[a], [b, a]]) {
    const { data } = await load(['alerthub:administrator'], { ...replies(1, 0, scopes), ...ready });
    expect(data.setupProgress).toBeNull();
  }
});

test.each([
  { role: 'alerthub:viewer' as const, allowed: false },
  { role: 'alerthub:administrator' as const, allowed: true },
])('$role gets the form of an acknowledgement: $allowed', async ({ role, allowed }) => {
  const asked: string[] = [];
  const home = await loadPage(loader, { address: '/', replies: {}, emptyLists: true, roles: [role], asked });
  const part = home.unhealthyScopes;
  expect(part.ok && Object.keys(part.value.acknowledgeFields ?? {})).toEqual(allowed ? ['note'] : []);
  // The server sorts what has no time first.
  expect(asked.filter((path) => path.includes('sort=acknowledgedAt,-severity,-lastEventAt'))).toHaveLength(1);
});

describe('a form of the page', () => {
  const raisedAt = '2026-01-01T00:00:00.000Z';
  async function post(form: Record<string, string>) {
    const sent: { call: string; body: unknown }[] = [];
    const fetch = async (url: string, init: RequestInit = {}) => {
      sent.push({ call: `${init.method} ${new URL(url).pathname}`, body: JSON.parse(String(init.body)) });
      return Response.json({});
    };
    const args = await signedInArgs({ fetch, form, address: '/', headers: { origin: testOrigin } });
    return { sent, result: await action(args) };
  }

  test('acknowledges the scope that it names, and returns to the page', async () => {
    const { sent, result } = await post({ intent: 'acknowledge', scopeId: 's', note: 'on it', raisedAt });
    const call = 'POST /api/apps/alerthub/scopes/s/acknowledge';
    expect(sent).toEqual([{ call, body: { note: 'on it', raisedAt } }]);
    const { headers } = result as Response;
    expect(headers.get('location')).toBe('/');
    expect(headers.get('set-cookie')).toMatch(/^notice=acknowledged;/);
  });

  test('is refused with another intent', async () => {
    await expect(post({ intent: 'delete', scopeId: 's' })).rejects.toMatchObject({ init: { status: 400 } });
  });
});
