// What the full-screen view sends for actions, forms and the editor, and what it tells the user.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { testContext } from '../../../test/start-test-tui.tsx';
import { list, reply, StubSpace } from '../../../test/stub-space.ts';
import { testTerminal } from '../../../test/test-terminal.ts';
import { resourceNamed } from '../../resource/meta/resource-client.ts';
import { openSession, type Session } from '../../signin/session.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { formatTuiError } from '../format-tui-error.ts';
import { Screen } from '../screen/screen.ts';
import type { AppContext } from '../state/app-context.ts';
import { actionsOf, newItemAction, type ResourceAction } from '../state/resource-actions.ts';
import type { ActionSubject } from '../state/state.ts';
import { consolePath, createEffects } from './create-effects.ts';
import { editItem } from './edit-item.ts';
import { performAction } from './perform-action.ts';
import { loadForm, submitForm } from './submit-form.ts';

const space = new StubSpace();
let session: Session;
let terminal: Terminal;
let context: AppContext;
beforeAll(() => space.start());
afterAll(() => space.stop());
beforeEach(async () => {
  space.reset();
  ({ terminal } = await testTerminal({ env: space.env }));
  session = openSession(terminal);
  context = await testContext();
});
afterEach(() => vi.restoreAllMocks());

const signal = new AbortController().signal;
const scopes = '/api/apps/alerthub/scopes';
const rules = '/api/apps/alerthub/rules';
const actionNamed = (resource: string, name: string) =>
  actionsOf(resourceNamed(resource)).find((one) => one.name === name)!;
const subject = (id: string | undefined, title = id ?? ''): ActionSubject => ({
  id,
  title,
  params: {},
  row: undefined,
});
const act = (name: string) => context.t(`tui.act.${name}` as never);

