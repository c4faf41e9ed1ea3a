// Refusals in the language of the caller: title, detail and fields. Types and codes stay the same.
import { ipBlockedDetail, type ProblemBody } from '@yagura/core/http/problem';
import { encryptCredential } from '@yagura/core/kroker/encrypt-credential';
import { setupPaths } from '@yagura/core/kroker/kroker-setup';
import { setUpKroker } from '@yagura/fixtures/testbed/kroker-machine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiCall, type ApiCallOptions, createApiCall } from '../support/api-request.ts';
import { type Fixtures, seedFixtures } from '../support/seed-fixtures.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const none = '0190a0a0-0000-7000-8000-000000000000';
const greac = '/api/apps/greac';
const alerthub = '/api/apps/alerthub';

let server: TestServer;
let fixtures: Fixtures;
let callApi: ApiCall;
/** Signed in, for internal calls. */
let inside: ApiCall;
let krokerId: string;
let encryptedData: string;
const sessions: Record<'closed' | 'withoutKroker' | 'opened', string> = {
  closed: '',
  withoutKroker: '',
  opened: '',
};

beforeAll(async () => {
  server = (await startTestServer())!;
  fixtures = await seedFixtures(server);
  callApi = createApiCall(server.transportAs('privileged'));
  inside = createApiCall(await server.signedIn('privileged'));
  const make = async (path: string, body: object) =>
    (await callApi('POST', path, body)).data as Record<string, string>;
  krokerId = (await make('/api/apps/kroker/krokers', { displayName: 'new' })).krokerId!;
  const machine = await setUpKroker(server.transportAs('privileged'), { displayName: 'gateway' });
  encryptedData = await encryptCredential(
    { credentialType: 'password', username: 'root', password: 'Correct-horse-9' },
    { ...machine, krokerId },
  );
  const { destinationId } = await make(`${greac}/destinations`, { displayName: 'alone', host: 'web-01' });
  sessions.opened = fixtures.params.sessionId!;
  sessions.withoutKroker = (await make(`${greac}/sessions`, { destinationId })).sessionId!;
  sessions.closed = (await make(`${greac}/sessions`, { destinationId })).sessionId!;
  await callApi('POST', `${greac}/sessions/${sessions.closed}/close`);
}, 60_000);
afterAll(() => server?.stop());

async function refusal(
  language: string,
  method: string,
  path: string,
  body?: unknown,
  options: ApiCallOptions = {},
): Promise<ProblemBody> {
  const by = path.startsWith('/api/internal/') ? inside : callApi;
  const headers = { ...options.headers, 'accept-language': language };
  const reply = await by(method, path, body, { ...options, headers });
  expect(reply.status, reply.text).toBeGreaterThanOrEqual(400);
  return reply.data as ProblemBody;
}

