import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { testTerminal } from '../../../test/test-terminal.ts';
import { errorMessages } from '../../command-line/report-error.ts';
import { runEditor } from './run-editor.ts';

// The test uses its own temporary folder, so that leftover files are visible.
const folder = mkdtempSync(join(tmpdir(), 'yagura-editor-test-'));
vi.stubEnv('TMPDIR', folder);
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});
const left = () => readdirSync(folder);

test('gives the text as the editor left it, and leaves no file', () => {
  expect(runEditor('a: 1\n', { EDITOR: `sed -i 's/1/2/'` })).toBe('a: 2\n');
  expect(runEditor('a: 1\n', { EDITOR: 'false', VISUAL: 'true' })).toBe('a: 1\n');
  expect(left()).toEqual([]);
});

test('the text is for the eyes of its owner', () => {
  const mode = 'sh -c \'stat -c %a "$0" > "$0.mode"; mv "$0.mode" "$0"\'';
  expect(runEditor('secret', { EDITOR: mode })).toBe('600\n');
});

test.each(['false', 'no-such-editor-anywhere 2>/dev/null', 'kill -9 $$;:'])(
  '%s: an editor that fails or cannot be started is told as that',
  async (editor) => {
    const { terminal } = await testTerminal();
    const failure = (() => {
      try {
        return runEditor('a: 1\n', { EDITOR: editor });
      } catch (error) {
        return error;
      }
    })();
    expect(errorMessages(terminal, failure)).toEqual([`The editor could not be run: ${editor}`]);
    expect(left()).toEqual([]);
  },
);
