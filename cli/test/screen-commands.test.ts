import { execFileSync } from 'node:child_process';
// Every console screen has an equivalent command: the commands shown for lists, items and forms send the same
// requests.

import {
  exportCommand,
  historyCommand,
  importCommand,
  jobCommand,
  planCommand,
} from '@yagura/core/alerthub/bulk/bulk-command';
import { bulkExport, bulkImportDetail } from '@yagura/core/alerthub/bulk/bulk-job';
import { bulkKindNames } from '@yagura/core/alerthub/bulk/bulk-kind-names';
import { resources } from '@yagura/core/all';
import { printFilter } from '@yagura/core/query/filter';
import { inputFlags, quoteShellWords } from '@yagura/core/resource/command-line';
import {
  type AnyResource,
  editMethods,
  inputFields,
  itemFields,
  pathParameters,
} from '@yagura/core/resource/define-resource';
import type { FieldMeta } from '@yagura/core/resource/field';
import { shapeFields } from '@yagura/core/resource/field';
import type { Fields } from '@yagura/core/resource/resource-meta';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { planViews } from '../../web/app/alerthub/bulk/plan-view.ts';
import { resourceCommand, resourceListCommand } from '../../web/app/resource/cli-command.server.ts';
import { readTableState, writeTableState } from '../../web/app/ui/table/table-state.ts';
import { errorMessages } from '../src/command-line/report-error.ts';
import { createProgram } from '../src/program.ts';
import { customCommands } from '../src/resource/commands.ts';
import { resourceNamed } from '../src/resource/meta/resource-client.ts';
import type { Row } from '../src/resource/meta/row.ts';
import { id } from './derived-commands.ts';
import { fillWithId, type ReceivedRequest, type SampleSpace, startSampleSpace } from './sample-space.ts';
import { testTerminal } from './test-terminal.ts';

let space: SampleSpace;
beforeAll(async () => {
  space = await startSampleSpace();
});
afterAll(() => space.stop());

/** The words of a line as a real shell splits them. */
function readAsShell(line: string): string[] {
  const output = execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' });
  return output.split('\0').slice(0, -1);
}

/** Runs the line as a shell would, and returns the requests and the output. */
async function typed(line: string): Promise<{ asked: ReceivedRequest[]; out: string; line: string }> {
  const argv = readAsShell(line);
  expect(argv.shift()).toBe('yagura');
  const asked: ReceivedRequest[] = [];
  space.onRequest = (one) => {
    asked.push(one);
  };
  const env = { YAGURA_URL: space.origin, YAGURA_TOKEN: 'token' };
  const { terminal, out } = await testTerminal({ env });
  await createProgram(terminal, argv)
    .parseAsync(argv, { from: 'user' })
    .catch((error) => {
      throw new Error(`${line}: ${errorMessages(terminal, error).join(' ')}`, { cause: error });
    });
  return { asked, out: out(), line };
}

function placeOf(resource: AnyResource): Record<string, string> {
  return Object.fromEntries(pathParameters(resource.path).map((name) => [name, id]));
}

/** A filter value for every kind of field; free texts contain shell metacharacters. */
function filterOf(resource: AnyResource): string | undefined {
  const fields = itemFields(resource);
  const parts = resource.filterable.flatMap((field) => {
    const { kind, options } = fields[field] ?? { kind: 'text' };
    const value =
      options?.[0] ??
      (['integer', 'number', 'seconds', 'bytes'].includes(kind)
        ? 7
        : kind === 'boolean'
          ? true
          : kind === 'date-time'
            ? '2026-01-31T00:00:00Z'
            : `it's "$HOME" 監視`);
    return [printFilter({ op: 'eq', field, value })];
  });
  return parts.length === 0 ? undefined : parts.join(' and ');
}

const lists = resources.filter((resource) => resource.verbs.includes('list'));
/** Forms with local encryption have a dedicated command and show none. */
const forms = resources.filter(
  ({ name, verbs, input }) =>
    input && (verbs.includes('create') || verbs.includes('edit')) && !customCommands.has(`${name}.create`),
);

