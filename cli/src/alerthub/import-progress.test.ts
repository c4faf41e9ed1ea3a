import { expect, test } from 'vitest';
import { testTerminal } from '../../test/test-terminal.ts';
import { countRows, whilePlanning } from './import-progress.ts';

test.each([
  ['', 0],
  ['a,b\n', 0],
  ['a,b\n1,2\n', 1],
  ['a,b\n1,2', 1],
  ['a,b\r\n1,"two\r\nlines"\r\n3,4\r\n', 2],
  ['a,b\n1,"a ""quoted"" \n word"\n', 1],
])('rows of %j: %i', (text, rows) => expect(countRows(Buffer.from(text))).toBe(rows));

test('shows how many rows of its own import are planned, which it looks for until it is there', async () => {
  const { terminal, err } = await testTerminal({ live: true });
  const bytes = Buffer.from('a\n1\n2\n3\n');
  const listed = (importId: string, status: string, size: number) => ({ importId, status, size });
  const others = [listed('done', 'planned', bytes.length), listed('other', 'processing', 1)];
  const lists = [others, [...others, listed('own', 'processing', bytes.length)]];
  const totals = [2];
  const asked: string[] = [];
  let finish = (_: string) => {};
  const work = new Promise<string>((resolve) => {
    finish = resolve;
  });
  const transport = {
    origin: 'http://space.example',
    async fetch(address: string) {
      const path = new URL(address).pathname.replace('/api/apps/alerthub/bulk-operations/scope/imports', '');
      asked.push(path);
      if (path === '') return Response.json({ items: lists.shift(), total: 0 });
      const total = totals.shift();
      if (total === undefined) finish('planned');
      return Response.json({ items: [], total: total ?? 3 });
    },
  };
  expect(await whilePlanning(terminal, transport, { kind: 'scope', bytes }, work)).toBe('planned');
  expect(asked.slice(0, 4)).toEqual(['', '', '/own/rows', '/own/rows']);
  const planning = terminal.t('cli.import.planning');
  const shown = err();
  for (const text of [planning, `${planning} 2/3`]) expect(shown).toContain(text);
});
