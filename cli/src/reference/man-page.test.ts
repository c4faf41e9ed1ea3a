import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { testTerminal } from '../../test/test-terminal.ts';
import { commandPath, leafCommands } from '../command-line/command-path.ts';
import { environmentVariables } from '../command-line/help/environment.ts';
import { examplesOf } from '../command-line/help/examples.ts';
import { createFullProgram } from './full-program.ts';
import { formatManPage } from './man-page.ts';
import { formatReferencePages } from './reference-pages.ts';
import { writePages } from './write-pages.ts';

test('a page names its commands, arguments and flags, and nothing of them is read as roff', async () => {
  const { terminal } = await testTerminal();
  const root = new Command('tool').description('A tool');
  root.command('do').description(".it's \\done").argument('<thing>', 'What').option('--all <x>', '- every -');
  const release = { version: '1', date: '2026-01-01', seeAlso: ['other(1)'] };
  const page = formatManPage(root, release, terminal.t);
  expect(page).toContain('.TH TOOL 1 2026-01-01 "yagura 1"');
  expect(page).toContain('.B tool do <thing>');
  expect(page).toContain("\\&.it's \\edone");
  expect(page).toContain('.TP\n.B \\-\\-all <x>\n\\- every \\-');
  expect(page.match(/^\.SH .*/gm)!.slice(-4)).toEqual([
    '.SH EXAMPLES',
    '.SH EXIT STATUS',
    '.SH ENVIRONMENT',
    '.SH SEE ALSO',
  ]);
  expect(page).toContain('.nf\ntool do THING\n.fi');
  expect(page).toContain('.TP\n.B 4\nSign in to continue');
  expect(page).toContain('.TP\n.B YAGURA_PROFILE\n');
  expect(page).toMatch(/\.SH SEE ALSO\nother\(1\)\n$/);
});

test('both languages have a page for every command, and refer to each other', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'yagura-man-'));
  try {
    const files = (await writePages(folder, '2026-01-01')).map((file) => basename(file));
    expect(new Set(files).size).toBe(files.length);
    const english = files.filter((file) => !file.endsWith('.ja.1'));
    expect(files.toSorted()).toEqual(
      english.flatMap((file) => [file, file.replace('.1', '.ja.1')]).toSorted(),
    );
    // npm links a page whose name ends with its section.
    expect(files).toEqual(expect.arrayContaining(['yagura.1', 'yagura-scan.ja.1', 'yagura-alerthub.1']));
    const page = (name: string) => readFileSync(join(folder, 'man1', name), 'utf8');
    expect(page('yagura-scan.1')).toContain('yagura\\-scan.ja(1)');
    expect(page('yagura-scan.ja.1')).toContain('yagura\\-scan(1)');
    expect(page('yagura.ja.1')).toContain('.SH ENVIRONMENT\n.TP\n.B YAGURA_URL, YAGURA_TOKEN\nプロファイル');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the environment of the manual has every variable of the code', () => {
  const source = join(import.meta.dirname, '..');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
  const read = files
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
    .flatMap((file) => readFileSync(join(source, file), 'utf8').match(/(?<=\benv\.)YAGURA_[A-Z_]+/g) ?? []);
  const told = environmentVariables.flatMap(([names]) => names.split(', '));
  expect(new Set(read)).toEqual(new Set(told.filter((name) => name.startsWith('YAGURA_'))));
});

test('every example is a command line that its command accepts', async () => {
  const { terminal } = await testTerminal();
  for (const leaf of leafCommands(createFullProgram(terminal))) {
    const path = commandPath(leaf).join(' ');
    for (const example of examplesOf(leaf)) {
      const [, line = ''] = new RegExp(`\\b${path}(?: (.*?))?(?: [<|].*|\\)|$)`).exec(example) ?? [
        undefined,
        undefined,
      ];
      expect(example, path).toContain(path);
      const words = (line.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map((word) =>
        word.replace(/^(['"])(.*)\1$/, '$2'),
      );
      const { operands, unknown } = leaf.parseOptions(words);
      expect({ example, unknown }).toEqual({ example, unknown: [] });
      const required = leaf.registeredArguments.filter((argument) => argument.required).length;
      const isVariadic = leaf.registeredArguments.some(({ variadic }) => variadic);
      expect(operands.length, example).toBeGreaterThanOrEqual(required);
      if (!isVariadic) expect(operands.length, example).toBeLessThanOrEqual(leaf.registeredArguments.length);
      const missing = leaf.options.filter(
        ({ mandatory, long }) => mandatory && !example.includes(`${long} `),
      );
      expect(
        missing.map(({ long }) => long),
        example,
      ).toEqual([]);
    }
  }
});

describe.each(['en', 'ja'] as const)('%s', (language) => {
  test('every command says what it is for', async () => {
    const { terminal } = await testTerminal({ language });
    const all = leafCommands(createFullProgram(terminal));
    expect(all.length).toBeGreaterThan(250);
    const silent = all.filter((one) => !one.description() || /\bcli\.[a-z]/.test(one.description()));
    expect(silent.map((one) => commandPath(one).join(' '))).toEqual([]);
  });

  test('no text of a help lacks a value', async () => {
    const { terminal } = await testTerminal({ language });
    const texts = leafCommands(createFullProgram(terminal)).flatMap((leaf) => [
      ...leaf.options.map((option) => option.description),
      ...leaf.registeredArguments.map((argument) => argument.description),
    ]);
    expect(texts.filter((text) => text.includes('{{'))).toEqual([]);
  });

  test('a page has all flags of a command that takes only some of those for output', async () => {
    const { terminal } = await testTerminal({ language });
    const pages = formatReferencePages(createFullProgram(terminal), terminal.t);
    expect(pages.get('api.md')).toContain('`--jq <filter>`');
    expect(pages.get('plan.md')).toContain('`-o, --output <format>`');
    expect(pages.get('scan.md')).not.toContain('`--jq <filter>`');
  });
});
