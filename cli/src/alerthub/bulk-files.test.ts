// Exports, past jobs, recipes, message files and rule tests: what is asked and written.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AskedRequest, list, reply, StubSpace } from '../../test/stub-space.ts';
import { type TestTerminal, type TestTerminalOptions, testTerminal } from '../../test/test-terminal.ts';
import { exportFile } from './bulk-export.ts';
import {
  downloadExport,
  listExports,
  listImports,
  listPlan,
  showExport,
  showImport,
} from './bulk-history.ts';
import { importFile } from './bulk-import.ts';
import { countRows } from './import-progress.ts';
import { saveMessageFile } from './message-file.ts';
import { createFromRecipeCommand, listRecipes } from './recipes.ts';
import { sendMessage } from './send-message.ts';
import { bySeverity, loadScope, type Scope } from './unsettled-scopes.ts';

const space = new StubSpace();
beforeAll(() => space.start());
afterAll(() => space.stop());

const bulk = '/api/apps/alerthub/bulk-operations';
const id = (number: number) => `01a1fea7-056f-700d-b199-539c2daf000${number}`;
let folder: string;
let shown: TestTerminal;
const start = async (options: TestTerminalOptions = {}) => {
  shown = await testTerminal({ env: space.env, ...options });
};
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'yagura-bulk-'));
  space.reset();
  await start();
});
afterEach(() => rmSync(folder, { recursive: true }));
const t = (key: Parameters<TestTerminal['terminal']['t']>[0], params = {}) => shown.terminal.t(key, params);

const csv = (text: string) => reply({ body: text, headers: { 'content-type': 'text/csv' } });
const exportJob = (status: string, more = {}) => ({
  ...{ exportId: id(1), kind: 'scopes', status, fileName: 'scopes.csv', rows: 1, size: 9 },
  ...{ requestedBy: 'Hana', requestedAt: '2026-01-31T09:00:00.000Z', ...more },
});

