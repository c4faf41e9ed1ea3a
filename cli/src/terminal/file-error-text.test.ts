import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testTerminal } from '../../test/test-terminal.ts';
import { readFileOrStdin } from '../command-line/read-file-or-stdin.ts';
import { errorMessages } from '../command-line/report-error.ts';
import { writeOrThrow } from '../files/save-file.ts';
import { readKrokerFile } from '../kroker/kroker-file.ts';
import { updateProfiles } from '../signin/update-profiles.ts';
import { fileErrorText } from './file-error-text.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'yagura-file-error-'));
  writeFileSync(join(folder, 'file'), 'PRIVATE KEY');
});
afterAll(() => rmSync(folder, { recursive: true }));

const failure = (action: () => unknown): Promise<Error> =>
  (async () => action())().then(
    () => expect.unreachable(),
    (error: Error) => error,
  );

describe('is in the language of the user and names the path once', () => {
  const at = (name: string) => join(folder, name);
  test.each<[string, () => unknown, string]>([
    ['a file', () => readFile(at('none')), '{{none}}: ファイルまたはフォルダーがありません'],
    [
      'a folder of a flag',
      async () => readFileOrStdin(folder, (await testTerminal()).terminal, '--input'),
      'ファイルではなくフォルダーです',
    ],
    [
      'a file of a flag',
      async () => readFileOrStdin(at('none'), (await testTerminal()).terminal, '--input'),
      '--input: {{none}} を読み取れません: ファイルまたはフォルダーがありません',
    ],
    [
      'a file to be written',
      () => writeOrThrow(at('file/below'), 'x', { flag: '--output' }),
      '--output: {{file/below}} に書き込めません: パスの途中にフォルダーでないものがあります',
    ],
    [
      'the folder of profiles',
      async () => {
        const { terminal } = await testTerminal({ env: { YAGURA_CONFIG_DIR: at('file') } });
        await updateProfiles(terminal, () => undefined);
      },
      '{{file}} にプロファイルを保存できません: 同じ名前のファイルがすでにあります',
    ],
    [
      'the file of a Kroker',
      () => readKrokerFile(at('none')),
      '--file: {{none}} を読み取れません: ファイルまたはフォルダーがありません',
    ],
  ])('%s', async (_what, action, expected) => {
    const { terminal } = await testTerminal({ language: 'ja' });
    const [shown] = errorMessages(terminal, await failure(action));
    expect(shown).toContain(expected.replace(/\{\{(.*)\}\}/, (_all, name: string) => at(name)));
    expect(shown).not.toMatch(/ENOENT|ENOTDIR|EEXIST|no such|directory/);
  });
});

test.skipIf(process.platform !== 'linux')('a full disk', async () => {
  const { terminal } = await testTerminal({ language: 'ja' });
  const file = await open('/dev/full', 'w');
  const error = await failure(() => file.writeFile('x'));
  await file.close();
  expect(fileErrorText(error, terminal.t)).toBe('空き容量がありません');
});

test('another error keeps its words: those of the system, or its own', async () => {
  const { t } = (await testTerminal({ language: 'ja' })).terminal;
  expect(fileErrorText(Object.assign(new Error('x'), { code: 'EPIPE', errno: -32 }), t)).toBe('broken pipe');
  expect(fileErrorText(new Error('Unexpected token'), t)).toBe('Unexpected token');
});

test('the content of a file with a private key is not quoted', async () => {
  const { terminal } = await testTerminal();
  const error = await failure(() => readKrokerFile(join(folder, 'file')));
  expect(errorMessages(terminal, error)).toEqual(['--file must be a JSON object']);
});