describe('an action', () => {
  const perform = async (resource: string, name: string, subjects: ActionSubject[], note?: string) => {
    const progress: string[] = [];
    const outcome = await performAction(
      session.transport,
      { t: context.t, formatError: (error) => formatTuiError(terminal, error) },
      {
        act: 'perform',
        resource,
        action: actionNamed(resource, name),
        subjects,
        ...(note === undefined ? {} : { note }),
      },
      (text) => progress.push(text),
      signal,
    );
    return { outcome, progress };
  };

  test('on one item tells what was done, or why not', async () => {
    space.replies[`DELETE ${scopes}/s`] = reply({ status: 204 });
    expect((await perform('scope', 'delete', [subject('s', 'web')])).outcome).toEqual({
      text: context.t('tui.done', { act: act('delete'), what: 'web' }),
      failed: false,
    });
    space.replies[`DELETE ${scopes}/s`] = reply({
      status: 409,
      problem: 'conflict',
      body: { detail: 'in use' },
    });
    const { outcome } = await perform('scope', 'delete', [subject('s', 'web')]);
    expect(outcome).toMatchObject({ failed: true });
    expect(outcome.text).toContain('web: ');
    expect(outcome.text).toContain('in use');
  });

  test('on several lists each, what failed first, and counts', async () => {
    space.replies[`DELETE ${scopes}/a`] = reply({ status: 204 });
    space.replies[`DELETE ${scopes}/b`] = reply({ status: 409, problem: 'conflict' });
    space.replies[`DELETE ${scopes}/c`] = reply({ status: 204 });
    const some = await perform(
      'scope',
      'delete',
      ['a', 'b', 'c'].map((id) => subject(id)),
    );
    expect(some.outcome).toMatchObject({
      text: context.t('tui.failed.many', { act: act('delete'), count: 2, failed: 1 }),
      failed: true,
    });
    expect(some.outcome.lines!.map(({ style }) => style)).toEqual(['danger', 'success', 'success']);
    expect(some.progress.at(-1)).toBe(context.t('tui.progress', { act: act('delete'), done: 3, total: 3 }));
    expect(
      (
        await perform(
          'scope',
          'delete',
          ['a', 'c'].map((id) => subject(id)),
        )
      ).outcome,
    ).toMatchObject({
      text: context.t('tui.done.many', { act: act('delete'), count: 2 }),
      failed: false,
    });
  });

  test('that is canceled completes what was started and starts nothing more', async () => {
    const subjects = Array.from({ length: 25 }, (_, index) => subject(`s${index}`));
    for (const { id } of subjects) space.replies[`DELETE ${scopes}/${id}`] = reply({ status: 204 });
    space.calls.length = 0;
    const canceling = new AbortController();
    const outcome = await performAction(
      session.transport,
      { t: context.t, formatError: String },
      { act: 'perform', resource: 'scope', action: actionNamed('scope', 'delete'), subjects },
      () => canceling.abort(),
      canceling.signal,
    );
    expect(outcome).toEqual({
      text: context.t('tui.canceled.many', { act: act('delete'), count: 10, failed: 0, left: 15 }),
      failed: true,
    });
    expect(space.calls).toHaveLength(10);
  });

  test('switches one field where that is possible', async () => {
    space.replies[`PATCH ${rules}/r`] = { ruleId: 'r' };
    await perform('rule', 'disable', [subject('r')]);
    await perform('rule', 'enable', [subject('r')]);
    expect(space.bodies(`PATCH ${rules}/r`)).toEqual([{ disabled: true }, { disabled: false }]);
  });

  test('switches a whole item at the version that was read', async () => {
    const path = '/api/apps/alerthub/receive-slots/l';
    const slot = { receiveSlotId: 'l', displayName: 'in', disabled: false, createdAt: 'x' };
    space.replies[`GET ${path}`] = reply({ body: slot, headers: { etag: '"3"' } });
    space.replies[`PUT ${path}`] = slot;
    await perform('receive-slot', 'disable', [subject('l')]);
    expect(space.bodies(`PUT ${path}`)).toEqual([{ displayName: 'in', disabled: true }]);
    expect(space.asked.at(-1)!.headers['if-match']).toBe('"3"');
    space.replies[`GET ${path}`] = slot;
    await perform('receive-slot', 'disable', [subject('l')]);
    expect(space.asked.at(-1)!.headers['if-match']).toBeUndefined();
  });

  test('is a call with the id in its path or body, or on the children of the item', async () => {
    space.replies[`POST ${scopes}/s/severities/reset`] = {};
    space.replies[`PUT ${scopes}/s/severities/reset`] = {};
    space.replies['POST /api/apps/pigeon/chain/abort'] = { resultId: 'x', status: 'requested' };
    space.replies['POST /api/tasks'] = { taskId: 't', snapshotId: 'n', status: 'requested' };
    await perform('scope', 'reset', [subject('s')]);
    expect(space.calls.at(-1)).toMatch(new RegExp(`^\\w+ ${scopes}/s/severities`));
    await perform('result', 'abort', [subject('x')]);
    expect(space.bodies('POST /api/apps/pigeon/chain/abort')).toEqual([{ resultId: 'x' }]);
    await perform('network', 'scan', [subject('n')]);
    expect(space.bodies('POST /api/tasks')).toMatchObject([{ method: 'scan', params: { networkId: 'n' } }]);
  });

  test('acknowledges only the status that the user saw', async () => {
    space.replies[`POST ${scopes}/s/acknowledge`] = {};
    const row = { raisedAt: '2026-01-01T00:00:00Z', acknowledgedAt: null };
    await perform('scope', 'acknowledge', [{ ...subject('s'), row }], 'on it');
    await perform('scope', 'acknowledge', [subject('s')], '');
    expect(space.bodies(`POST ${scopes}/s/acknowledge`)).toEqual([
      { raisedAt: row.raisedAt, note: 'on it' },
      {},
    ]);
  });
});

