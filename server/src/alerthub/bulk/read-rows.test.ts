import { Transform } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { readRows } from './read-rows.ts';

test('a file of many chunks leaves no listeners behind', async () => {
  const on = vi.spyOn(Transform.prototype, 'on');
  const counts: number[] = [];
  async function* chunks() {
    for (let chunk = 0; chunk < 40; chunk += 1) yield Buffer.from(`${'a'.repeat(65_536)},b\n`);
  }
  for await (const { line } of readRows(chunks()))
    counts[line - 1] = (on.mock.contexts[0] as Transform).listenerCount('close');
  on.mockRestore();
  expect(counts).toHaveLength(40);
  expect(Math.max(...counts)).toBeLessThan(10);
});