test('the command of every list asks for the page that the list shows, with its columns', async () => {
  expect(lists.length).toBeGreaterThan(40);
  for (const resource of lists) {
    const columns = [...resource.columns].reverse().slice(0, 3);
    const state = readTableState(
      writeTableState(
        {
          page: 3,
          size: 25,
          sort: resource.sortable.slice(0, 2).map((field, index) => ({ field, descending: index === 0 })),
          columns,
        },
        new URLSearchParams(),
      ),
      undefined,
      { columns: [...resource.columns], sortable: [...resource.sortable] },
    );
    const filter = filterOf(resource);
    const params = writeTableState(state, new URLSearchParams());
    space.serve(resourceNamed(resource.name));
    const { asked, out, line } = await typed(
      resourceListCommand(resource, placeOf(resource), state, params, { filter }),
    );
    const sort = resource.sortable.slice(0, 2).map((field, index) => (index === 0 ? `-${field}` : field));
    expect({ line, asked: asked[0] }).toEqual({
      line,
      asked: {
        method: 'GET',
        path: fillWithId(resource.path),
        query: {
          limit: '25',
          offset: '50',
          ...(sort.length > 0 ? { sort: sort.join(',') } : {}),
          ...(filter ? { filter } : {}),
        },
        body: undefined,
      },
    });
    expect({ line, cells: out.split('\n')[0]!.split('\t').length }).toEqual({ line, cells: columns.length });
  }
}, 30_000);

test('the command of every item shows, deletes or asks for that item', async () => {
  for (const resource of resources) {
    const verbs = { show: 'GET', remove: 'DELETE' } as const;
    for (const verb of ['show', 'remove'] as const) {
      if (!resource.verbs.includes(verb)) continue;
      space.serve(resourceNamed(resource.name));
      const word = verb === 'remove' ? 'delete' : verb;
      const line = resourceCommand(resource, word, id, placeOf(resource));
      const { asked } = await typed(verb === 'remove' ? `${line} --yes` : line);
      expect({ line, asked: asked.map(({ method, path }) => `${method} ${path}`) }).toEqual({
        line,
        asked: [`${verbs[verb]} ${fillWithId(resource.itemPath)}`],
      });
    }
  }
}, 30_000);

test('the command of every form sends what the form holds, but no secret', async () => {
  expect(forms.length).toBeGreaterThan(20);
  for (const resource of forms) {
    const fields = inputFields(resource);
    const { given, told } = formOf(fields);
    const doing = resource.verbs.includes('create') ? 'create' : 'edit';
    const flags = quoteShellWords(inputFlags(given, fields, { whole: true }));
    expect(flags).not.toContain(secret);
    space.serve(resourceNamed(resource.name));
    // Secrets are passed in a file; here the same values are used.
    const line = `${resourceCommand(resource, doing, doing === 'edit' ? id : undefined, placeOf(resource))} ${flags}`;
    const missing = secretFlags(fields, given);
    const { asked } = await typed([line, ...missing].join(' '));
    const sent = asked.find(({ method }) => method !== 'GET');
    const wanted = doing === 'create' ? 'POST' : editMethods(resource)[0];
    expect({ line, method: sent?.method, body: sent?.body }).toMatchObject({
      line,
      method: wanted,
      body: told,
    });
  }
}, 30_000);

