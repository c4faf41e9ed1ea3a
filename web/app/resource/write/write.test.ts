import type { ActionFunctionArgs } from '@remix-run/node';
import { Problem } from '@yagura/core/http/problem';
import { describe, expect, it } from 'vitest';
import type { ConsoleContext } from '../../context.ts';
import { sealSession } from '../../signin/session.server.ts';
import { etagField, idempotencyKeyField, overwriteField } from './hidden-field.ts';
import {
  createAction,
  editAction,
  removeFromListAction,
  removeItemAction,
  replacedVersion,
  toProblemResponse,
} from './write.server.ts';

const origin = 'https://console.example';

/**
 * Console context whose API records its requests; `changed` is an item that was edited meanwhile, and the items in
 * `kept` may not be deleted.
 */
function createContext(changed?: object, kept: string[] = []) {
  const calls: { method: string; path: string; headers: Headers }[] = [];
  const context: ConsoleContext = {
    origin,
    issuer: `${origin}/oidc`,
    clientId: 'web',
    cookieSecret: new Uint8Array(32).fill(7),
    helpLinks: {},
    nonce: 'n',
    version: '0',
    logError() {},
    async fetch(url, init) {
      const path = new URL(url).pathname;
      calls.push({ method: init.method ?? 'GET', path, headers: new Headers(init.headers) });
      if (init.method === 'DELETE') {
        const problem = new Problem('forbidden');
        const isKept = kept.some((id) => path.endsWith(`/${id}`));
        return isKept ? Response.json(problem.toJSON(), { status: 403 }) : new Response('');
      }
      if (changed && init.method === 'PUT') {
        const problem = new Problem('changed');
        return Response.json(problem.toJSON(), { status: problem.status });
      }
      if (changed) return Response.json(changed);
      return Response.json({ scopeId: 'made', displayName: 'a' });
    },
  };
  const args = async (path: string, fields: [string, string][], headers: Record<string, string>) => {
    const session = {
      accessToken: 't',
      refreshToken: null,
      idToken: null,
      expiresAt: Date.now() + 3_600_000,
    };
    const cookies = await sealSession(context, session);
    const request = new Request(`${origin}${path}`, {
      method: 'POST',
      headers: { cookie: cookies.map((one) => one.split(';')[0]).join('; '), ...headers },
      body: new URLSearchParams(fields),
    });
    return { request, context, params: {} } as ActionFunctionArgs;
  };
  return { calls, args };
}

const own = { origin, 'sec-fetch-site': 'same-origin' };
const crossSite = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
const writes = <C extends { method: string }>(calls: C[]) => calls.filter(({ method }) => method !== 'GET');

