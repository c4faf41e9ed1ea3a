import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, StubSpace } from '../../test/stub-space.ts';
import { testTerminal } from '../../test/test-terminal.ts';
import { createProgram } from '../program.ts';

const space = new StubSpace();
const folder = mkdtempSync(join(tmpdir(), 'yagura-audit-'));
beforeAll(() => space.start());
afterAll(async () => {
  await space.stop();
  rmSync(folder, { recursive: true });
});

async function run(...words: string[]) {
  const { terminal, err } = await testTerminal({ env: space.env });
  const argv = ['space', 'audit-records', 'export', ...words];
  await createProgram(terminal, argv).parseAsync(argv, { from: 'user' });
  return err();
}

test('the audit log is saved as it was sent, with the selection of a list', async () => {
  const csv = '\ufeffnumber,action\r\n1,create\r\n';
  space.reset({
    'GET /api/space/audit-records/export': reply({ body: csv, headers: { 'content-type': 'text/csv' } }),
  });
  const to = join(folder, 'audit.csv');
  const until = '2026-01-31T00:00:00Z';
  const said = await run('--to', to, '--format', 'csv', '--filter', 'action eq "create"', '--until', until);
  expect(readFileSync(to, 'utf8')).toBe(csv);
  expect(said).toBe(`Saved ${to}\n`);
  expect(space.asked[0]!.query).toEqual({
    format: 'csv',
    filter: 'action eq "create"',
    untilAt: '2026-01-31T00:00:00.000Z',
  });
});

test('another format is refused before anything is asked', async () => {
  space.reset();
  await expect(run('--to', join(folder, 'x'), '--format', 'xml')).rejects.toMatchObject({
    messageKey: 'cli.usage.choice',
  });
  expect(space.calls).toEqual([]);
});

test('a file that cannot be written is named', async () => {
  space.reset({ 'GET /api/space/audit-records/export': [] });
  await expect(run('--to', join(folder, 'none', 'x'))).rejects.toMatchObject({
    messageKey: 'cli.usage.save',
    params: { flag: '--to' },
  });
});
