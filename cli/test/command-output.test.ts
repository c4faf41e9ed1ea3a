// Runs every command on every kind of terminal: output, help, errors, interruption and truncation.
import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { bulkExport, bulkImport, planError, planRow } from '@yagura/core/alerthub/bulk/bulk-job';
import { languages } from '@yagura/core/i18n/translator';
import { shapeFields } from '@yagura/core/resource/field';
import type { ResourceMeta } from '@yagura/core/resource/resource-meta';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { commandPath, leafCommands } from '../src/command-line/command-path.ts';
import { reportError } from '../src/command-line/report-error.ts';
import { createProgram } from '../src/program.ts';
import { createFullProgram } from '../src/reference/full-program.ts';
import { defaultColumns } from '../src/resource/list.ts';
import { resourceNamed } from '../src/resource/meta/resource-client.ts';
import { resources } from '../src/resource/meta/resources.ts';
import { run } from '../src/run.ts';
import { wideMeasure } from '../src/terminal/measure.ts';
import { derivedCommandsOf, id } from './derived-commands.ts';
import { type SampleSpace, startSampleSpace } from './sample-space.ts';
import { type TestTerminalOptions, testTerminal } from './test-terminal.ts';

const narrow = 40;
let space: SampleSpace;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'yagura-walk-'));
  space = await startSampleSpace();
});
afterAll(async () => {
  await space.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  space.onRequest = () => undefined;
});

interface Shown {
  name: string;
  words: string[];
  entry: ResourceMeta;
}

/** Read-only commands. */
function shown(): Shown[] {
  return resources.flatMap((meta) =>
    derivedCommandsOf(meta, folder)
      .filter(({ name }) => ['list', 'show'].includes(name) || isAnswered(meta, name))
      .map((command) => ({ ...command, entry: meta })),
  );
}

function isAnswered({ calls }: ResourceMeta, name: string): boolean {
  const call = calls[name];
  return call?.method === 'GET' && call.reply !== null;
}

/** Bulk jobs and their rows, in the form of resources. */
const jobs: Shown[] = [
  ['imports', 'list', 'scopes', shapeFields(bulkImport), '/imports'],
  ['imports', 'rows', 'scopes', shapeFields(planRow), `/imports/${id}/rows`],
  ['imports', 'errors', 'scopes', shapeFields(planError), `/imports/${id}/errors`],
  ['exports', 'list', 'scopes', shapeFields(bulkExport), '/exports'],
].map(([group, name, kind, fields, path]) => ({
  name: 'list',
  words: [group, name, kind, ...(name === 'list' ? [] : [id])] as string[],
  entry: {
    ...resourceNamed('scope'),
    fields,
    calls: {},
    path: `/api/apps/alerthub/bulk-operations/scopes${String(path)}`,
    itemPath: `/api/apps/alerthub/bulk-operations/scopes${String(path)}/{scopeId}`,
  } as ResourceMeta,
}));

/** Shortcuts that work with any data in the space. */
const shortcuts: Shown[] = [['alerts'], ['status'], ['doctor'], ['profiles', 'list'], ['whoami']].map(
  (words) => ({ name: 'shortcut', words, entry: resourceNamed('scope') }),
);

const person = () => ({ YAGURA_URL: space.origin, YAGURA_TOKEN: 'token' });

async function ended(words: readonly string[], options: TestTerminalOptions) {
  const { terminal, out, err } = await testTerminal(options);
  const argv = [...words];
  let code = 0;
  try {
    await createProgram(terminal, argv).parseAsync(argv, { from: 'user' });
    if (terminal.signal.aborted) code = 130;
  } catch (error) {
    code = reportError(terminal, error);
  }
  return { code, out: out(), err: err() };
}

