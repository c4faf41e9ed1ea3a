// What pruning reads, keeps and says, against a space that replies as the test says.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type AskedRequest, emptyListsAroundScopes, list, reply, StubSpace } from '../../test/stub-space.ts';
import { type TestTerminal, testTerminal } from '../../test/test-terminal.ts';
import { applyPlan } from './apply.ts';
import { runPlan } from './plan.ts';
import { writeFiles } from './write-files.ts';

const space = new StubSpace();
beforeAll(() => space.start());
afterAll(() => space.stop());

const scopes = '/api/apps/alerthub/scopes';
const scope = (scopeId: string) => ({
  ...{ scopeId, displayName: scopeId, remarks: '', thresholds: { warning: 1, incident: 2 } },
  recoveryTime: null,
});
const kroker = { krokerId: 'k-1', displayName: 'Site', remarks: '' };
const notifications = '/api/apps/kroker/kroker-notification-settings';

let folder: string;
let shown: TestTerminal;
const at = (name: string) => join(folder, name);
const t = (key: Parameters<TestTerminal['terminal']['t']>[0], params = {}) => shown.terminal.t(key, params);
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'yagura-prune-'));
  mkdirSync(at('space'));
  shown = await testTerminal({ env: space.env });
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A space with these scopes, and nothing else. */
function resetScopes(items: ReturnType<typeof scope>[]): void {
  space.reset({
    [`GET ${scopes}`]: ({ query }: AskedRequest) => {
      const offset = Number(query.offset ?? 0);
      return list(items.slice(offset, offset + Number(query.limit)), items.length);
    },
    ...emptyListsAroundScopes(items.map(({ scopeId }) => scopeId)),
  });
}

test('asks nothing twice, and what is below an item only when that is deleted', async () => {
  const items = Array.from({ length: 450 }, (_, number) => scope(`s-${number}`));
  resetScopes(items);
  const desired = items.slice(1).map(({ displayName }) => `- displayName: ${displayName}\n`);
  writeFileSync(at('space/scopes.yaml'), desired.join(''));
  await runPlan(shown.terminal, at('space'), { prune: true, output: 'json' });
  expect(JSON.parse(shown.out()).counts).toMatchObject({ delete: 1, unchanged: 449 });
  const asked = space.asked.map(({ call, query }) => `${call} ${query.offset ?? ''}`);
  expect(new Set(asked).size).toBe(asked.length);
  const below = space.calls.filter((call) => call.startsWith(`GET ${scopes}/`));
  expect(below.sort()).toEqual(
    ['attributes', 'mute-schedules', 'triggers'].map((part) => `GET ${scopes}/s-0/${part}`),
  );
});

test('a saved plan is applied after reading only the parents of its steps', async () => {
  resetScopes(['a', 'b', 'c'].map(scope));
  writeFileSync(at('space/attributes.csv'), 'scope,name,value\nb,site,Tokyo\n');
  await runPlan(shown.terminal, at('space'), { save: at('plan.json') });
  space.asked = [];
  space.replies[`PUT ${scopes}/b/attributes/site`] = { attributeKey: 'site', name: 'site', value: 'Tokyo' };
  await applyPlan(shown.terminal, at('plan.json'), { yes: true });
  expect(space.calls.filter((call) => call.includes('/attributes'))).toEqual([
    `GET ${scopes}/b/attributes`,
    `PUT ${scopes}/b/attributes/site`,
  ]);
});

test('keeps what an item refers to that files cannot have, and does not say that the space matches', async () => {
  space.reset({
    'GET /api/apps/kroker/krokers': list([kroker]),
    'GET /api/apps/greac/destinations': list([]),
    [`GET ${notifications}`]: list([
      { krokerNotificationSettingId: 'n-1', displayName: 'On call', krokerIds: ['k-1'] },
    ]),
    'GET /api/space/users': list([]),
    'GET /api/space/user-groups': list([]),
    'GET /api/apps/kroker/krokers/k-1/credentials': list([]),
  });
  writeFileSync(at('space/krokers.yaml'), 'krokers: []\n');
  await runPlan(shown.terminal, at('space'), { prune: true });
  const [kept, rest] = shown.out().trim().split('\n');
  expect(kept).toContain('"Site"');
  expect(kept).toContain('"On call"');
  expect(rest).toBe(t('plan.nothing-else'));
});