describe('an export', () => {
  const create = `POST ${bulk}/scopes/exports`;
  const read = `GET ${bulk}/scopes/exports/${id(1)}`;
  const file = `${read}/file`;
  beforeEach(() => {
    space.replies = {
      [create]: exportJob('succeeded'),
      [read]: exportJob('succeeded'),
      [file]: csv('a,b\n'),
    };
  });

  test('into a folder that cannot be made is refused', async () => {
    writeFileSync(join(folder, 'file'), '');
    await expect(exportFile(shown.terminal, undefined, { all: join(folder, 'file') })).rejects.toMatchObject({
      messageKey: 'cli.usage.save',
      params: { flag: '--all' },
    });
  });

  test('is printed, or saved, as it was asked for', async () => {
    await exportFile(shown.terminal, 'scopes', {});
    expect(shown.out()).toBe('a,b\n');
    await exportFile(shown.terminal, 'scopes', { output: '-', raw: true });
    expect(shown.out()).toBe('a,b\n');
    // The server writes the byte order mark, and what it writes is saved byte for byte.
    space.replies[file] = csv('\ufeffa,b\n');
    await exportFile(shown.terminal, 'scopes', { output: join(folder, 'x.csv'), bom: true });
    expect(readFileSync(join(folder, 'x.csv'), 'utf8')).toBe('\ufeffa,b\n');
    expect(shown.err()).toBe(`${t('cli.export.saved', { path: join(folder, 'x.csv') })}\n`);
    expect(space.bodies(create)).toEqual([
      { bom: false, raw: false },
      { bom: false, raw: true },
      { bom: true, raw: false },
    ]);
  });

  test('keeps the byte order mark of an earlier export, and saves no reply of another server', async () => {
    const output = join(folder, 'x.csv');
    space.replies[file] = csv('\ufeffa,b\n');
    await downloadExport(shown.terminal, 'scopes', id(1), { output });
    space.replies[file] = reply({ body: 'hello', headers: { 'content-type': 'text/plain' } });
    await expect(downloadExport(shown.terminal, 'scopes', id(1), { output })).rejects.toMatchObject({
      kind: 'unreachable',
    });
    expect(readFileSync(output, 'utf8')).toBe('\ufeffa,b\n');
  });

  test('is waited for, and one that fails is an error', async () => {
    const states = ['processing', 'succeeded'];
    space.replies[create] = exportJob('processing');
    space.replies[read] = () => exportJob(states.shift()!);
    await exportFile(shown.terminal, 'scopes', {});
    expect(shown.out()).toBe('a,b\n');
    expect(space.calls).toEqual([create, read, read, file]);
    space.replies[create] = exportJob('failed');
    await expect(exportFile(shown.terminal, 'scopes', {})).rejects.toMatchObject({ kind: 'internal' });
  });

  test.each([
    ['no kind and no folder', undefined, {}, 'cli.usage.export'],
    ['a kind and a folder', 'scopes', { all: 'x' }, 'cli.usage.export'],
    ['an unknown format', 'scopes', { format: 'xml' }, 'cli.usage.choice'],
    ['YAML of one kind', 'scopes', { format: 'yaml' }, 'cli.usage.missing-flag'],
    ['an unknown kind', 'things', {}, 'cli.usage.choice'],
  ])('with %s is refused', async (_what, kind, options, messageKey) => {
    await expect(exportFile(shown.terminal, kind, options)).rejects.toMatchObject({ messageKey });
    expect(space.calls).toEqual([]);
    expect(existsSync('x')).toBe(false);
  });

  test.each([{}, { format: 'yaml' }])(
    'to a folder that cannot be created fails before the first request, with %j',
    async (options) => {
      const all = join(folder, 'file', 'below');
      writeFileSync(join(folder, 'file'), '');
      await expect(exportFile(shown.terminal, undefined, { all, ...options })).rejects.toMatchObject({
        messageKey: 'cli.usage.save',
        params: { flag: '--all', source: all },
      });
      expect(space.calls).toEqual([]);
    },
  );

  test('of earlier can be listed, shown and saved', async () => {
    space.replies[`GET ${bulk}/scopes/exports`] = list([exportJob('succeeded')], 9);
    await listExports(shown.terminal, 'scopes', { limit: '5', offset: '3' });
    expect(space.asked[0]!.query).toEqual({ limit: '5', offset: '3' });
    expect(shown.out().split('\t').slice(0, 3)).toEqual([id(1), 'succeeded', 'scopes.csv']);
    await showExport(shown.terminal, 'scopes', id(1), { json: 'exportId,rows' });
    expect(JSON.parse(shown.out())).toEqual({ exportId: id(1), rows: 1 });
    await downloadExport(shown.terminal, 'scopes', id(1), {});
    expect(shown.out()).toBe('a,b\n');
    await downloadExport(shown.terminal, 'scopes', id(1), { output: join(folder, 'e.csv') });
    expect(readFileSync(join(folder, 'e.csv'), 'utf8')).toBe('a,b\n');
    await expect(
      downloadExport(shown.terminal, 'scopes', id(1), { output: join(folder, 'no/e.csv') }),
    ).rejects.toMatchObject({ messageKey: 'cli.usage.save' });
  });
});

test.each<[string, (terminal: TestTerminal['terminal'], kind: string) => Promise<void>]>([
  ['exports', (terminal, kind) => listExports(terminal, kind, {})],
  ['an export', (terminal, kind) => showExport(terminal, kind, id(1), {})],
  ['the file of an export', (terminal, kind) => downloadExport(terminal, kind, id(1), {})],
  ['imports', (terminal, kind) => listImports(terminal, kind, {})],
  ['an import', (terminal, kind) => showImport(terminal, kind, id(1), {})],
  ['the rows of an import', (terminal, kind) => listPlan(terminal, 'rows', kind, id(1), {})],
])('an unknown kind is refused before the server is asked for %s', async (_what, show) => {
  await expect(show(shown.terminal, 'things')).rejects.toMatchObject({ messageKey: 'cli.usage.choice' });
  expect(space.calls).toEqual([]);
});

const importJob = (status: string, more = {}) => ({
  ...{
    importId: id(2),
    kind: 'scopes',
    status,
    fileName: 'scopes.csv',
    size: 10,
    creates: 60,
    updates: 1,
    deletes: 0,
  },
  ...{ unchanged: 0, errorCount: 0, reason: null, requestedBy: 'Hana', errors: [] },
  ...{ requestedAt: '2026-01-31T09:00:00.000Z', startedAt: null, endedAt: null, ...more },
});

