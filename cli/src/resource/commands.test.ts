import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resources as allResources } from '@yagura/core/all';
import { parseFilter } from '@yagura/core/query/filter';
import { afterAll, describe, expect, test } from 'vitest';
import { testTerminal } from '../../test/test-terminal.ts';
import type { Command } from '../command-line/command.ts';
import { leafCommands } from '../command-line/command-path.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { createProgram } from '../program.ts';
import { createFullProgram } from '../reference/full-program.ts';
import { customCommands, hasCommands } from './commands.ts';
import { filterExample } from './input/example-words.ts';
import { resourceNamed } from './meta/resource-client.ts';
import { resources } from './meta/resources.ts';

/** Options that commands have in addition to the input fields. */
const own = ['json', 'output', 'input', 'yes', 'limit', 'offset', 'all', 'help'];

async function groupOf(entry: (typeof resources)[number]): Promise<Command> {
  const { terminal } = await testTerminal();
  const word = entry.singleton ? entry.name : entry.plural;
  const root = createProgram(terminal, [entry.app, word, 'list']);
  const app = root.commands.find((command) => command.name() === entry.app)!;
  return app.commands.find((command) => command.name() === word) as Command;
}

test('the help of steps and conditions names the list that describes them', async () => {
  const named = new Map<string, string[]>();
  for (const name of ['rule', 'trigger', 'runbook']) {
    const create = (await groupOf(resourceNamed(name))).commands.find((one) => one.name() === 'create')!;
    const texts = create.options.map(({ description }) => description);
    named.set(
      name,
      texts.flatMap((text) => /yagura alerthub (\S+) list -o yaml/.exec(text)?.[1] ?? []),
    );
  }
  expect(Object.fromEntries(named)).toEqual({
    rule: ['rule-operators'],
    trigger: ['trigger-conditions', 'trigger-related-message-filters', 'trigger-operators'],
    runbook: ['runbook-operators'],
  });
  const plurals = resources.map(({ plural }) => plural);
  for (const word of [...named.values()].flat()) expect(plurals).toContain(word);
});

test('the filter in the help of a list is one that this list accepts', () => {
  for (const meta of resources.filter(({ filterable }) => filterable.length > 0)) {
    const filter = parseFilter(filterExample(meta)) as { field: string };
    expect(meta.filterable, meta.name).toContain(filter.field);
  }
});

/** Session logs are bytes, written by `sessions log`. */
const entries = resources.filter(hasCommands);

describe.each(entries.map((meta) => [meta.name, meta] as const))('%s', (_name, meta) => {
  test('has a command for each of its verbs and calls', async () => {
    const names = (await groupOf(meta)).commands.map((command) => command.name());
    const verbs = meta.verbs.map((verb) => (verb === 'remove' ? 'delete' : verb));
    const calls = Object.keys(meta.calls).filter((call) => !customCommands.has(`${meta.name}.${call}`));
    expect(names).toEqual(expect.arrayContaining([...verbs, ...calls]));
  });

  test('no field hides a flag of the command', async () => {
    expect(Object.keys(meta.input ?? {}).filter((name) => own.includes(name))).toEqual([]);
    for (const command of (await groupOf(meta)).commands) {
      const names = command.options.map((option) => option.attributeName());
      const positive = command.options
        .filter((option) => !option.negate)
        .map((option) => option.attributeName());
      expect(new Set(positive).size, `${command.name()}: ${names.join(' ')}`).toBe(positive.length);
    }
  });

  test('its help has words for everything, in both languages', async () => {
    for (const language of ['en', 'ja'] as const) {
      const { terminal } = await testTerminal({ language });
      const word = meta.singleton ? meta.name : meta.plural;
      const app = createProgram(terminal, [meta.app, word]).commands.find(
        (command) => command.name() === meta.app,
      )!;
      const group = app.commands.find((command) => command.name() === word)!;
      for (const command of group.commands) expect(command.helpInformation()).not.toMatch(/\bcli\.[a-z]/);
    }
  });
});