test('does not delete the caller when the files have the kind without users', async () => {
  const user = { displayName: 'Ann', email: 'ann@example.com', roles: [], disabled: false };
  space.reset({
    'GET /api/space/users': list([{ ...user, userId: 'u-1' }]),
    'GET /api/internal/profile': { userId: 'u-1' },
    'GET /api/space/user-groups': list([]),
  });
  writeFileSync(at('space/users.yaml'), 'users: []\n');
  await runPlan(shown.terminal, at('space'), { prune: true });
  expect(shown.out()).toContain(t('plan.kept-self'));
});

test('does not disable the caller', async () => {
  const user = { displayName: 'Ann', email: 'ann@example.com', roles: [], disabled: false };
  const users = [
    { ...user, userId: 'u-1' },
    { ...user, userId: 'u-2', displayName: 'Ben', email: 'ben@example.com' },
  ];
  space.reset({
    'GET /api/space/users': list(users),
    'GET /api/internal/profile': { userId: 'u-1' },
    'GET /api/space/user-groups': list([]),
  });
  const disabled = (email: string) =>
    writeFileSync(at('space/users.yaml'), `- email: ${email}\n  displayName: Ann\n  disabled: true\n`);
  disabled('ben@example.com');
  await runPlan(shown.terminal, at('space'), {});
  expect(shown.out()).toContain('ben@example.com');
  disabled('ann@example.com');
  await expect(runPlan(shown.terminal, at('space'), {})).rejects.toMatchObject({ messageKey: 'plan.faults' });
  expect(shown.err()).toContain(t('users.not-yourself'));
});

test('a failure names each step that did not succeed, with its reason', async () => {
  resetScopes([]);
  writeFileSync(at('space/scopes.yaml'), '- displayName: a\n- displayName: b\n- displayName: c\n');
  space.replies[`POST ${scopes}`] = ({ body }: AskedRequest) => {
    const { displayName } = JSON.parse(body);
    return displayName === 'b'
      ? reply({ status: 201, body: scope('b') })
      : reply({ status: 409, problem: 'not-possible', body: { detail: `no ${displayName}` } });
  };
  await expect(applyPlan(shown.terminal, at('space'), { yes: true })).rejects.toMatchObject({ status: 409 });
  const said = shown.err();
  expect(said).toContain(t('apply.created', { name: 'scope "b"' }));
  for (const name of ['a', 'c']) expect(said).toMatch(new RegExp(`^scope "${name}"`, 'm'));
  expect(said).toMatch(/^scope "[ac]": .*no [ac]$/m);
  expect(said).toContain(t('apply.stopped', { taken: 1, left: 2 }));
});

test('an export is in the order of names, with variables of secrets that follow from them', async () => {
  const settings = ['Zebra', '本番', 'a-b', 'A b'].map((displayName, number) => ({
    ...{ emailActionSenderSettingId: `e-${number}`, displayName, from: { email: 'a@example.com' } },
    ...{ provider: 'sendgrid', parameters: {} },
  }));
  space.reset(
    new Proxy(
      {},
      {
        get: (_, call) =>
          call === 'GET /api/apps/alerthub/email-action-sender/settings'
            ? list(settings)
            : reply({ status: 403, problem: 'forbidden' }),
      },
    ),
  );
  await writeFiles(shown.terminal, at('out'));
  const text = readFileSync(at('out/email-action-sender-settings.yaml'), 'utf8');
  const variables = () => [...text.matchAll(/\$env: (\S+)/g)].map(([, name]) => name);
  const start = 'EMAIL_ACTION_SENDER_SETTINGS_';
  expect(variables()).toEqual([
    expect.stringMatching(new RegExp(`^${start}A_B_[0-9A-F]{8}_PARAMETERS_APIKEY$`)),
    `${start}ZEBRA_PARAMETERS_APIKEY`,
    expect.stringMatching(new RegExp(`^${start}A_B_[0-9A-F]{8}_PARAMETERS_APIKEY$`)),
    expect.stringMatching(new RegExp(`^${start}[0-9A-F]{8}_PARAMETERS_APIKEY$`)),
  ]);
  expect(new Set(variables()).size).toBe(4);
});