describe('an import', () => {
  const create = `POST ${bulk}/scopes/imports`;
  const read = `GET ${bulk}/scopes/imports/${id(2)}`;
  const exec = `POST ${bulk}/scopes/imports/${id(2)}/exec`;
  const rows = `GET ${bulk}/scopes/imports/${id(2)}/rows`;
  beforeEach(() => {
    writeFileSync(join(folder, 'scopes.csv'), '$key,displayName\n,new\n');
    space.replies = {
      [create]: importJob('planned'),
      [read]: importJob('planned'),
      [rows]: ({ query }: AskedRequest) =>
        list(
          query.operation === 'update'
            ? [
                {
                  line: 9,
                  operation: 'update',
                  key: 'k',
                  name: 'old',
                  before: { remarks: '' },
                  after: { remarks: 'x' },
                },
              ]
            : [
                {
                  line: 2,
                  operation: 'create',
                  key: '',
                  name: 'new\n',
                  before: null,
                  after: { displayName: 'new' },
                },
              ],
        ),
    };
  });

  test('is planned from the file, with its first changes, and changes nothing', async () => {
    await importFile(shown.terminal, 'scopes', join(folder, 'scopes.csv'), {});
    const sent = space.asked.find(({ call }) => call === create)!;
    expect(sent.body).toContain('filename="scopes.csv"');
    expect(sent.body).toContain('\n,new\n');
    expect(space.asked.filter(({ call }) => call === rows).map(({ query }) => query)).toEqual([
      { operation: 'create', limit: '50' },
      { operation: 'update', limit: '50' },
    ]);
    const said = shown.err();
    expect(said).toContain('+ new  (');
    expect(said).toContain(t('cli.import.more-changes', { count: 59 }));
    expect(said).toContain('~ old (');
    expect(said).toContain('remarks: "" → "x"');
    expect(said.split(t('cli.import.more-changes', { count: 0 }))).toHaveLength(1);
    expect(said).toContain(t('cli.import.planned'));
    expect(shown.out()).toContain(
      t('cli.import.counts', { creates: 60, updates: 1, deletes: 0, unchanged: 0, errors: 0 }),
    );
    expect(space.calls).not.toContain(exec);
  });

  test('as data says nothing of its changes', async () => {
    await start({ input: '$key\n' });
    await importFile(shown.terminal, 'scopes', '-', { json: 'status,creates' });
    expect(JSON.parse(shown.out())).toEqual({ status: 'planned', creates: 60 });
    expect(space.calls).not.toContain(rows);
    expect(space.asked.find(({ call }) => call === create)!.body).toContain('filename="scopes.csv"');
  });

  test('with errors tells each, how many more there are, and fails', async () => {
    const errors = [
      { line: 3, column: 'display\nName', reason: 'too\nlong' },
      { line: 4, column: null, reason: 'unknown' },
    ];
    space.replies[read] = importJob('failed', { errors, errorCount: 5, reason: 'has errors' });
    await expect(
      importFile(shown.terminal, 'scopes', join(folder, 'scopes.csv'), { exec: true }),
    ).rejects.toMatchObject({ kind: 'invalid', detail: 'has errors' });
    const text = shown.out();
    expect(text).toContain(`${t('cli.import.line', { line: 3 })} display Name: too long\n`);
    expect(text).toContain(`${t('cli.import.line', { line: 4 })}: unknown\n`);
    expect(text).toContain(t('cli.import.more-errors', { count: 3 }));
    expect(space.calls).not.toContain(exec);
  });

  test('is executed on request', async () => {
    let isDone = false;
    space.replies[exec] = () => {
      isDone = true;
      return {};
    };
    space.replies[read] = () => importJob(isDone ? 'succeeded' : 'planned');
    await importFile(shown.terminal, 'scopes', join(folder, 'scopes.csv'), { exec: true });
    expect(space.bodies(exec)).toEqual([{}]);
    expect(shown.err()).toContain(t('cli.import.done'));
  });

  test('of earlier can be listed and shown, with its rows and errors', async () => {
    space.replies[`GET ${bulk}/scopes/imports`] = list([importJob('succeeded')], 9);
    space.replies[`GET ${bulk}/$all/imports/processing`] = list([]);
    await listImports(shown.terminal, 'scopes', {});
    expect(space.asked[0]).toMatchObject({ call: `GET ${bulk}/scopes/imports`, query: { limit: '30' } });
    expect(shown.out()).toMatch(new RegExp(`^${id(2)}\tsucceeded\t`));
    await listImports(shown.terminal, undefined, {});
    expect(space.calls.at(-1)).toBe(`GET ${bulk}/$all/imports/processing`);
    await showImport(shown.terminal, 'scopes', id(2), { json: 'importId' });
    expect(JSON.parse(shown.out())).toEqual({ importId: id(2) });
    await listPlan(shown.terminal, 'rows', 'scopes', id(2), { operation: 'update' });
    expect(space.asked.at(-1)).toMatchObject({ call: rows, query: { limit: '30', operation: 'update' } });
    space.replies[`GET ${bulk}/scopes/imports/${id(2)}/errors`] = list([
      { line: 3, column: 'a', reason: 'b' },
    ]);
    shown.out();
    await listPlan(shown.terminal, 'errors', 'scopes', id(2), {});
    expect(shown.out()).toBe('3\ta\tb\n');
    await listPlan(shown.terminal, 'errors', 'scopes', id(2), { columns: 'reason,line' });
    expect(shown.out()).toBe('b\t3\n');
    await expect(
      listPlan(shown.terminal, 'errors', 'scopes', id(2), { columns: 'nothing' }),
    ).rejects.toMatchObject({ messageKey: 'cli.usage.unknown-field' });
    await expect(listPlan(shown.terminal, 'rows', 'scopes', id(2), { operation: 'x' })).rejects.toMatchObject(
      {
        messageKey: 'cli.usage.choice',
      },
    );
    await expect(listImports(shown.terminal, 'scopes', { limit: '1001' })).rejects.toMatchObject({
      messageKey: 'cli.usage.number',
    });
  });

  test.each([
    ['', 0],
    ['a\n', 0],
    ['a\n1\n2', 2],
    ['a\n1\n2\n', 2],
    ['a\n"1\n2"\n3\n', 2],
    ['a\n"1""\n2"', 1],
  ])('counts the rows of %j as %i', (text, rows) =>
    expect(countRows(new TextEncoder().encode(text))).toBe(rows),
  );
});

