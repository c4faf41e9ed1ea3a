// What the first page that a browser loads weighs: of core neither schemas nor time zones, and few words.
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { dictionaries } from '../words/dictionaries.ts';
import { bundleOf, firstRoutes } from '../words/first-page.ts';
import { namespaceUsage } from '../words/rooms-of-words.ts';

const sizeOf = (text: string | Uint8Array) => gzipSync(text, { level: 9 }).length;

test('core adds little to a list', async () => {
  const routes = [...firstRoutes, 'resource/list.tsx'];
  const [without, whole] = await Promise.all([bundleOf(routes, false), bundleOf(routes, true)]);
  expect(whole.files.some((path) => path.includes('core/src/format/'))).toBe(true);
  expect(whole.files.filter((path) => /node_modules\/(zod|luxon|re2js|mustache)\//.test(path))).toEqual([]);
  expect(sizeOf(whole.script) - sizeOf(without.script)).toBeLessThan(6_500);
});

test('the code of every page is small, packages aside', async () => {
  const { script } = await bundleOf(firstRoutes, true);
  expect(sizeOf(script)).toBeLessThan(22_500);
});

test('the words of every page are few', async () => {
  const { en, ja } = await dictionaries();
  const { first } = await namespaceUsage(en);
  for (const rooms of [en, ja]) {
    const words = Object.values(rooms).flatMap((held) =>
      Object.entries(held).filter(([key]) => first.has(key)),
    );
    expect(words.length).toBe(first.size);
    expect(sizeOf(JSON.stringify(Object.fromEntries(words)))).toBeLessThan(6_000);
  }
});