test('the commands of the bulk tools ask for what the tools show', async () => {
  const view = { page: 3, size: 25 };
  const page = { limit: '25', offset: '50' };
  for (const kind of bulkKindNames) {
    const base = `/api/apps/alerthub/bulk-operations/${kind}`;
    const shown: [words: string[], path: string, query: object][] = [
      [historyCommand('imports', kind, view), `${base}/imports`, page],
      [historyCommand('exports', kind, view), `${base}/exports`, page],
      ...planViews.map((shows): [string[], string, object] => [
        planCommand(kind, id, shows, view),
        `${base}/imports/${id}/${shows === 'errors' ? 'errors' : 'rows'}`,
        ['all', 'errors'].includes(shows) ? page : { ...page, operation: shows },
      ]),
    ];
    for (const [words, path, query] of shown) {
      const { asked, line } = await typed(quoteShellWords(words));
      expect({ line, asked: asked[0] }).toEqual({
        line,
        asked: { method: 'GET', path, query, body: undefined },
      });
    }
    for (const [way, shape] of [
      ['imports', bulkImportDetail],
      ['exports', bulkExport],
    ] as const) {
      const path = `${base}/${way}`;
      const job = { fields: shapeFields(shape), id: `${way.slice(0, -1)}Id`, path, itemPath: `${path}/{id}` };
      space.serve({ ...resourceNamed('scope'), ...job, calls: {} });
      const { asked } = await typed(quoteShellWords(jobCommand(way, kind, id)));
      expect(asked).toMatchObject([{ method: 'GET', path: `${path}/${id}` }]);
    }
  }
  const { asked } = await typed(quoteShellWords(historyCommand('imports', undefined, { size: 100 })));
  expect(asked[0]).toMatchObject({ path: '/api/apps/alerthub/bulk-operations/$all/imports/processing' });
});

test.each([
  [importCommand('scopes', "-it's a 監視.csv"), { args: ['scopes', "./-it's a 監視.csv"], options: {} }],
  [
    exportCommand('rules', { bom: true, raw: true }),
    { args: ['rules'], options: { output: 'rules.csv', bom: true, raw: true } },
  ],
  [exportCommand('rules', { bom: false, raw: false }), { args: ['rules'], options: { output: 'rules.csv' } }],
])('%j is read as it is meant', async (words, meant) => {
  const argv = readAsShell(quoteShellWords(words)).slice(1);
  const { terminal } = await testTerminal({});
  const root = createProgram(terminal, argv);
  const command = root.commands.find((one) => one.name() === words[1])!;
  command.action(() => undefined);
  await root.parseAsync(argv, { from: 'user' });
  expect({ args: command.args, options: command.opts() }).toEqual(meant);
});

const secret = 'do-not-tell-this';

/** Values for every field of a form, and the part the command should send. */
function formOf(fields: Fields): { given: Row; told: Row } {
  const given: Row = {};
  const told: Row = {};
  for (const [name, field] of Object.entries(fields)) {
    const inner = field.by ? field.variants?.[String(given[field.by])] : field.fields;
    if (inner) {
      const part = formOf(inner);
      given[name] = part.given;
      told[name] = part.told;
    } else {
      given[name] = valueFor(field);
      if (field.kind !== 'secret') told[name] = given[name];
    }
  }
  return { given, told };
}

function valueFor(field: FieldMeta): unknown {
  if (field.options) return field.kind === 'integer' ? Number(field.options.at(-1)) : field.options.at(-1);
  if (field.fields) return formOf(field.fields).given;
  const plain: Record<FieldMeta['kind'], unknown> = {
    id,
    reference: id,
    text: `@it's "$HOME" 監視, ja`,
    'long-text': '@first\n- second `line`',
    template: '{{#scope}}@{{/scope}}\n',
    secret,
    choice: 'x',
    email: 'a@example.invalid',
    url: 'https://example.invalid/?a=1&b=2',
    integer: Math.max(field.min ?? -3, -3),
    number: -1.5,
    seconds: Math.max(field.min ?? 90, 90),
    bytes: 5,
    boolean: true,
    date: '2027-01-31',
    'date-time': '2027-01-01T00:00:00.000Z',
    list: field.item ? [valueFor(field.item), valueFor(field.item)] : [],
    'key-values': { 'X-Team': 'ops=1', b: '@c' },
    object: { any: ['thing'] },
    variant: {},
    rrule: 'FREQ=DAILY;BYHOUR=9',
    'time-zone': 'Asia/Tokyo',
    json: { steps: [{ operatorId: 'x', params: { value: "it's" } }] },
  };
  return plain[field.kind];
}

/** Flags of the required secrets, as given to the shell. */
function secretFlags(fields: Fields, given: Row, prefix = ''): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const inner = field.by ? field.variants?.[String(given[field.by])] : field.fields;
    if (inner) return secretFlags(inner, given[name] as Row, `${prefix}${name}.`);
    if (field.kind !== 'secret') return [];
    return [`--${(prefix + name).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}=${secret}`];
  });
}
