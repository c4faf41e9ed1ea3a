// Plans and their application against a space that replies as the test says.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AskedRequest, emptyListsAroundScopes, list, reply, StubSpace } from '../../test/stub-space.ts';
import { type TestTerminal, testTerminal } from '../../test/test-terminal.ts';
import { reportError } from '../command-line/report-error.ts';
import { applyPlan } from './apply.ts';
import { runPlan } from './plan.ts';
import { writeFiles } from './write-files.ts';

const space = new StubSpace();
beforeAll(() => space.start());
afterAll(() => space.stop());

const scopes = '/api/apps/alerthub/scopes';
const scope = (scopeId: string, displayName: string, more = {}) => ({
  ...{ scopeId, displayName, remarks: '', thresholds: { warning: 1, incident: 2 }, recoveryTime: null },
  ...{ status: 'normal', severity: 0, ...more },
});
const old = scope('s-old', 'old');
const same = scope('s-same', 'same');
const gone = scope('s-gone', 'gone');

let folder: string;
let shown: TestTerminal;
const at = (name: string) => join(folder, name);
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'yagura-apply-'));
  mkdirSync(at('space'));
  writeFileSync(
    at('space/scopes.yaml'),
    '- displayName: new\n  remarks: first\n- displayName: old\n  remarks: changed\n- displayName: same\n',
  );
  shown = await testTerminal({ env: space.env });
  const tagged = (body: object) => reply({ body, headers: { etag: '"7"' } });
  space.reset({
    [`GET ${scopes}`]: list([old, same, gone]),
    [`GET ${scopes}/s-old`]: tagged(old),
    [`GET ${scopes}/s-gone`]: tagged(gone),
    [`POST ${scopes}`]: reply({ status: 201, body: scope('s-new', 'new') }),
    [`GET ${scopes}/s-new`]: scope('s-new', 'new'),
    [`PUT ${scopes}/s-old`]: old,
    [`DELETE ${scopes}/s-gone`]: reply({ status: 204 }),
    ...emptyListsAroundScopes([old, same, gone].map(({ scopeId }) => scopeId)),
  });
});
afterEach(() => rmSync(folder, { recursive: true }));

const changes = () => space.calls.filter((call) => !call.startsWith('GET'));
const t = (key: Parameters<TestTerminal['terminal']['t']>[0], params = {}) => shown.terminal.t(key, params);

