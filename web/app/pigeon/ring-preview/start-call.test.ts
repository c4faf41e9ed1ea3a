// Starting a call on the page of a callflow and in the command generator.
import { type RoleName, roleMap } from '@yagura/core/access/role-map';
import { expect, test } from 'vitest';
import { signedInArgs, testOrigin } from '../../signin/test/signed-in-args.ts';
import { action as callflowAction, loader as callflowLoader } from '../screens/callflow.tsx';
import { action as generatorAction, loader as generatorLoader } from '../screens/command-generator.tsx';
import { callIntent, previewIntent, requestFields } from './preview-fields.ts';

const callflowId = '01a1fea7-056f-700d-b199-539c2daf0001';
const guidanceId = '01a1fea7-056f-700d-b199-539c2daf0002';
const resultId = '01a1fea7-056f-700d-b199-539c2daf0003';
const path = `/apps/pigeon/callflows/${callflowId}`;
const call = { callflowId, guidanceId, parameters: { host: { name: 'db1' } } };
const guidance = {
  ...{ guidanceId, displayName: 'Down', messageTemplate: '{{host.name}} is down' },
  reactions: { 1: { behavior: 'terminate', messageTemplate: 'Thanks, {{by}}' } },
};

interface Visit {
  role?: RoleName;
  line?: string | null;
  invoked?: object;
  form?: Record<string, string>;
  site?: string;
}

/** Arguments of a loader or action, and the API calls that it has made. */
async function visit({ role = 'pigeon:operator', line = 'sip', invoked, form, site = testOrigin }: Visit) {
  const sent: { method: string; path: string; body: unknown; hasKey: boolean }[] = [];
  const replies: Record<string, unknown> = {
    '/api/internal/profile': { privileged: false, roles: [role] },
    '/api/internal/apps/policy/role-map': roleMap,
    '/api/apps/pigeon/line': { line, trunks: [], voices: [] },
    [`/api/apps/pigeon/callflows/${callflowId}`]: { callflowId, displayName: 'Night', contacts: [] },
    '/api/apps/pigeon/guidances': { items: [guidance], total: 1, limit: 1000, offset: 0 },
    '/api/apps/pigeon/chain/invoke': invoked ?? { params: {}, resultId, status: 'requested' },
    '/api/apps/pigeon/chain/preview': { calls: [] },
  };
  const fetch = async (url: string, init: RequestInit) => {
    const { pathname } = new URL(url);
    sent.push({
      ...{ method: init.method!, path: pathname },
      body: init.body && JSON.parse(String(init.body)),
      hasKey: new Headers(init.headers).has('idempotency-key'),
    });
    return Response.json(replies[pathname] ?? { items: [], total: 0, limit: 1000, offset: 0 });
  };
  const headers = { origin: site };
  const args = await signedInArgs({ fetch, address: path, params: { callflowId }, headers, form });
  return { args, posts: () => sent.filter(({ method }) => method !== 'GET') };
}

const actions = [
  ['a callflow', callflowAction],
  ['the command generator', generatorAction],
] as const;

test.each(actions)('the page of %s starts a call', async (_page, action) => {
  const { args, posts } = await visit({ form: requestFields(callIntent, call) });
  expect(await action(args)).toEqual({ resultId });
  expect(posts()).toEqual([
    { method: 'POST', path: '/api/apps/pigeon/chain/invoke', body: { params: call }, hasKey: true },
  ]);
});

test.each(actions)('the page of %s calls nobody for a preview', async (_page, action) => {
  const { args, posts } = await visit({ form: requestFields(previewIntent, call) });
  expect(await action(args)).toEqual({ preview: { calls: [] } });
  expect(posts().map((one) => one.path)).toEqual(['/api/apps/pigeon/chain/preview']);
});

test.each(actions)('the page of %s calls nobody for another site', async (_page, action) => {
  const form = requestFields(callIntent, call);
  const { args, posts } = await visit({ form, site: 'https://other.test' });
  expect(await action(args).catch((thrown) => thrown)).toMatchObject({ init: { status: 403 } });
  expect(posts()).toEqual([]);
});

test.each([
  [{ title: 'Failed to invoke chain', detail: 'The callflow does not exist' }, 'The callflow does not exist'],
  [undefined, 'Chain execution was rejected or failed by modules'],
])('a rejected chain is a problem with title and detail: %j', async (errorDescriptor, detail) => {
  const invoked = { params: {}, status: 'rejected', errorDescriptor };
  const { args } = await visit({ form: requestFields(callIntent, call), invoked });
  expect(await callflowAction(args)).toMatchObject({
    data: { problem: { kind: 'chain-rejected', detail } },
  });
});

test.each([
  ['pigeon:operator', 'sip', 'unknown'],
  ['pigeon:administrator', 'sip', 'sip'],
  ['pigeon:administrator', 'simulator', 'simulator'],
  ['pigeon:administrator', null, 'none'],
] as const)('the pages tell %s, with the line %s, that it is %s', async (role, line, told) => {
  const page = await callflowLoader((await visit({ role, line })).args);
  expect(page.calls).toEqual({
    line: told,
    guidances: { [guidanceId]: { name: 'Down', variables: ['host.name', 'by'] } },
  });
  expect(await generatorLoader((await visit({ role, line })).args)).toMatchObject({ line: told });
});

test('who may not call gets no button', async () => {
  const role = 'alerthub:viewer';
  expect((await callflowLoader((await visit({ role })).args)).calls).toBe(null);
  const refused = await generatorLoader((await visit({ role })).args).catch((thrown) => thrown);
  expect(refused.headers.get('location')).toMatch(/^\/403/);
});
