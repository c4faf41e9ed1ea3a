import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { testsAt } from './executed-lines.mjs';
import { mutationsOf } from './mutations.mjs';
import { orderTests } from './order-tests.mjs';
import { probeAt, withProbes } from './probes.mjs';
import { TestProcess } from './test-process.mjs';
import { copyTree } from './tree-copy.mjs';

describe('mutations', () => {
  const template = `\`a \${a ?? b}\``;
  const changes = (source, options) =>
    mutationsOf('file.ts', source, options).map(
      ({ start, end, text }) => source.slice(0, start) + text + source.slice(end),
    );

  test('change one place each', () => {
    expect(changes('if (a <= 1) return;')).toEqual(
      expect.arrayContaining(['if (a < 1) return;', 'if (a > 1) return;', 'if (a <= 2) return;', '']),
    );
  });

  test.each([
    ['const ms = 3_000;', ['const ms = 300;', 'const ms = 30000;']],
    ['const limit = 25;', ['const limit = 250;']],
    ['const none = 0;', ['const none = 1;']],
    ['const ms = 5 * 60;', ['const ms = 50 * 60;', 'const ms = 5 * 6;', 'const ms = 5 * 600;']],
    ['class A { readonly most = 8; }', ['class A { readonly most = 80; }']],
    ['function a(most = 8) {}', ['function a(most = 80) {}']],
    ['const { most = 8 } = given;', ['const { most = 80 } = given;']],
    ['const most = given * 8;', ['const most = given * 9;']],
    ['let next = 8;', ['let next = 9;']],
    ['const one = list[8];', ['const one = list[9];']],
    ['const all = list.slice(8);', ['const all = list.slice(9);']],
    [
      'const late = ms > 3_000;',
      ['const late = ms <= 3_000;', 'const late = ms >= 3_000;', 'const late = ms > 30000;'],
    ],
  ])('change a constant tenfold and other numbers by one: %s', (source, expected) => {
    expect(changes(source)).toEqual(expected);
  });

  test('swap ?? for and, in parentheses', () => {
    expect(changes('const one = a ?? b ?? c;')).toEqual([
      'const one = ((a ?? b) && (c));',
      'const one = ((a) && (b)) ?? c;',
    ]);
  });

  test('change a default tenfold', () => {
    expect(changes('const most = given ?? 8;')).toContain('const most = given ?? 80;');
  });

  test('change conditions of statements in SQL', () => {
    expect(changes("const sql = 'select a from b where space_id = $1 and c is null';")).toEqual([
      "const sql = 'select a from b where (space_id = $1 or true) and c is null';",
      "const sql = 'select a from b where space_id = $1 and c is not null';",
    ]);
  });

  test.each([
    ["const sql = 'select a from b for update';", "const sql = 'select a from b';"],
    ["const sql = read(locked ? ' for update' : '');", "const sql = read(locked ? '' : '');"],
  ])('remove a lock only where a store with several connections runs: %s', (source, unlocked) => {
    expect(changes(source)).toEqual([]);
    expect(changes(source, { stores: true })).toEqual([unlocked]);
  });

  test.each([
    ["import { a } from 'b';"],
    ['type A = { b: true } | 1;'],
    ["deps.log({ level: 'info', isNew: true });"],
    ['this.logFailure(job, 1);'],
    [`const fault = new Error(${template});`],
    ["const fault = new RangeError('select a from b where c is null');"],
  ])('leave out what makes no difference: %s', (source) => {
    expect(changes(source)).toEqual([]);
  });

  test('change the arguments of other errors, and what is not the text of one', () => {
    expect(changes(`const fault = new Problem(${template});`)).toEqual([
      `const fault = new Problem(${template.replace('a ?? b', '((a) && (b))')});`,
    ]);
    expect(changes('const fault = new Error(a ?? b);')).toEqual(['const fault = new Error(((a) && (b)));']);
    expect(changes('const fault = new Error(`a`, { cause: a ?? b });')).toEqual([
      'const fault = new Error(`a`, { cause: ((a) && (b)) });',
    ]);
  });
});

describe('probes', () => {
  afterEach(() => {
    delete globalThis.executedProbes;
  });

  const source = `
    function sign(x) {
      if (x < 0) return 'minus';
      else if (x > 0) {
        return 'plus';
      }
      switch (x) {
        case 0:
          return [x].map((one) => ({ one }));
      }
      outer: for (;;) break outer;
    }
    return sign(input);`;
  const { text, probes } = withProbes('file.ts', source, 100);
  const placeOf = (code) => ({ start: source.indexOf(code), end: source.indexOf(code) + code.length });
  const run = (input) => {
    globalThis.executedProbes = new Set();
    const result = new Function('input', text)(input);
    const isExecuted = (code) => globalThis.executedProbes.has(100 + probeAt(probes, placeOf(code)));
    return { result, isExecuted };
  };

  test('tell which statements and arrow functions were executed', () => {
    const { result, isExecuted } = run(0);
    expect(result).toEqual([{ one: 0 }]);
    expect(isExecuted('x < 0')).toBe(true);
    expect(isExecuted("'minus'")).toBe(false);
    expect(isExecuted("'plus'")).toBe(false);
    expect(isExecuted('{ one }')).toBe(true);
    expect(run(1).isExecuted("'plus'")).toBe(true);
  });

  test('do nothing where nobody collects', () => {
    expect(new Function('input', text)(-1)).toBe('minus');
  });

  test('are not where a file runs when it is loaded', () => {
    expect(probeAt(probes, placeOf('sign(input)'))).toBeUndefined();
  });
});

