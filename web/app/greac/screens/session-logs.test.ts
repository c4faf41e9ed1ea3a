// The pages of session logs for those who may read logs, and not always the sessions and log keys.
import { type RoleName, roleMap } from '@yagura/core/access/role-map';
import { expect, test } from 'vitest';
import { signedInArgs, testOrigin } from '../../signin/test/signed-in-args.ts';
import { loader as findLogs } from './find-session-logs.tsx';
import { action, loader } from './session-logs.tsx';

const sessionId = '01a1fea7-056f-700d-b199-539c2daf0001';
const keyId = '01a1fea7-056f-700d-b199-539c2daf0002';
const sessionPath = `/api/apps/greac/sessions/${sessionId}`;
const keyPath = `/api/apps/greac/log-keys/${keyId}`;
const part = { kind: 'video', part: 1, verdict: 'complete', chunks: 1, bytes: 1, seal: null };

interface Visit {
  roles?: RoleName[];
  /** Replies to be made, by path; every other path is refused. */
  replies?: Record<string, object>;
  /** Statuses of refusals; 403 if absent. */
  statuses?: Record<string, number>;
}

/** Arguments of a loader or action for a user with the roles. */
async function visit(
  path: string,
  { roles = ['greac:auditor'], replies, statuses }: Visit,
  form?: Record<string, string>,
) {
  const known: Record<string, object> = {
    '/api/internal/profile': { privileged: false, roles },
    '/api/internal/apps/policy/role-map': roleMap,
    [`/api/internal/apps/greac/sessions/${sessionId}/log-parts`]: {
      items: [
        { ...part, keyId: null },
        { ...part, part: 2, keyId },
      ],
      ends: [],
      isOpen: false,
    },
    ...replies,
  };
  const fetch = async (url: string) => {
    const { pathname } = new URL(url);
    const reply = known[pathname];
    return reply
      ? Response.json(reply)
      : Response.json({ title: 'Refused' }, { status: statuses?.[pathname] ?? 403 });
  };
  return signedInArgs({ fetch, address: path, params: { sessionId }, headers: { origin: testOrigin }, form });
}

const logsPath = `/apps/greac/sessions/${sessionId}/logs`;
const item = { sessionId, destinationName: 'web1', protocol: 'ssh' };

test('an auditor sees the logs of a session that they do not see, and the key', async () => {
  const data = await loader(await visit(logsPath, {}));
  expect(data).toMatchObject({
    ...{ sessionId, name: sessionId, backHref: '/apps/greac/session-logs', mayBeDesktop: true },
    storedKeyId: keyId,
  });
  expect(data.logs.map(({ kind, parts }) => [kind, parts.length])).toEqual([['video', 2]]);
  expect(data.crumbs.slice(1)).toMatchObject([{ to: '/apps/greac/session-logs' }, { text: sessionId }]);
});

test('a user who is an auditor, too, sees the logs of a session of which they are no member', async () => {
  const roles: RoleName[] = ['greac:user', 'greac:auditor'];
  const data = await loader(await visit(logsPath, { roles, statuses: { [sessionPath]: 404 } }));
  expect(data).toMatchObject({ name: sessionId, storedKeyId: keyId });
});

test.each([true, false])(
  'an administrator sees the session; the key is stored: %s',
  async (hasPrivateKey) => {
    const replies = { [sessionPath]: item, [keyPath]: { keyId, hasPrivateKey } };
    const data = await loader(await visit(logsPath, { roles: ['greac:administrator'], replies }));
    expect(data).toMatchObject({
      ...{ name: 'web1', backHref: `/apps/greac/sessions/${sessionId}`, mayBeDesktop: false },
      storedKeyId: hasPrivateKey ? keyId : null,
    });
    expect(data.crumbs.slice(1, 3)).toMatchObject([
      { to: '/apps/greac/sessions' },
      { to: `/apps/greac/sessions/${sessionId}`, text: 'web1' },
    ]);
  },
);

test('logs that the server refuses are forbidden, whoever sees the session', async () => {
  const log = `/api/internal/apps/greac/sessions/${sessionId}/log-parts`;
  const replies = { [sessionPath]: item, [log]: undefined as unknown as object };
  const refused = await loader(await visit(logsPath, { roles: ['greac:user'], replies })).catch((e) => e);
  expect(refused.headers.get('location')).toMatch(/^\/403/);
});

test('the private key is given to the page, or that the server does not have it', async () => {
  const privateKey = 'AGE-SECRET-KEY-1TEST';
  const replies = { [`${keyPath}/private-key`]: { keyId, privateKey } };
  const fetched = await action(await visit(logsPath, { replies }, { keyId }));
  expect(fetched).toMatchObject({ data: { privateKey } });
  expect(new Headers(fetched.init?.headers).get('cache-control')).toBe('no-store');
  const statuses = { [`${keyPath}/private-key`]: 404 };
  expect(await action(await visit(logsPath, { statuses }, { keyId }))).toMatchObject({
    data: { privateKey: null },
  });
});

const find = async (text: string, roles?: RoleName[]) =>
  findLogs(await visit(`/apps/greac/session-logs?${new URLSearchParams({ session: text })}`, { roles }));

test.each([
  sessionId,
  ` ${sessionId.toUpperCase()} `,
  `${testOrigin}/apps/greac/sessions/${sessionId}`,
  `${testOrigin}/apps/greac/sessions/${sessionId}/logs?x=1`,
  `${testOrigin}/apps/greac/connect/${sessionId}?mode=watch`,
])('%j leads to the logs of the session', async (text) => {
  const reply = (await find(text)) as Response;
  expect([reply.status, reply.headers.get('location')]).toEqual([302, logsPath]);
});

test.each(['', 'web1', 'https://console.test/apps/greac/sessions'])('%j leads nowhere', async (text) => {
  expect(await find(text)).toMatchObject({ given: text });
});

test('the form is for those who may read logs', async () => {
  const refused = await find('', ['greac:user']).catch((thrown) => thrown);
  expect(refused.headers.get('location')).toMatch(/^\/403/);
  expect(await find('', ['greac:administrator'])).toMatchObject({ given: '' });
});