describe('a recipe', () => {
  test('is listed with its sender', async () => {
    await listRecipes(shown.terminal, { output: 'json' });
    const recipes = JSON.parse(shown.out());
    expect(recipes.length).toBeGreaterThan(3);
    expect(Object.keys(recipes[0])).toEqual(['name', 'product', 'kind', 'description']);
    for (const { description } of recipes) expect(description).not.toMatch(/^recipe\./);
  });

  test.each([
    [{}, '--display-name, --scope'],
    [{ displayName: 'a' }, '--scope'],
    [{ scope: 'a' }, '--display-name'],
  ])('with only %j asks for %s', async (options, flag) => {
    await expect(createFromRecipeCommand(shown.terminal, { recipe: 'x', ...options })).rejects.toMatchObject({
      messageKey: 'cli.usage.missing-flag',
      params: { flag },
    });
  });

  test('that is unknown is refused', async () => {
    await expect(
      createFromRecipeCommand(shown.terminal, { recipe: 'no-such', displayName: 'a', scope: 'b' }),
    ).rejects.toMatchObject({ messageKey: 'recipe.unknown' });
    expect(space.calls).toEqual([]);
  });
});

describe('a message', () => {
  test('is sent to a slot by its name, with a type that fits and the headers', async () => {
    const slots = '/api/apps/alerthub/receive-slots';
    space.replies[`GET ${slots}`] = list([{ receiveSlotId: id(3), displayName: 'in' }]);
    space.replies[`GET ${slots}/${id(3)}`] = { receiveSlotId: id(3), primary: `${space.origin}/receive/x` };
    space.replies['POST /receive/x'] = { messageId: id(4) };
    const sent = async (input: string, options = {}) => {
      await start({ input });
      await sendMessage(shown.terminal, { slot: 'in', ...options });
      const { headers, body } = space.asked.at(-1)!;
      return [headers['content-type'], headers['x-team'], body];
    };
    expect(await sent('{"a": 1}', { header: ['X-Team=ops'] })).toEqual([
      'application/json',
      'ops',
      '{"a": 1}',
    ]);
    expect(shown.out()).toBe(`${id(4)}\n`);
    expect(shown.err()).toContain(t('cli.send.done', { id: id(4) }));
    expect(await sent('plain')).toEqual(['text/plain; charset=utf-8', undefined, 'plain']);
    expect(await sent('plain', { contentType: 'text/x' })).toEqual(['text/x', undefined, 'plain']);
    await sent('plain', { json: 'messageId' });
    expect(JSON.parse(shown.out())).toEqual({ messageId: id(4) });
  });

  test('that is refused, or answered by something else, is an error', async () => {
    const send = async (answer: unknown) => {
      space.replies['POST /receive/x'] = answer;
      await start({ input: 'x' });
      return sendMessage(shown.terminal, { slot: `${space.origin}/receive/x` });
    };
    await expect(send(reply({ status: 403, problem: 'forbidden' }))).rejects.toMatchObject({
      kind: 'forbidden',
    });
    await expect(send({ ok: true })).rejects.toMatchObject({ kind: 'internal' });
    await expect(send(reply({ body: '<html>' }))).rejects.toMatchObject({ kind: 'internal' });
    await start({ live: true });
    await expect(sendMessage(shown.terminal, { slot: `${space.origin}/receive/x` })).rejects.toMatchObject({
      messageKey: 'cli.usage.content',
    });
    await expect(sendMessage(shown.terminal, { slot: 'http://' })).rejects.toMatchObject({
      messageKey: 'cli.usage.address',
    });
  });

  test('has its parts saved byte for byte', async () => {
    const path = `/api/apps/alerthub/message/detail/${id(5)}`;
    for (const part of ['raw', 'html', 'attachment']) space.replies[`GET ${path}/${part}`] = csv(part);
    for (const part of ['raw', 'html', 'attachment'] as const) {
      const index = part === 'attachment' ? '2' : undefined;
      await saveMessageFile(shown.terminal, part, id(5), index, { to: join(folder, part) });
      expect(readFileSync(join(folder, part), 'utf8')).toBe(part);
      expect(space.asked.at(-1)!.query).toEqual(index === undefined ? {} : { index });
    }
  });
});