describe('a plan', () => {
  test('has what to create and to update, and leaves the rest alone', async () => {
    await runPlan(shown.terminal, at('space'), {});
    expect(shown.out()).toBe(
      `+ scope "new"\n~ scope "old"\n    remarks: "" → "changed"\n\n${t('plan.counts', {
        create: 1,
        update: 1,
        delete: 0,
        unchanged: 1,
      })}\n${t('plan.left-alone', { count: 1 })}\n`,
    );
    expect(changes()).toEqual([]);
  });

  test('with pruning deletes what is in no file', async () => {
    await runPlan(shown.terminal, at('space'), { prune: true, output: 'json' });
    const { steps, counts } = JSON.parse(shown.out());
    expect(counts).toEqual({ create: 1, update: 1, delete: 1, unchanged: 1, leftAlone: 0 });
    expect(steps.map(({ operation, name }: Record<string, string>) => [operation, name])).toEqual([
      ['create', 'new'],
      ['update', 'old'],
      ['delete', 'gone'],
    ]);
  });

  test('with pruning deletes all items of a kind that occurs without any', async () => {
    writeFileSync(at('space/scopes.yaml'), 'scopes: []\n');
    await runPlan(shown.terminal, at('space'), { output: 'json' });
    expect(JSON.parse(shown.out()).counts).toMatchObject({ delete: 0, leftAlone: 3 });
    await runPlan(shown.terminal, at('space'), { prune: true, output: 'json' });
    expect(JSON.parse(shown.out()).counts).toMatchObject({ create: 0, delete: 3 });
    rmSync(at('space/scopes.yaml'));
    writeFileSync(at('space/scopes.csv'), 'displayName,remarks\n');
    await runPlan(shown.terminal, at('space'), { prune: true, output: 'json' });
    expect(JSON.parse(shown.out()).counts).toMatchObject({ create: 0, delete: 3 });
    writeFileSync(at('space/more.yaml'), '\nscope: []\n');
    await expect(runPlan(shown.terminal, at('space'), { prune: true })).rejects.toMatchObject({
      messageKey: 'plan.faults',
    });
    expect(shown.err()).toContain('more.yaml:2: ');
  });

  test('with pruning has what is deleted with its parent, and so does the way back', async () => {
    const value = { attributeKey: 'site', name: 'site', value: 'Tokyo' };
    space.replies[`GET ${scopes}/s-gone/attributes`] = list([value]);
    space.replies[`GET ${scopes}/s-gone/attributes/site`] = reply({ body: value, headers: { etag: '"3"' } });
    space.replies[`DELETE ${scopes}/s-gone/attributes/site`] = reply({ status: 204 });
    await applyPlan(shown.terminal, at('space'), { yes: true, prune: true, rollback: at('back.json') });
    expect(changes().slice(2)).toEqual([
      `DELETE ${scopes}/s-gone/attributes/site`,
      `DELETE ${scopes}/s-gone`,
    ]);
    const back = JSON.parse(readFileSync(at('back.json'), 'utf8'));
    expect(back.steps).toContainEqual(
      expect.objectContaining({ operation: 'create', kind: 'attribute', after: { value: 'Tokyo' } }),
    );
  });

  test('with pruning keeps what an item of a kind outside the files uses', async () => {
    const rule = { ruleId: 'r-1', displayName: 'Night', eventParams: [{ scopeId: 's-gone' }] };
    space.replies['GET /api/apps/alerthub/rules'] = list([rule]);
    await applyPlan(shown.terminal, at('space'), { yes: true, prune: true, rollback: at('back.json') });
    expect(changes()).toEqual([`POST ${scopes}`, `PUT ${scopes}/s-old`]);
    expect(shown.err()).toContain(
      t('plan.stays', { name: 'scope "gone"', reason: t('problem.in-use', { users: 'rule "Night"' }) }),
    );
    space.replies['GET /api/apps/alerthub/rules'] = reply({ status: 403, body: {} });
    await runPlan(shown.terminal, at('space'), { prune: true });
    expect(shown.out()).toContain('- scope "gone"');
  });

  test('is saved for its owner, and tells by the exit code that there are changes', async () => {
    await expect(
      runPlan(shown.terminal, at('space'), { save: at('plan.json'), detailedExitcode: true }),
    ).rejects.toMatchObject({ code: 2 });
    expect(statSync(at('plan.json')).mode & 0o777).toBe(0o600);
    expect(shown.err()).toContain(t('cli.export.saved', { path: at('plan.json') }));
    writeFileSync(at('space/scopes.yaml'), '- displayName: same\n');
    await runPlan(shown.terminal, at('space'), { detailedExitcode: true });
    await expect(runPlan(shown.terminal, at('space'), { save: at('no/plan.json') })).rejects.toMatchObject({
      messageKey: 'cli.usage.save',
    });
    await expect(runPlan(shown.terminal, at('space'), { output: 'yaml' })).rejects.toMatchObject({
      messageKey: 'cli.usage.choice',
    });
  });

  test('names every error with its file, line and field', async () => {
    writeFileSync(
      at('space/scopes.yaml'),
      '- displayName: a\n  remarks: 5\n- remarks: b\n- displayName: c\n  x: 1\n',
    );
    await expect(runPlan(shown.terminal, at('space'), {})).rejects.toMatchObject({
      messageKey: 'plan.faults',
      params: { count: 3 },
    });
    const said = shown.err().split('\n');
    expect(said.map((line) => line.split(': ').slice(0, 2).join(': '))).toEqual(
      expect.arrayContaining(['scopes.yaml:2: remarks', 'scopes.yaml:3: displayName', 'scopes.yaml:5: x']),
    );
  });
});

