// Limits the size of the first page load: no schemas or time zone data from core, and few translations.
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { baseRoutes, bundleRoutes } from './base-bundle.ts';
import { loadNamespaces } from './load-namespaces.ts';
import { namespaceUsage } from './namespace-usage.ts';

const sizeOf = (text: string | Uint8Array) => gzipSync(text, { level: 9 }).length;

test('core adds little to a list', async () => {
  const routes = [...baseRoutes, 'resource/list/list.tsx'];
  const [without, whole] = await Promise.all([
    bundleRoutes(routes, { core: false }),
    bundleRoutes(routes, { core: true }),
  ]);
  expect(whole.files.some((path) => path.includes('core/src/format/'))).toBe(true);
  expect(whole.files.filter((path) => /node_modules\/(zod|luxon|re2js|mustache)\//.test(path))).toEqual([]);
  expect(sizeOf(whole.script) - sizeOf(without.script)).toBeLessThan(4_200);
});

test('the code of every page is small, packages aside', async () => {
  const { script } = await bundleRoutes(baseRoutes, { core: true });
  expect(sizeOf(script)).toBeLessThan(21_500);
});

test('the words of every page are few', async () => {
  const { en, ja } = await loadNamespaces();
  const { baseKeys } = await namespaceUsage(en);
  for (const rooms of [en, ja]) {
    const words = Object.values(rooms).flatMap((held) =>
      Object.entries(held).filter(([key]) => baseKeys.has(key)),
    );
    expect(words.length).toBe(baseKeys.size);
    expect(sizeOf(JSON.stringify(Object.fromEntries(words)))).toBeLessThan(4_000);
  }
});
