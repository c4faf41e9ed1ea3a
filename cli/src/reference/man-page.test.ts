import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { testTerminal } from '../../test/test-terminal.ts';
import { createFullProgram } from './full-program.ts';
import { commandPath, formatManPage, leafCommands } from './man-page.ts';

test('a page names its commands, arguments and flags, and nothing of them is read as roff', () => {
  const root = new Command('tool').description('A tool');
  root.command('do').description(".it's \\done").argument('<thing>', 'What').option('--all <x>', '- every -');
  const page = formatManPage(root, { version: '1', date: '2026-01-01' });
  expect(page).toContain('.TH TOOL 1 2026-01-01 "yagura 1"');
  expect(page).toContain('.B tool do <thing>');
  expect(page).toContain("\\&.it's \\edone");
  expect(page).toContain('.TP\n.B \\-\\-all <x>\n\\- every \\-');
});

describe.each(['en', 'ja'] as const)('%s', (language) => {
  test('every command says what it is for', async () => {
    const { terminal } = await testTerminal({ language });
    const all = leafCommands(createFullProgram(terminal));
    expect(all.length).toBeGreaterThan(250);
    const silent = all.filter((one) => !one.description() || /\bcli\.[a-z]/.test(one.description()));
    expect(silent.map((one) => commandPath(one).join(' '))).toEqual([]);
  });
});
