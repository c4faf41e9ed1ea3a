import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { list, reply, StubSpace } from '../../test/stub-space.ts';
import { testTerminal } from '../../test/test-terminal.ts';
import { showStatus } from './status.ts';

const space = new StubSpace();
beforeAll(() => space.start());
afterAll(() => space.stop());

const now = Date.parse('2026-01-02T00:00:00.000Z');
const paths = {
  scope: 'GET /api/apps/alerthub/scopes',
  slot: 'GET /api/apps/alerthub/receive-slots',
  action: 'GET /api/apps/alerthub/action-records',
  runbook: 'GET /api/apps/alerthub/runbook-records',
  result: 'GET /api/apps/pigeon/results',
  task: 'GET /api/tasks',
  agent: 'GET /api/ksocket/slots',
  kroker: 'GET /api/apps/kroker/krokers',
  mail: 'GET /api/internal/mail-log',
};

describe('the status of a space', () => {
  beforeEach(() =>
    space.reset({
      'GET /api/space': reply({
        body: { displayName: 'Harbour' },
        headers: { date: new Date(now).toUTCString() },
      }),
      ...Object.fromEntries(Object.values(paths).map((call) => [call, list([])])),
    }),
  );

  async function status(options: object, live = false, clock = now) {
    const { terminal, out, err } = await testTerminal({ env: space.env, live });
    await showStatus({ ...terminal, now: () => clock }, options);
    return { out: out(), err: err() };
  }
  const rows = async () => JSON.parse((await status({ output: 'json' })).out) as Record<string, unknown>[];

  test('has every part in its order, with what is wrong and the command that shows it', async () => {
    space.replies[paths.scope] = ({ query }: { query: Record<string, string> }) =>
      list([], query.filter === 'status eq "incident"' ? 2 : 1);
    space.replies[paths.slot] = list([{}], 1);
    space.replies[paths.task] = list([{}], 7);
    space.replies[paths.agent] = ({ query }: { query: Record<string, string> }) =>
      list([], query.filter === 'agentState eq "conflict"' ? 1 : 0);
    const none = { state: 'good', count: 0, command: '' };
    expect(await rows()).toEqual([
      { state: 'bad', what: 'incidents', count: 2, command: 'yagura alerts' },
      { state: 'attention', what: 'warnings', count: 1, command: 'yagura alerts' },
      {
        state: 'bad',
        what: 'slots',
        count: 1,
        command: `yagura alerthub receive-slots list --filter 'watchState eq "overdue"'`,
      },
      ...['actions', 'runbooks', 'calls'].map((what) => ({ ...none, what })),
      {
        state: 'attention',
        what: 'tasks',
        count: 7,
        command: expect.stringContaining(`tasks list --filter 'status eq "failed"'`),
      },
      { ...none, what: 'agents' },
      {
        state: 'bad',
        what: 'conflicts',
        count: 1,
        command: `yagura ksocket ksocket-slots list --filter 'agentState eq "conflict"'`,
      },
      ...['krokers', 'mails'].map((what) => ({ ...none, what })),
    ]);
  });

  test.each([
    ['action', 'bad'],
    ['runbook', 'bad'],
    ['result', 'bad'],
    ['task', 'attention'],
    ['kroker', 'attention'],
    ['mail', 'bad'],
  ] as const)('a failure of %s is %s', async (part, state) => {
    space.replies[paths[part]] = list([{}], 1);
    expect((await rows()).filter(({ count }) => count === 1)).toMatchObject([{ state }]);
  });

  test('a Ksocket without an agent is attention', async () => {
    space.replies[paths.agent] = ({ query }: { query: Record<string, string> }) =>
      list([], query.filter === 'connection eq "unconnected"' ? 1 : 0);
    expect((await rows()).filter(({ count }) => count === 1)).toMatchObject([{ state: 'attention' }]);
  });

  test('asks for the number alone, of the last 24 hours where failures pass', async () => {
    await rows();
    const filters = (call: string) =>
      space.asked.filter((one) => one.call === call).map(({ query }) => query);
    expect(filters(paths.scope)).toEqual([
      { limit: '1', filter: 'status eq "incident"' },
      { limit: '1', filter: 'status eq "warning"' },
    ]);
    const times = {
      ...{ action: 'createdAt', runbook: 'requestedAt', result: 'createdAt' },
      ...{ task: 'createdAt', mail: 'createdAt' },
    };
    for (const [part, time] of Object.entries(times))
      expect(filters(paths[part as keyof typeof paths])[0]!.filter).toBe(
        `status eq "failed" and ${time} ge "2026-01-01T00:00:00.000Z"`,
      );
    expect(filters(paths.agent)[0]!.filter).toBe('connection eq "unconnected"');
    expect(filters(paths.kroker)[0]!.filter).toBe('connectionState eq "unconnected"');
  });

  test('takes the last 24 hours by the clock of the space where the own one is wrong', async () => {
    await status({ output: 'json' }, false, now - 5 * 3_600_000);
    const { query } = space.asked.find(({ call }) => call === paths.task)!;
    expect(query.filter).toContain('createdAt ge "2026-01-01T00:00:00.000Z"');
  });

  test('hides what may not be listed, also the space itself', async () => {
    space.replies['GET /api/space'] = reply({ status: 403, problem: 'forbidden' });
    space.replies[paths.mail] = reply({ status: 403, problem: 'forbidden' });
    expect((await rows()).at(-1)).toEqual({ state: 'hidden', what: 'mails', count: null, command: '' });
  });

  test.each(['GET /api/space', paths.mail])('fails when %s fails otherwise', async (call) => {
    space.replies[call] = reply({ status: 401, problem: 'sign-in-required' });
    await expect(rows()).rejects.toMatchObject({ kind: 'sign-in-required' });
  });

  test('has words for a person, and names for a pipe', async () => {
    const person = await status({}, true);
    expect(person.err).toContain(space.origin);
    const { terminal } = await testTerminal();
    expect(person.out).toContain(terminal.t('cli.status.incidents'));
    const pipe = await status({});
    expect(pipe.out.split('\n')[0]).toBe('good\tincidents\t0\t');
  });
});