describe('a form', () => {
  const form = (resource: string, action: ResourceAction, id?: string) => ({
    resource,
    action,
    subject: subject(id, 'web'),
  });
  const submit = (
    request: ReturnType<typeof form>,
    texts: Record<string, string>,
    { base = {}, etag }: { base?: Record<string, unknown>; etag?: string } = {},
  ) =>
    submitForm(
      session.transport,
      context,
      { act: 'submit', serial: 1, ...request, meta: request.action.bodyFields!, texts, base, etag },
      signal,
    );
  const edit = form('scope', actionNamed('scope', 'edit'), 's');
  const create = form('scope', newItemAction(resourceNamed('scope'))!);

  test('opens with the item and its version, a new one with the defaults', async () => {
    const item = { scopeId: 's', displayName: 'web', recoveryTime: null, status: 'normal' };
    space.replies[`GET ${scopes}/s`] = reply({ body: item, headers: { etag: '"3"' } });
    const thresholds = { warning: 1, incident: 2 };
    expect(await loadForm(session.transport, edit, signal)).toEqual({
      base: { displayName: 'web', recoveryTime: null, remarks: '', thresholds },
      etag: '"3"',
    });
    space.asked = [];
    expect(await loadForm(session.transport, create, signal)).toEqual({
      base: { recoveryTime: null, remarks: '', thresholds },
      etag: undefined,
    });
    expect(space.calls).toEqual([]);
  });

  test('of an item that is made by its first change opens empty, another one that is gone does not', async () => {
    const attribute = form('attribute', actionNamed('attribute', 'edit'), 'k');
    attribute.subject.params = { scopeId: 's' };
    expect(await loadForm(session.transport, attribute, signal)).toMatchObject({ etag: undefined });
    expect(space.calls).toEqual([`GET ${scopes}/s/attributes/k`]);
    await expect(loadForm(session.transport, edit, signal)).rejects.toMatchObject({ kind: 'not-found' });
  });

  test('replaces a whole item at its version', async () => {
    space.replies[`PUT ${scopes}/s`] = { scopeId: 's', displayName: 'db' };
    const texts = {
      displayName: 'db',
      recoveryTime: '10m',
      'thresholds.warning': '3',
      'thresholds.incident': '4',
    };
    const outcome = await submit(edit, texts, { etag: '"3"' });
    expect(outcome).toEqual({ text: context.t('tui.done', { act: act('edit'), what: 'db' }), failed: false });
    expect(space.bodies(`PUT ${scopes}/s`)).toEqual([
      { displayName: 'db', recoveryTime: 600, remarks: '', thresholds: { warning: 3, incident: 4 } },
    ]);
    expect(space.asked[0]!.headers['if-match']).toBe('"3"');
  });

  test('changes only the fields that differ where that is possible', async () => {
    const rule = form('rule', actionNamed('rule', 'edit'), 'r');
    space.replies[`PATCH ${rules}/r`] = { ruleId: 'r', displayName: 'new' };
    const defaults = Object.fromEntries(
      Object.entries(rule.action.bodyFields!).map(([name, field]) => [name, field.default]),
    );
    await submit(rule, { displayName: 'new' }, { base: { ...defaults, displayName: 'old' } });
    expect(space.bodies(`PATCH ${rules}/r`)).toEqual([{ displayName: 'new' }]);
  });

  test('creates an item once, however often it is sent', async () => {
    space.replies[`POST ${scopes}`] = reply({ status: 201, body: { scopeId: 'n', displayName: 'web' } });
    expect(await submit(create, { displayName: 'web' })).toMatchObject({ failed: false });
    expect(space.bodies(`POST ${scopes}`)).toMatchObject([{ displayName: 'web' }]);
    expect(space.asked[0]!.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('sends the body of a call', async () => {
    const group = form('user-group', actionNamed('user-group', 'add-users'), 'g');
    space.replies['POST /api/space/user-groups/g/add-users'] = {};
    space.replies['POST /api/space/user-groups/g/users'] = {};
    await submit(group, { userIds: '["u1"]' }).catch(() => undefined);
    expect(JSON.parse(space.asked.at(-1)!.body)).toEqual({ userIds: ['u1'] });
  });

  test('with a name that is unknown is not sent, and one that cannot be read is an error of its field', async () => {
    const call = form('callflow', actionNamed('callflow', 'invoke'), 'c');
    space.replies['GET /api/apps/pigeon/guidances'] = list([]);
    expect(await submit(call, { guidanceId: 'Unknown' })).toEqual([
      { path: 'guidanceId', reason: expect.stringContaining('Unknown') },
    ]);
    const group = form('user-group', actionNamed('user-group', 'add-users'), 'g');
    expect(await submit(group, { userIds: '[x' })).toMatchObject([{ path: 'userIds' }]);
    expect(space.calls.filter((one) => !one.startsWith('GET'))).toEqual([]);
  });

  test.each([
    [
      'fields',
      400,
      'invalid',
      { invalidParams: [{ name: 'displayName', reason: 'taken' }] },
      [{ path: 'displayName', reason: 'taken' }],
    ],
    ['the whole', 400, 'invalid', { detail: 'too much' }, [{ path: '', reason: 'too much' }]],
    ['a conflict', 409, 'conflict', { detail: 'exists' }, [{ path: '', reason: 'exists' }]],
  ])('shows what the server refuses about %s', async (_what, status, problem, body, expected) => {
    space.replies[`POST ${scopes}`] = reply({ status, problem, body });
    expect(await submit(create, { displayName: 'web' })).toEqual(expected);
  });

  test('fails for any other reason', async () => {
    space.replies[`POST ${scopes}`] = reply({ status: 403, problem: 'forbidden' });
    await expect(submit(create, { displayName: 'web' })).rejects.toMatchObject({ kind: 'forbidden' });
  });
});

describe('the editor', () => {
  const item = {
    scopeId: 's',
    displayName: 'web',
    remarks: '',
    recoveryTime: null,
    thresholds: { warning: 1, incident: 2 },
  };
  beforeEach(() => {
    space.replies[`GET ${scopes}/s`] = reply({ body: item, headers: { etag: '"3"' } });
    space.replies[`PUT ${scopes}/s`] = { ...item, displayName: 'db' };
    space.replies[`POST ${scopes}`] = reply({ status: 201, body: { ...item, displayName: 'new' } });
  });
  const edit = async (
    write: (text: string) => string,
    action = actionNamed('scope', 'edit'),
    texts?: Record<string, string>,
  ) => {
    const shown: string[] = [];
    const outcome = await editItem(
      session.transport,
      context,
      {
        ...{ act: 'edit', serial: 1, resource: 'scope', action },
        subject: subject(action.operation === 'create' ? undefined : 's', 'web'),
        ...(texts ? { texts } : {}),
      },
      (text) => {
        shown.push(text);
        return write(text);
      },
      signal,
    );
    return { shown, outcome };
  };
  const left = { text: '', failed: false };

  test('has the item as text, and sends what was changed at its version', async () => {
    const { shown, outcome } = await edit((text) => text.replace('displayName: web', 'displayName: db'));
    expect(shown[0]).toContain(`# ${act('edit')}: scope web\n`);
    expect(outcome).toEqual({ text: context.t('tui.done', { act: act('edit'), what: 'db' }), failed: false });
    expect(space.bodies(`PUT ${scopes}/s`)).toMatchObject([{ displayName: 'db' }]);
    expect(space.asked.at(-1)!.headers['if-match']).toBe('"3"');
  });

  test.each([
    ['unchanged', (text: string) => text],
    ['empty', () => ' \n'],
  ])('that leaves the text %s changes nothing', async (_what, write) => {
    const { outcome } = await edit(write);
    expect(outcome).toEqual({ ...left, text: context.t('tui.edit.left') });
    expect(space.calls).toEqual([`GET ${scopes}/s`]);
  });

  test('opens again with what is wrong, until it is right', async () => {
    const answers = ['wrong: 1\n', 'displayName: db\n'];
    const { shown, outcome } = await edit(() => answers.shift()!);
    expect(shown[1]).toMatch(/^#! wrong: .*\nwrong: 1\n$/);
    expect(outcome!.failed).toBe(false);
    space.replies[`PUT ${scopes}/s`] = reply({
      ...{ status: 400, problem: 'invalid' },
      body: { invalidParams: [{ name: 'displayName', reason: 'taken' }] },
    });
    let times = 0;
    const refused = await edit((text) => {
      times += 1;
      return times === 1 ? 'displayName: db\n' : text;
    });
    expect(refused.shown[1]).toBe('#! displayName: taken\ndisplayName: db\n');
    expect(refused.outcome).toEqual({ ...left, text: context.t('tui.edit.left') });
    expect(times).toBe(2);
  });

  test('gives up after fifty times', async () => {
    let times = 0;
    const { outcome } = await edit(() => `wrong${++times}: 1\n`);
    expect(times).toBe(50);
    expect(outcome).toEqual({ text: context.t('tui.edit.left'), failed: true });
  });

  test('of a new item sends the text also as it was, with what a form had', async () => {
    const create = newItemAction(resourceNamed('scope'))!;
    const { shown } = await edit((text) => text, create, { displayName: 'typed' });
    expect(shown[0]).toContain('displayName: typed');
    expect(space.bodies(`POST ${scopes}`)).toMatchObject([{ displayName: 'typed' }]);
  });
});

describe('beside the space', () => {
  async function effects() {
    const written: string[] = [];
    const { terminal } = await testTerminal({ env: { ...space.env, EDITOR: 'false' } });
    const screen = new Screen({ write: (text) => written.push(text) });
    const raw: boolean[] = [];
    let resized = 0;
    screen.enter();
    const all = createEffects({
      ...{ session, terminal, context, screen },
      setRawMode: (on) => raw.push(on),
      onResize: () => {
        resized += 1;
      },
    });
    return { all, written, raw, resized: () => resized };
  }

  test('a view without a page cannot be opened in the browser', async () => {
    const { all } = await effects();
    const target = { kind: 'list', resource: 'severity', params: { scopeId: 's' } } as const;
    expect(await all.open({ act: 'open', serial: 1, target })).toEqual({
      text: context.t('tui.open.none'),
      failed: true,
    });
  });

  test.each([
    [{ kind: 'home' }, '/'],
    [{ kind: 'sonar' }, '/apps/sonar/networks'],
    [{ kind: 'stream' }, '/apps/alerthub/messages'],
    [
      { kind: 'list', resource: 'snapshot', params: { networkId: 'n/1' } },
      '/apps/sonar/networks/n%2F1/snapshots',
    ],
    [
      { kind: 'item', resource: 'snapshot', params: { networkId: 'n' }, id: 's' },
      '/apps/sonar/networks/n/snapshots/s',
    ],
    [{ kind: 'item', resource: 'line', params: {} }, '/apps/pigeon/settings/line'],
  ] as const)('the page of %j is %s', (target, path) => expect(consolePath(target)).toBe(path));

  test('texts are copied by the terminal, and what was copied is told', async () => {
    const { all } = await effects();
    let written = '';
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      written += text;
      return true;
    });
    const copied = (text: string) => {
      written = '';
      const outcome = all.copy(text);
      const [, encoded] = /^\x1b\]52;c;(.*)\x07$/.exec(written)!;
      return { outcome, text: Buffer.from(encoded!, 'base64').toString() };
    };
    expect(copied('one')).toEqual({
      outcome: { text: context.t('tui.copied', { text: 'one' }), failed: false },
      text: 'one',
    });
    expect(copied('one\ntwo\nthree').outcome.text).toBe(context.t('tui.copied.many', { count: 3 }));
    expect(copied('x'.repeat(50_001)).text).toHaveLength(50_000);
  });

  test('another program has the terminal to itself, and everything is drawn after it, also when it fails', async () => {
    const { all, written, raw, resized } = await effects();
    space.replies[`GET ${scopes}/s`] = { scopeId: 's', displayName: 'web' };
    written.length = 0;
    const failing = all.edit(
      {
        act: 'edit',
        serial: 1,
        resource: 'scope',
        action: actionNamed('scope', 'edit'),
        subject: subject('s'),
      },
      signal,
    );
    await expect(failing).rejects.toMatchObject({ messageKey: 'tui.editor.failed' });
    expect(raw).toEqual([false, true]);
    expect(written[0]).toContain('\x1b[?1049l');
    expect(written.join('')).toContain('\x1b[?1049h');
    expect(resized()).toBe(1);
  });

  test('the mouse is given away', async () => {
    const { all, written } = await effects();
    written.length = 0;
    all.mouse(false);
    expect(written.join('')).toContain('\x1b[?1000l');
  });
});