describe('what a command shows', () => {
  test('goes into a pipe as fields between tabs, without a header, colours or anything that steers, and without a home', async () => {
    const env = { ...person(), HOME: '/nonexistent', NO_COLOR: '' };
    expect(shown().length).toBeGreaterThan(120);
    for (const { words, name, entry } of shown()) {
      space.serve(entry);
      const { code, out } = await ended(words, { env });
      expect({ words, code }).toEqual({ words, code: 0 });
      expect(out, words.join(' ')).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
      const tabs = out
        .split('\n')
        .slice(0, -1)
        .map((line) => line.split('\t').length);
      if (name === 'list') {
        const columns = defaultColumns(entry, false).length;
        expect({ words, tabs }).toEqual({ words, tabs: [columns, columns] });
      }
      if (name === 'show') expect(new Set(tabs), words.join(' ')).toEqual(new Set([2]));
    }
  }, 60_000);

  test('has no colours where none are wanted', async () => {
    // Alternates between both ways to disable colors.
    const ways = [{ NO_COLOR: '1' }, { NO_COLOR: '', TERM: 'dumb' }];
    for (const [index, { words, entry }] of [...shown(), ...jobs, ...shortcuts].entries()) {
      space.serve(entry);
      const env = { ...person(), YAGURA_CONFIG_DIR: folder, ...ways[index % 2] };
      const { out, err } = await ended(words, { env, live: true });
      expect(out + err, words.join(' ')).not.toContain('\x1b');
      expect(out + err, words.join(' ')).not.toBe('');
    }
  }, 60_000);

  test('fits forty columns', async () => {
    const measure = await wideMeasure();
    const env = { ...person(), YAGURA_CONFIG_DIR: folder, COLUMNS: String(narrow), NO_COLOR: '' };
    for (const { words, entry } of [...shown(), ...jobs, ...shortcuts]) {
      space.serve(entry);
      const { out } = await ended(words, { env, live: true, language: 'ja' });
      const wide = out
        .replace(/\x1b\[[\d;]*m/g, '')
        .split('\n')
        .filter((line) => measure.width(line) > narrow);
      expect({ words, wide }).toEqual({ words, wide: [] });
    }
  }, 60_000);
});

test.each([
  [
    ['alerts'],
    [
      ['Global options:', '  --profile <name>'],
      ['Examples:', '  yagura alerts --watch'],
      ['Exit codes:', '  5    You do not have permission to do this'],
    ],
    '8  ',
  ],
  [['apply'], [['Exit codes:', '  2    There are changes']], 'confirmation was declined'],
  [
    ['scopes', 'edit'],
    [['Examples:', '  yagura alerthub scopes edit NAME --display-name "NEW NAME"']],
    'Environment',
  ],
  [['call'], [['Exit codes:', '  8    The operation has not finished yet']], 'Environment'],
  [
    [],
    [
      ['Environment:', '  YAGURA_PROFILE '],
      ['Exit codes:', '  8    The operation has not'],
    ],
    'Examples:',
  ],
  // A group has no examples of its own.
  [['scopes'], [['Commands:', '  list|ls ']], 'Exit codes:'],
] as const)('the help of %j has its sections', async (words, sections, absent) => {
  const { out } = await ended([...words, '--help'], { env: { COLUMNS: '100' } });
  for (const [title, line] of sections) {
    const section = out.split('\n\n').find((part) => part.startsWith(title));
    expect(
      section?.split('\n').some((one) => one.startsWith(line)),
      `${title}\n${section}`,
    ).toBe(true);
  }
  expect(out).not.toContain(absent);
  expect(out).not.toContain('\n\n\n');
});

describe.each(languages)('every command in %s', (language) => {
  test('has help without missing words, within forty columns', async () => {
    const measure = await wideMeasure();
    const { terminal } = await testTerminal({ language, env: { COLUMNS: String(narrow) } });
    const all = leafCommands(createFullProgram(terminal));
    expect(all.length).toBeGreaterThan(250);
    for (const leaf of all) {
      const help = leaf.helpInformation();
      const words = commandPath(leaf).join(' ');
      expect(help, words).not.toMatch(/\b(cli|label|value|verb|problem|resource)\.[a-z]/);
      expect({ words, wide: help.split('\n').filter((line) => measure.width(line) > narrow) }).toEqual({
        words,
        wide: [],
      });
    }
  }, 60_000);
});

test('an unknown flag is named, ends with 2 and asks the space for nothing', async () => {
  const { terminal } = await testTerminal();
  let asked = 0;
  space.onRequest = () => {
    asked += 1;
  };
  for (const leaf of leafCommands(createFullProgram(terminal))) {
    const given = leaf.registeredArguments.filter(({ required }) => required).map(() => id);
    const wanted = leaf.options.filter(({ mandatory }) => mandatory).flatMap(({ long }) => [long!, id]);
    const words = [...commandPath(leaf).slice(1), ...given, ...wanted, '--no-such-flag'];
    const { code, out, err } = await ended(words, { env: person() });
    expect({ words, code, out }).toEqual({ words, code: 2, out: '' });
    expect(err).toContain('--no-such-flag');
  }
  expect(asked).toBe(0);
}, 60_000);

test('Ctrl-C ends every command with 130, and nothing is asked for after it', async () => {
  for (const meta of resources) {
    space.serve(meta);
    for (const { words } of derivedCommandsOf(meta, folder)) {
      const interrupt = new AbortController();
      const asked: string[] = [];
      space.onRequest = ({ method, path }) => {
        asked.push(`${method} ${path}`);
        interrupt.abort(new Error('interrupted'));
        return new Promise(() => undefined);
      };
      const { code, out, err } = await ended(words, { env: person(), signal: interrupt.signal });
      expect({ words, code, out, err, asked: asked.length }).toEqual({
        words,
        code: 130,
        out: '',
        err: '',
        asked: 1,
      });
    }
  }
}, 60_000);

/** Runs a command whose stdout fails at the first write. */
async function endedWithout(stdout: { code: string; errno: number }, words: string[]) {
  space.serve(resourceNamed('scope'));
  const codes: number[] = [];
  const failing = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error(`write ${stdout.code}`), stdout)),
  });
  const stderr = new PassThrough({ encoding: 'utf8' });
  const host = Object.assign(new EventEmitter(), {
    argv: ['node', 'yagura', ...words],
    env: person(),
    stdin: new PassThrough(),
    stdout: failing,
    stderr,
    exit: (code: number) => codes.push(code),
  });
  await run(host as unknown as NodeJS.Process);
  await new Promise((resolve) => setImmediate(resolve));
  return { codes, said: stderr.read() as string | null };
}

describe.each([[['scopes', 'list']], [['scopes', 'list', '-o', 'ndjson']], [['--help']]])('%j', (words) => {
  test('a reader that goes away is no failure', async () => {
    expect(await endedWithout({ code: 'EPIPE', errno: -constants.errno.EPIPE }, words)).toEqual({
      codes: [0],
      said: null,
    });
  });

  test('a full disk is one, and is named', async () => {
    expect(await endedWithout({ code: 'ENOSPC', errno: -constants.errno.ENOSPC }, words)).toEqual({
      codes: [1],
      said: 'stdout: cannot write: no space left on device\n',
    });
  });
});