describe('tests of a place', () => {
  const tests = ['core/src/access/access.test.ts', 'core/src/access/role-reads.test.ts'];
  const area = { tests: ['core/src/access'] };
  const probes = [
    { start: 0, end: 5 },
    { start: 10, end: 15 },
  ];
  // The first has loaded the file, and with that executed probe 100; both have executed the other.
  const passed = [
    { test: tests[0], ms: 1, executed: new Set([100, 101]) },
    { test: tests[1], ms: 1, executed: new Set([101]) },
  ];
  const times = new Map([
    [100, 1],
    [101, 2],
  ]);
  const found = (place, loading) =>
    testsAt({ area, ...place }, { passed, times, loading: new Set(loading), probes, first: 100 }).map(
      ({ test }) => test,
    );

  test('are those that execute it', () => {
    expect(found(probes[0], [])).toEqual([tests[0]]);
    expect(found(probes[1], [])).toEqual(tests);
  });

  test('are all that use the file, of a place that runs when the file is loaded', () => {
    expect(found(probes[0], [100])).toEqual(tests);
    expect(found({ start: 6, end: 7 }, [])).toEqual(tests);
  });
});

describe('order of tests', () => {
  const file = 'server/src/jobs/tasks.ts';
  const inOrder = [
    { test: 'server/src/jobs/tasks.test.ts', weight: 0.1, ms: 900 },
    { test: 'server/test/tasks/tasks.test.ts', weight: 30, ms: 4_000 },
    { test: 'server/src/jobs/batcher.test.ts', weight: 5, ms: 20 },
    { test: 'server/test/tasks/task-leases.test.ts', weight: 30, ms: 9_000 },
    { test: 'server/test/api/contract.test.ts', weight: 0.1, ms: 10 },
  ];

  test('begins beside the file and goes on with what executes most of it in the least time', () => {
    expect(orderTests(inOrder.toReversed(), file, 60_000)).toEqual({ chosen: inOrder, leftOut: 0 });
  });

  test('leaves out what takes too long together, but never the first', () => {
    expect(orderTests(inOrder, file, 4_930)).toEqual({
      chosen: [inOrder[0], inOrder[1], inOrder[2], inOrder[4]],
      leftOut: 1,
    });
    expect(orderTests(inOrder, file, 100).chosen).toEqual([inOrder[0], inOrder[2], inOrder[4]].slice(0, 1));
  });
});

function makeFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'yagura-mutate-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

describe('the time of a test file', () => {
  /** Starts a process that sends some messages when it is to run test files, and then nothing. */
  function startProcess(messagesIn) {
    const folder = makeFolder();
    mkdirSync(join(folder, 'tools/mutate'), { recursive: true });
    writeFileSync(
      join(folder, 'tools/mutate/run-tests.mjs'),
      `process.on('message', () => { for (const message of ${JSON.stringify(messagesIn(folder))}) process.send(message); });
       process.send({ ready: true });`,
    );
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const runner = new TestProcess(folder);
    onTestFinished(() => {
      runner.end();
      vi.useRealTimers();
    });
    return runner;
  }

  test('is limited from when it is loaded', async () => {
    const runner = startProcess((folder) => [{ loaded: join(folder, 'a.test.ts') }]);
    let onLimit;
    const limited = new Promise((resolve) => (onLimit = resolve));
    const run = runner.run({ tests: ['a.test.ts'], limitOf: () => onLimit() ?? 1_000 });
    await limited;
    vi.advanceTimersByTime(1_000);
    expect(await run).toEqual([{ test: 'a.test.ts', failed: 'ran too long', ms: 1_000 }]);
  });

  test('does not count what it takes to load it, up to three minutes', async () => {
    const passed = { test: 'a.test.ts', failed: null, ms: 1 };
    const runner = startProcess((folder) => {
      const test = join(folder, 'a.test.ts');
      return [{ loaded: test }, { ...passed, test }];
    });
    let onResult;
    const first = new Promise((resolve) => (onResult = resolve));
    const run = runner.run({ tests: ['a.test.ts', 'b.test.ts'], limitOf: () => 1_000, onResult });
    await first;
    vi.advanceTimersByTime(179_999);
    expect(await Promise.race([run, 'goes on'])).toBe('goes on');
    vi.advanceTimersByTime(1);
    expect(await run).toEqual([passed, { test: 'b.test.ts', failed: 'ran too long', ms: 180_000 }]);
  });
});

test('a copy of the repository without all packages is an error, and is removed', () => {
  const folder = makeFolder();
  onTestFinished(() => void vi.unstubAllEnvs());
  writeFileSync(join(folder, 'cp'), '#!/bin/sh\necho "no space left" >&2\nexit 1\n', { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
  vi.stubEnv('TMPDIR', folder);
  expect(copyTree).toThrow(/^cannot copy .*node_modules: no space left$/);
  expect(readdirSync(folder)).toEqual(['cp']);
});