test.each<[string, () => [string, string, unknown?, ApiCallOptions?], [string, string], [string, string]]>([
  [
    'a destination with an open session',
    () => ['DELETE', `${greac}/destinations/${fixtures.params.destinationId}`],
    ['Still in use', '1 session is open at this destination'],
    ['使用中です', 'この接続先のセッションが1件開いています'],
  ],
  [
    'a closed session',
    () => ['POST', `${greac}/sessions/${sessions.closed}/close`],
    ['Session closed', 'the session is already closed'],
    ['セッションは終了しています', 'セッションはすでに終了しています'],
  ],
  [
    'a stream of a closed session',
    () => ['POST', `${greac}/sessions/${sessions.closed}/attach`],
    ['SESSION_CLOSED', 'the session is already closed'],
    ['SESSION_CLOSED', 'セッションはすでに終了しています'],
  ],
  [
    'a session without a Kroker',
    () => ['POST', `${greac}/sessions/${sessions.withoutKroker}/attach`],
    ['NO_KROKER', 'the destination has no Kroker'],
    ['NO_KROKER', '接続先にKrokerが設定されていません'],
  ],
  [
    'a Kroker that is not connected',
    () => ['POST', `${greac}/sessions/${sessions.opened}/attach`],
    ['GATEWAY_AWAY', 'the Kroker is not connected'],
    ['GATEWAY_AWAY', 'Krokerが接続されていません'],
  ],
  [
    'files of a session that is not connected',
    () => ['GET', `/api/internal/apps/greac/storage/${sessions.opened}/files`],
    ['Not found', 'the session is not connected, so there are no files to list'],
    ['見つかりません', 'セッションが接続されていないため、ファイルの一覧を取得できません'],
  ],
  [
    'a recording that does not exist',
    () => ['GET', `/api/internal/apps/greac/sessions/${sessions.closed}/video-log?part=2`],
    ['Not found', 'the video log of this session has no part 2'],
    ['見つかりません', 'このセッションのビデオログにパート2はありません'],
  ],
  [
    'a private key that does not exist',
    () => ['GET', `${greac}/log-keys/${none}/private-key`],
    ['Not found', 'no private key is stored with this ID'],
    ['見つかりません', 'このIDの秘密鍵は保存されていません'],
  ],
  [
    'a credential for a Kroker without a key',
    () => [
      'POST',
      `/api/internal/apps/kroker/krokers/${krokerId}/credentials`,
      { displayName: 'root', encryptedData },
    ],
    ['Conflict', 'this Kroker has not been set up yet and has no key'],
    ['現在の状態と競合しています', 'このKrokerはまだセットアップされておらず、鍵がありません'],
  ],
  [
    'the setup of a Kroker under an unknown code',
    () => ['GET', '/api/apps/kroker/setups/BCDF-GHJK'],
    ['Not found', 'no machine is waiting with this code'],
    ['見つかりません', 'このコードで待機しているマシンはありません'],
  ],
  [
    'a setup that is over, for the machine',
    () => ['POST', setupPaths.collect, { deviceCode: 'a'.repeat(43) }],
    ['Not found', 'this setup has ended; start again'],
    ['見つかりません', 'このセットアップは終了しました。最初からやり直してください。'],
  ],
  [
    'a task that does not exist',
    () => ['POST', `/api/tasks/${none}/abort`],
    ['Not found', 'no task has this ID'],
    ['見つかりません', 'このIDのタスクはありません'],
  ],
  [
    'a managed node that does not exist',
    () => ['DELETE', `/api/apps/sonar/networks/${fixtures.params.networkId}/managed-nodes/${none}`],
    ['Not found', 'no managed node has this ID'],
    ['見つかりません', 'このIDの管理ノードはありません'],
  ],
  [
    'a user that does not exist',
    () => ['GET', `/api/space/users/${none}`],
    ['Not found', 'no user has this ID'],
    ['見つかりません', 'このIDのユーザーはありません'],
  ],
  [
    'an import that is no upload',
    () => ['POST', `${alerthub}/bulk-operations/scopes/imports`, {}],
    ['Unsupported media type', 'send multipart/form-data'],
    ['この形式のデータは受け付けていません', 'multipart/form-dataで送信してください'],
  ],
  [
    'a body that is too large',
    () => ['POST', `${alerthub}/scopes`, { displayName: 'x'.repeat(300 * 1024) }],
    ['Too large', 'the body may have at most 256 kB'],
    ['サイズが大きすぎます', '本文のサイズは256 kBまでです'],
  ],
  [
    'a body that is no JSON',
    () => ['POST', `${alerthub}/scopes`, undefined, { raw: 'a', headers: { 'content-type': 'text/plain' } }],
    ['Unsupported media type', 'send application/json'],
    ['この形式のデータは受け付けていません', 'application/jsonで送信してください'],
  ],
  [
    'an Idempotency-Key that is too long',
    () => [
      'POST',
      `${alerthub}/scopes`,
      { displayName: 'key' },
      { headers: { 'idempotency-key': 'k'.repeat(256) } },
    ],
    ['Invalid request', 'Idempotency-Key: at most 255 characters'],
    ['リクエストに誤りがあります', 'Idempotency-Keyは255文字までです'],
  ],
  [
    'a call that does not exist',
    () => ['GET', '/api/nothing'],
    ['Not found', 'no such call'],
    ['見つかりません', 'このAPIはありません'],
  ],
])('%s', async (_name, request, english, japanese) => {
  const en = await refusal('en', ...request());
  const ja = await refusal('ja', ...request());
  expect([en.title, en.detail]).toEqual(english);
  expect([ja.title, ja.detail]).toEqual(japanese);
  expect(ja).toMatchObject({ type: en.type, status: en.status });
});

test('a name in use has a title and a reason at its field', async () => {
  const body = { displayName: 'alone', host: 'web-02' };
  const [en, ja] = [
    await refusal('en', 'POST', `${greac}/destinations`, body),
    await refusal('ja', 'POST', `${greac}/destinations`, body),
  ];
  expect([en.title, ja.title]).toEqual(['Already exists', 'すでに存在します']);
  expect(ja.invalidParams![0]!.reason).toMatch(/[ぁ-ん]/);
});

test('an internal call without its header or with an API token', async () => {
  const ask = async (headers: Record<string, string>) => {
    const path = '/api/internal/profile/mfa';
    const reply = await fetch(server.origin + path, { headers: { 'accept-language': 'ja', ...headers } });
    return ((await reply.json()) as ProblemBody).detail;
  };
  const made = await callApi('POST', '/api/space/api-tokens', { displayName: 'language' });
  const token = { 'x-authorization': `Token ${(made.data as { token: string }).token}` };
  expect(await ask(token)).toMatch(/^内部の呼び出しにはヘッダー/);
  expect(await ask({ ...token, 'x-requested-with': 'XMLHttpRequest' })).toBe(
    'この呼び出しにはユーザーとしてのサインインが必要です。APIトークンは使用できません',
  );
});

test('an API token that has expired, which only its holder is told', async () => {
  const expiresAt = new Date(Date.now() + 1000).toISOString();
  const made = await callApi('POST', '/api/space/api-tokens', { displayName: 'short-lived', expiresAt });
  const { token } = made.data as { token: string };
  const ask = async (language: string, secret: string) => {
    const headers = { 'accept-language': language, 'x-authorization': `Token ${secret}` };
    const reply = await fetch(`${server.origin}/api/space`, { headers });
    return { status: reply.status, detail: ((await reply.json()) as Partial<ProblemBody>).detail };
  };
  await expect.poll(async () => (await ask('en', token)).status, { timeout: 10_000 }).toBe(401);
  expect(await ask('en', token)).toEqual({ status: 401, detail: `the API token expired at ${expiresAt}` });
  expect(await ask('ja', token)).toEqual({
    status: 401,
    detail: `このAPIトークンは ${expiresAt} に期限が切れました`,
  });
  expect(await ask('en', `${token}x`)).toEqual({ status: 401, detail: undefined });
});

test('clients recognize the IP restriction by its text, so that one stays', async () => {
  server.services.ipGuard.permits = () => false;
  expect((await refusal('ja', 'GET', `${alerthub}/scopes`)).detail).toBe(ipBlockedDetail);
});
