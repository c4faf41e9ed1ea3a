// Runs the written examples against a space that knows nothing: all of them are accepted as typed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resources } from '@yagura/core/all';
import { parseSearch } from '@yagura/core/query/search';
import { searchFields } from '@yagura/core/query/search-tree';
import { isSearchField } from '@yagura/core/sonar/search-values';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StubSpace } from '../../test/stub-space.ts';
import { testTerminal } from '../../test/test-terminal.ts';
import { writtenExamples } from '../command-line/help/examples.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { createProgram } from '../program.ts';

const space = new StubSpace();
const folder = mkdtempSync(join(tmpdir(), 'yagura-examples-'));
beforeAll(() => space.start());
afterAll(async () => {
  await space.stop();
  rmSync(folder, { recursive: true });
});

/** What can only be missing here: files, profiles and a terminal. */
const localKeys = [
  'cli.usage.file',
  'cli.usage.unknown-profile',
  'cli.usage.no-screen',
  'cli.connect.no-terminal',
  'cli.files.unreadable',
];

/** The words after `yagura`, without quotes, pipes and redirections. */
function wordsOf(line: string): string[] {
  const typed = line.slice(line.lastIndexOf('yagura ') + 'yagura '.length).replace(/\)$| [<|] \S+$/, '');
  return [...typed.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, ...groups]) => groups.find(Boolean) ?? '');
}

// Those with a URL would contact that space.
const lines = Object.values(writtenExamples)
  .flat()
  .filter((line) => !line.includes('https://'));

test.each(lines)('%s', async (line) => {
  space.reset();
  const { terminal } = await testTerminal({ env: { ...space.env, YAGURA_CONFIG_DIR: folder }, input: '{}' });
  const argv = wordsOf(line.replace('./', `${folder}/`));
  const failure: unknown = await (async () =>
    createProgram(terminal, argv).parseAsync(argv, { from: 'user' }))()
    .then(() => undefined)
    .catch((error: unknown) => error);
  if (failure instanceof UsageError) expect(localKeys).toContain(failure.messageKey);
  for (const { call, body } of space.asked) {
    if (!call.startsWith('POST ')) continue;
    const sent: unknown = JSON.parse(body);
    const created = resources.find(({ path, verbs }) => call === `POST ${path}` && verbs.includes('create'));
    if (created?.input) expect(created.input.safeParse(sent).error?.issues).toBeUndefined();
    if (call.includes('/search/')) {
      const { query } = sent as { query: string };
      expect(searchFields(parseSearch(query)).filter((field) => !isSearchField(field))).toEqual([]);
    }
  }
});