describe('applying', () => {
  test('creates, replaces at the version read, and deletes, and saves the way back first', async () => {
    await applyPlan(shown.terminal, at('space'), { yes: true, prune: true });
    expect(changes()).toEqual([`POST ${scopes}`, `PUT ${scopes}/s-old`, `DELETE ${scopes}/s-gone`]);
    expect(space.bodies(`POST ${scopes}`)).toEqual([
      expect.objectContaining({ displayName: 'new', remarks: 'first' }),
    ]);
    expect(space.bodies(`PUT ${scopes}/s-old`)).toEqual([
      { displayName: 'old', remarks: 'changed', thresholds: { warning: 1, incident: 2 }, recoveryTime: null },
    ]);
    for (const call of [`PUT ${scopes}/s-old`, `DELETE ${scopes}/s-gone`])
      expect(space.asked.find((one) => one.call === call)!.headers['if-match']).toBe('"7"');
    expect(shown.out()).toBe(`${t('apply.done', { taken: 3, skipped: 0 })}\n`);
    const said = shown.err();
    for (const [key, name] of [
      ['apply.created', 'new'],
      ['apply.updated', 'old'],
      ['apply.deleted', 'gone'],
    ] as const)
      expect(said).toContain(t(key, { name: `scope "${name}"` }));
    const [, path] = /(\S+\.rollback\.json)/.exec(said)!;
    expect(path!.startsWith(at('space.'))).toBe(true);
    const back = JSON.parse(readFileSync(path!, 'utf8'));
    expect(back.counts).toEqual({ create: 1, update: 1, delete: 1, unchanged: 1, leftAlone: 0 });
    expect(back.steps.map(({ operation, name }: Record<string, string>) => [operation, name])).toEqual(
      expect.arrayContaining([
        ['create', 'gone'],
        ['update', 'old'],
        ['delete', 'new'],
      ]),
    );
    expect(back.planId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test('does nothing without a yes', async () => {
    await expect(applyPlan(shown.terminal, at('space'), {})).rejects.toMatchObject({
      messageKey: 'cli.usage.confirm',
    });
    expect(changes()).toEqual([]);
    // What would be done was shown.
    expect(shown.err()).toContain('+ scope "new"');
  });

  test('a saved plan that was reverted creates again what the server replies from its memory', async () => {
    await runPlan(shown.terminal, at('space'), { save: at('plan.json') });
    const ids = new Map<unknown, string>();
    space.replies[`POST ${scopes}`] = ({ headers }: AskedRequest) => {
      const key = headers['idempotency-key'];
      if (!ids.has(key)) ids.set(key, `s-${ids.size + 1}`);
      return reply({ status: 201, body: scope(ids.get(key)!, 'new') });
    };
    space.replies[`GET ${scopes}/s-1`] = scope('s-1', 'new');
    await applyPlan(shown.terminal, at('plan.json'), { yes: true });
    expect([...ids.values()]).toEqual(['s-1']);
    // Deleted since, and once more.
    for (const [gone, next] of [
      ['s-1', 's-2'],
      ['s-2', 's-3'],
    ]) {
      delete space.replies[`GET ${scopes}/${gone}`];
      space.replies[`GET ${scopes}/${next}`] = scope(next!, 'new');
      await applyPlan(shown.terminal, at('plan.json'), { yes: true });
      expect([...ids.values()].at(-1)).toBe(next);
    }
    delete space.replies[`GET ${scopes}/s-3`];
    await expect(applyPlan(shown.terminal, at('plan.json'), { yes: true })).rejects.toMatchObject({
      messageKey: 'apply.moved-one',
    });
  });

  test('a refused field is named as in the file, not as a flag', async () => {
    const invalidParams = [{ name: 'thresholds.incident', reason: 'too low' }];
    space.replies[`POST ${scopes}`] = reply({ status: 400, problem: 'invalid', body: { invalidParams } });
    const failure = await applyPlan(shown.terminal, at('space'), { yes: true }).catch((error) => error);
    shown.err();
    expect(reportError(shown.terminal, failure)).toBe(2);
    expect(shown.err()).toBe(`${t('cli.invalid')}\n  thresholds.incident: too low\n`);
  });

  test('a saved plan goes on where it was, with the same keys', async () => {
    await runPlan(shown.terminal, at('space'), { save: at('plan.json') });
    shown.out();
    shown.err();
    space.replies[`PUT ${scopes}/s-old`] = reply({ status: 503, problem: 'unavailable' });
    await expect(applyPlan(shown.terminal, at('plan.json'), { yes: true })).rejects.toMatchObject({
      kind: 'unavailable',
    });
    // The step that failed is named before what remains.
    expect(shown.err()).toContain(`\nscope "old"\n${t('apply.stopped', { taken: 1, left: 1 })}`);
    await expect(
      applyPlan(shown.terminal, at('plan.json'), { yes: true, output: 'json' }),
    ).rejects.toMatchObject({ kind: 'unavailable' });
    expect(JSON.parse(shown.out())).toMatchObject({ taken: 1, skipped: 0, left: 1 });
    shown.err();
    space.replies[`PUT ${scopes}/s-old`] = old;
    const key = () =>
      space.asked.findLast(({ call }) => call === `POST ${scopes}`)!.headers['idempotency-key'];
    const first = key();
    await applyPlan(shown.terminal, at('plan.json'), { yes: true });
    expect(key()).toBe(first);
    // The first way back is kept.
    expect(shown.err()).not.toContain('rollback');
    space.replies[`GET ${scopes}`] = list([
      { ...old, remarks: 'changed' },
      same,
      scope('s-new', 'new', { remarks: 'first' }),
    ]);
    space.asked = [];
    shown.out();
    await applyPlan(shown.terminal, at('plan.json'), { output: 'json', detailedExitcode: true });
    expect(changes()).toEqual([]);
    expect(JSON.parse(shown.out())).toMatchObject({ taken: 0, skipped: 2 });
  });

  test('as JSON tells what was done, and by the exit code that something was', async () => {
    const rollback = at('back.json');
    await expect(
      applyPlan(shown.terminal, at('space'), { yes: true, output: 'json', detailedExitcode: true, rollback }),
    ).rejects.toMatchObject({ code: 2 });
    expect(JSON.parse(shown.out())).toMatchObject({ taken: 2, skipped: 0 });
    expect(shown.err()).not.toContain('remarks:');
    expect(existsSync(rollback)).toBe(true);
  });

  test('refuses items that are neither as before nor as after the plan, before anything is done', async () => {
    await runPlan(shown.terminal, at('space'), { save: at('plan.json') });
    shown.err();
    space.replies[`GET ${scopes}`] = list([{ ...old, remarks: 'by hand' }, same]);
    await expect(applyPlan(shown.terminal, at('plan.json'), { yes: true })).rejects.toMatchObject({
      messageKey: 'apply.moved',
      params: { count: 1 },
    });
    expect(changes()).toEqual([]);
    expect(shown.err()).toContain('scope "old"');
  });

  test('refuses an item that moves while the plan is applied', async () => {
    space.replies[`GET ${scopes}/s-old`] = { ...old, remarks: 'by hand' };
    await expect(applyPlan(shown.terminal, at('space'), { yes: true })).rejects.toMatchObject({
      messageKey: 'apply.moved-one',
    });
    expect(changes()).toEqual([`POST ${scopes}`]);
  });

  test('refuses a plan of another space, and a file that is no plan', async () => {
    await runPlan(shown.terminal, at('space'), { save: at('plan.json') });
    const plan = JSON.parse(readFileSync(at('plan.json'), 'utf8'));
    writeFileSync(at('plan.json'), JSON.stringify({ ...plan, origin: 'http://other.example' }));
    await expect(applyPlan(shown.terminal, at('plan.json'), { yes: true })).rejects.toMatchObject({
      messageKey: 'apply.other-space',
    });
    writeFileSync(at('plan.json'), JSON.stringify({ ...plan, steps: 1 }));
    await expect(applyPlan(shown.terminal, at('plan.json'), { yes: true })).rejects.toMatchObject({
      messageKey: 'apply.no-plan',
    });
    for (const source of [at('gone.json'), at('broken.json')]) {
      writeFileSync(at('broken.json'), '{');
      await expect(applyPlan(shown.terminal, source, { yes: true })).rejects.toMatchObject({
        messageKey: 'cli.usage.file',
      });
    }
    // A JSON file of items is a configuration.
    writeFileSync(at('scopes.json'), '[{"displayName": "same"}]');
    await applyPlan(shown.terminal, at('scopes.json'), {});
    expect(shown.out()).toContain(t('plan.nothing'));
    expect(changes()).toEqual([]);
  });

  test('stops between two steps when it is interrupted', async () => {
    const interrupt = new AbortController();
    shown = await testTerminal({ env: space.env, signal: interrupt.signal });
    space.replies[`POST ${scopes}`] = () => {
      queueMicrotask(() => interrupt.abort(new Error('interrupted')));
      return scope('s-new', 'new');
    };
    await expect(applyPlan(shown.terminal, at('space'), { yes: true })).rejects.toThrow();
    expect(changes()).toEqual([`POST ${scopes}`]);
  });
});

test('a part of another item is changed in place, and goes with it', async () => {
  const network = { networkId: 'n1', displayName: 'Office', remarks: '', ksocketSlotIds: [] };
  const settings = {
    ...{ enabled: true, seeds: [], allowed: [], forbidden: [], perKsocket: [] },
    pace: { packetsPerSecond: null, parallelHosts: null },
  };
  const path = '/api/apps/sonar/networks/n1/scan-settings';
  space.reset({
    'GET /api/apps/sonar/networks': list([network]),
    [`GET ${path}`]: { networkId: 'n1', ...settings },
    [`PUT ${path}`]: settings,
    'GET /api/ksocket/slots': list([]),
  });
  writeFileSync(at('space/scopes.yaml'), 'scan-settings:\n  - network: Office\n    seeds: [10.0.0.0/24]\n');
  await applyPlan(shown.terminal, at('space'), { yes: true });
  expect(changes()).toEqual([`PUT ${path}`]);
  expect(space.bodies(`PUT ${path}`)).toEqual([{ ...settings, seeds: ['10.0.0.0/24'] }]);
});

describe('files of a space', () => {
  test('have one file for each kind with items, and kinds that may not be read are left out and named', async () => {
    const empty = Object.fromEntries(
      [
        ...[
          'alerthub/email-action-sender/settings',
          'pigeon/contacts',
          'pigeon/callflows',
          'pigeon/guidances',
        ],
        ...['alerthub/actions', 'alerthub/runbooks', 'alerthub/receive-slots', 'alerthub/rules'],
        ...['kroker/krokers', 'greac/destinations', 'sonar/networks', 'pigeon/notification-settings'],
        'alerthub/notification-settings/emails',
      ].map((path) => [`GET /api/apps/${path}`, list([])]),
    );
    Object.assign(space.replies, empty, {
      'GET /api/ksocket/slots': list([]),
      'GET /api/tasks/schedules': list([]),
      'GET /api/space/users': reply({ status: 403, problem: 'forbidden' }),
      'GET /api/space/user-groups': reply({ status: 403, problem: 'forbidden' }),
    });
    for (const { scopeId } of [old, same, gone])
      for (const part of ['attributes', 'mute-schedules', 'triggers'])
        space.replies[`GET ${scopes}/${scopeId}/${part}`] = list([]);
    await writeFiles(shown.terminal, at('out'));
    const text = readFileSync(at('out/scopes.yaml'), 'utf8');
    expect(text.startsWith(`# ${t('plan.file-head')}\n`)).toBe(true);
    expect(text).toContain('- displayName: old\n');
    const unreadable = ['users', 'user-groups', 'user-group-members'].join(', ');
    expect(shown.err()).toBe(
      `${t('cli.export.saved', { path: at('out/scopes.yaml') })}\n${t('plan.unreadable', { kinds: unreadable })}\n`,
    );
    // Files of an earlier export: what is gone must not come back, what may not be read stays.
    for (const name of ['triggers', 'users', 'user-group-members'])
      writeFileSync(at(`out/${name}.yaml`), `${name}:\n  - displayName: earlier\n`);
    await writeFiles(shown.terminal, at('out'));
    expect(readFileSync(at('out/triggers.yaml'), 'utf8')).toBe(`# ${t('plan.file-head')}\ntriggers: []\n`);
    for (const name of ['users', 'user-group-members']) {
      expect(readFileSync(at(`out/${name}.yaml`), 'utf8')).toContain('earlier');
      rmSync(at(`out/${name}.yaml`));
    }
    // What was written plans to nothing.
    await runPlan(shown.terminal, at('out'), { prune: true });
    expect(shown.out()).toBe(`${t('plan.nothing')}\n`);
  });
});