describe('writes of the console', () => {
  it('creates with the key of the form, so that a repeat makes no second item', async () => {
    const { calls, args } = createContext();
    const fields: [string, string][] = [
      ['displayName', 'a'],
      [idempotencyKeyField, 'key-1'],
    ];
    await createAction(await args('/apps/alerthub/scopes/new', fields, own));
    const made = writes(calls)[0]!;
    expect([made.method, made.path]).toEqual(['POST', '/api/apps/alerthub/scopes']);
    expect(made.headers.get('idempotency-key')).toBe('key-1');
  });

  it('edits the version that the form was filled from', async () => {
    const { calls, args } = createContext();
    const fields: [string, string][] = [
      ['displayName', 'a'],
      [etagField, '"tag"'],
    ];
    await editAction(await args('/apps/alerthub/scopes/one/edit', fields, own));
    const edited = writes(calls)[0]!;
    expect(edited.path).toBe('/api/apps/alerthub/scopes/one');
    expect(edited.headers.get('if-match')).toBe('"tag"');
  });

  it('says what saving would replace in an item that was changed meanwhile', async () => {
    const { args } = createContext({
      ...{ scopeId: 'one', displayName: 'b', remarks: '', recoveryTime: null, severity: 7 },
      ...{ thresholds: { warning: 1, incident: 2 }, updatedAt: '2026-01-31T09:00:00.000Z' },
    });
    const fields: [string, string][] = [
      ['displayName', 'a'],
      ['remarks', ''],
      ['thresholds.warning', '1'],
      ['thresholds.incident', '3'],
      [etagField, '"tag"'],
    ];
    const reply = await editAction(await args('/apps/alerthub/scopes/one/edit', fields, own));
    expect(reply).toMatchObject({
      init: { status: 412 },
      data: { conflict: { changedAt: '2026-01-31T09:00:00.000Z', fields: ['displayName', 'thresholds'] } },
    });
  });

  it.each([
    ['creates', createAction, '/apps/alerthub/scopes/new'],
    ['edits', editAction, '/apps/alerthub/scopes/one/edit'],
    ['removes', removeItemAction, '/apps/alerthub/scopes/one'],
    ['removes from a list', removeFromListAction, '/apps/alerthub/scopes'],
  ] as const)('%s nothing for another site', async (_what, action, path) => {
    const { calls, args } = createContext();
    const refused = await action(await args(path, [['id', 'one']], crossSite)).catch((thrown) => thrown);
    expect(refused).toMatchObject({ init: { status: 403 } });
    expect(calls).toEqual([]);
  });

  it('tells which of several items may not be removed, and leads away if none may', async () => {
    const { args } = createContext(undefined, ['one', 'two']);
    const remove = async (...ids: string[]) => {
      const fields = ids.map((id): [string, string] => ['ids', id]);
      return removeFromListAction(await args('/apps/alerthub/scopes', fields, own));
    };
    expect(await remove('one', 'three')).toMatchObject({
      removals: [
        { id: 'one', reason: expect.any(String) },
        { id: 'three', reason: null },
      ],
    });
    const refusal = await remove('one', 'two').catch((thrown) => thrown);
    expect(refusal.headers.get('location')).toMatch(/^\/403\?/);
  });

  it('removes for its own page', async () => {
    const { calls, args } = createContext();
    await removeItemAction(await args('/apps/alerthub/scopes/one', [], own));
    expect(writes(calls).map(({ method, path }) => `${method} ${path}`)).toEqual([
      'DELETE /api/apps/alerthub/scopes/one',
    ]);
  });
});

describe('a problem of a write', () => {
  const statusOf = (error: unknown, options?: { redirect: boolean }) => {
    try {
      return toProblemResponse(error, {}, options).init!.status;
    } catch (thrown) {
      return thrown;
    }
  };
  const gone = new Problem('not-found');

  it('names fields relative to the part of the body that the form fills in', () => {
    const reason = 'This field is required';
    const names = ['change.body.displayName', 'days'];
    const invalidParams = names.map((name) => ({ name, reason }));
    const { data } = toProblemResponse(
      new Problem('invalid', { invalidParams }),
      {},
      { part: 'change.body' },
    );
    expect(data.errors).toEqual({ displayName: reason, days: reason });
  });

  it('is shown by the page, unless it leads to another one', () => {
    expect(statusOf(new Problem('conflict'))).toBe(409);
    expect(statusOf(gone)).toBe(gone);
    const broken = new Error('broken');
    expect(statusOf(broken)).toBe(broken);
  });

  it('is shown by the page in any case, where redirects are off', () => {
    expect(statusOf(gone, { redirect: false })).toBe(404);
    expect(statusOf(new Problem('forbidden'), { redirect: false })).toBe(403);
    const expired = new Problem('sign-in-required');
    expect(statusOf(expired, { redirect: false })).toBe(expired);
  });
});

describe('replacedVersion', () => {
  const formOf = (...fields: [string, string][]) => {
    const form = new FormData();
    for (const [name, value] of fields) form.set(name, value);
    return form;
  };

  it('is the version that the form was filled from, unless the user overwrites any', () => {
    expect(replacedVersion(formOf([etagField, '"tag"']))).toBe('"tag"');
    expect(replacedVersion(formOf([etagField, '"tag"'], [overwriteField, 'true']))).toBeUndefined();
    expect(replacedVersion(formOf([etagField, '']))).toBeUndefined();
  });
});