test('calls that have no command of their own name one that does what they do', async () => {
  const instead: Record<string, string[]> = {
    'credential.create': ['kroker', 'credentials', 'create'],
    'message.why': ['why'],
    'rule.test': ['alerthub', 'rules', 'test'],
    'message.raw': ['alerthub', 'messages', 'raw'],
    'message.attachment': ['alerthub', 'messages', 'attachment'],
    'message.html': ['alerthub', 'messages', 'html'],
    'chain.preview': ['pigeon', 'preview'],
    'guidance.speech': ['pigeon', 'guidances', 'speech'],
    'guidance.recording': ['pigeon', 'guidances', 'recording'],
    'mock-phone.heard': ['pigeon', 'mock-phone', 'heard'],
    'session-log.text-log': ['greac', 'sessions', 'log'],
    'session-log.video-log': ['greac', 'sessions', 'log'],
    'audit-record.export': ['space', 'audit-records', 'export'],
  };
  expect(Object.keys(instead).sort()).toEqual([...customCommands].sort());
  const { terminal } = await testTerminal();
  for (const words of Object.values(instead)) {
    let command = createProgram(terminal, [...words]);
    for (const word of words) command = command.commands.find((one) => one.name() === word) as Command;
    expect(command, words.join(' ')).toBeDefined();
  }
});

test('a call that replies with something other than JSON has a command of its own', () => {
  const names = allResources.flatMap(({ name, calls }) =>
    Object.entries(calls).flatMap(([call, { replyType }]) => (replyType ? [`${name}.${call}`] : [])),
  );
  expect(names).toContain('audit-record.export');
  expect(names.filter((name) => !customCommands.has(name))).toEqual([]);
});