describe('scopes that need attention', () => {
  const scope = (displayName: string, status: string, severity: number, lastEventAt: string | null = null) =>
    ({ scopeId: displayName, displayName, status, severity, lastEventAt }) as Scope;

  test('are sorted by status, severity, last event and name', () => {
    const sorted = [
      scope('a', 'incident', 9),
      scope('b', 'incident', 5),
      scope('c', 'warning', 99, '2026-01-02'),
      scope('d', 'warning', 99, '2026-01-01'),
      scope('web 2', 'warning', 99),
      scope('web 10', 'warning', 99),
    ];
    for (let shift = 0; shift < sorted.length; shift += 1) {
      const turned = [...sorted.slice(shift), ...sorted.slice(0, shift)];
      expect(turned.sort(bySeverity)).toEqual(sorted);
    }
  });

  test('have no last event where it may not be read, and are gone where they were deleted', async () => {
    const path = '/api/apps/alerthub/scopes/s';
    const load = () => loadScope({ origin: space.origin, fetch }, 's', shown.terminal.signal);
    expect(await load()).toBeNull();
    space.replies[`GET ${path}`] = scope('s', 'warning', 3);
    space.replies[`GET ${path}/events`] = list([{ eventId: 'e' }]);
    expect(await load()).toMatchObject({ displayName: 's', lastEvent: { eventId: 'e' } });
    expect(space.asked.at(-1)!.query).toEqual({ limit: '1', sort: '-createdAt' });
    space.replies[`GET ${path}/events`] = reply({ status: 403, problem: 'forbidden' });
    expect(await load()).toMatchObject({ lastEvent: null });
    space.replies[`GET ${path}/events`] = reply({ status: 400, problem: 'invalid' });
    await expect(load()).rejects.toMatchObject({ kind: 'invalid' });
  });
});