describe('program', () => {
  const folder = mkdtempSync(join(tmpdir(), 'yagura-cli-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const parse = async (argv: string[]) => {
    const env = { YAGURA_URL: 'http://localhost:1', YAGURA_TOKEN: 'token', YAGURA_CONFIG_DIR: folder };
    const { terminal, out } = await testTerminal({ env });
    await createProgram(terminal, argv).parseAsync(argv, { from: 'user' });
    return out();
  };

  test.each([
    'help scopes list',
    '-h scopes list',
    'scopes --help list',
    'scopes list -h --limit',
    'alerthub help scopes list',
    'scopes help list',
  ])('%s is answered with the help of the command', async (line) => {
    const { terminal, out } = await testTerminal();
    const argv = line.split(' ');
    await expect(
      (async () => createProgram(terminal, argv).parseAsync(argv, { from: 'user' }))(),
    ).rejects.toMatchObject({ exitCode: 0 });
    expect(out()).toMatch(/^Usage: yagura alerthub scopes list/);
  });

  test('help after a group is that of the group', async () => {
    const { terminal, out } = await testTerminal();
    const argv = ['scopes', 'help'];
    await expect(createProgram(terminal, argv).parseAsync(argv, { from: 'user' })).rejects.toMatchObject({
      exitCode: 0,
    });
    expect(out()).toMatch(/^Usage: yagura alerthub scopes\|scope /);
  });

  test.each([
    [['scoeps', 'list'], 'cli.usage.unknown-command', 'scopes'],
    [['scopes', 'lsit'], 'cli.usage.unknown-command', 'list'],
    [['alerthub', 'scope', 'creat'], 'cli.usage.unknown-command', 'create'],
    [['alerthub', 'nothing'], 'cli.usage.unknown-command', ''],
    [['helpp'], 'cli.usage.unknown-command', 'help'],
    [['version'], 'cli.usage.unknown-command', '--version'],
    [['--hepl'], 'cli.usage.unknown-flag', '--help'],
    [['help', 'alerthub', 'scoeps'], 'cli.usage.unknown-command', 'scopes'],
    [['alerthub', 'scoeps', '--help'], 'cli.usage.unknown-command', 'scopes'],
    [['alerthub', 'help', 'scopes', 'lst'], 'cli.usage.unknown-command', 'list'],
    [['scopes', 'list', '--fliter', 'x'], 'cli.usage.unknown-flag', '--filter'],
    [['scopes', 'create', '--displayname', 'x'], 'cli.usage.unknown-flag', '--display-name'],
    [['whoami', 'x'], 'cli.usage.excess', ''],
    [['scopes', 'show'], 'cli.usage.missing-argument', ''],
    [['scopes', 'list', '--limit'], 'cli.usage.missing-value', '"--limit"'],
    [['messages', 'send'], 'cli.usage.missing-flag', '"--slot"'],
    [['scopes', 'list', '--limit', 'many'], 'cli.usage.number', ''],
    [['scopes', 'list', '--limit', '1001'], 'cli.usage.number', ''],
    [['scopes', 'list', '-o', 'xml'], 'cli.usage.choice', ''],
    [['scopes', 'list', '--json'], 'cli.usage.json-fields', 'scopeId'],
    [['scopes', 'list', '--columns', 'nam'], 'cli.usage.unknown-field', 'nam'],
    [['api', 'FETCH', '/api/space'], 'cli.usage.choice', ''],
    [['api', 'GET', 'https://elsewhere.example/'], 'cli.usage.path', ''],
    [['api', 'GET', '//elsewhere.example/'], 'cli.usage.path', ''],
    [['login', 'ftp://x'], 'cli.usage.address', ''],
    [['login', 'https://user:pass@x'], 'cli.usage.address', ''],
    [['login', 'localhost', '--token', 'secret'], 'cli.usage.token-value', ''],
    [['open', 'scoeps'], 'cli.usage.unknown-resource', 'scopes'],
    [['profiles', 'use', 'nobody'], 'cli.usage.unknown-profile', ''],
  ])('%j is not understood', async (argv, word, hint) => {
    const failure = await parse(argv).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UsageError);
    expect((failure as UsageError).messageKey).toBe(word);
    expect(JSON.stringify((failure as UsageError).params)).toContain(hint);
  });

  test.each([
    [['scopes', 'list'], '--limit', 1, 1000],
    [['tasks', 'list'], '--offset', 0, Number.MAX_SAFE_INTEGER],
    [['exports', 'list', 'scopes'], '--limit', 1, 1000],
    [['exports', 'list', 'scopes'], '--offset', 0, 10_000_000],
    [['sonar', 'search', 'web'], '--limit', 1, 1000],
    [['sonar', 'diff', 'office'], '--limit', 1, 1000],
    [['scan', 'office'], '--timeout', 1, 86_400],
    [['alerts'], '--every', 2, 10],
    [['messages', 'send', '--slot', 'cron'], '--timeout', 1, 3600],
    [['imports', 'exec', 'scopes', 'id'], '--timeout', 1, 86_400],
    [['sessions', 'log', 'id', '--output', join(folder, 'log')], '--part', 1, 10_000],
  ] as const)('%j takes %s from %d to %d', async (argv, flag, min, max) => {
    const isTaken = async (value: number) => {
      const failure = await parse([...argv, flag, String(value)]).catch((error: unknown) => error);
      // Nobody answers at the address of the profile.
      expect(failure).toBeInstanceOf(Error);
      return !(failure instanceof UsageError && failure.messageKey === 'cli.usage.number');
    };
    // No more than fifteen digits are read.
    const bounds = max === Number.MAX_SAFE_INTEGER ? [min] : [min, max, max + 1];
    if (min > 0) bounds.push(min - 1);
    for (const value of bounds) expect(await isTaken(value), `${value}`).toBe(value >= min && value <= max);
  });
});

test.each(['en', 'ja'] as const)('every command has a description in %s', async (language) => {
  const { terminal } = await testTerminal({ language });
  const described = leafCommands(createFullProgram(terminal)).map((command) => command.description());
  expect(described.filter((text) => text === '' || /^(?:call|cli)\./.test(text))).toEqual([]);
  expect(described).toContain(language === 'en' ? 'Show an event' : 'イベントを表示');
  expect(described).toContain(language === 'en' ? 'Edit the profile' : 'プロフィールを編集');
  expect(described).toContain(language === 'en' ? 'Delete severities' : '深刻度を削除');
});
