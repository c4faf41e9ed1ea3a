import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDataFolder } from '../../../test/support/data-folder.ts';
import { openDatabase } from '../open-database.ts';
import { cachedTemplateFile, engineVersion, ensureTemplate, findTemplate, templateName } from './template.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'yagura-template-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the version in the name is the version that is installed', () => {
  const manifest = new URL('../../../package.json', import.meta.url);
  const { dependencies } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    dependencies: Record<string, string>;
  };
  expect(engineVersion).toBe(dependencies['@electric-sql/pglite']);
  expect(templateName).toContain(engineVersion);
});

test('a template is built once and found where it is given', { timeout: 60_000 }, async () => {
  const file = join(folder, 'deep', templateName);
  expect(findTemplate(file)).toBeUndefined();
  await ensureTemplate(file);
  const bytes = readFileSync(file);
  expect(bytes.subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
  expect(bytes.length).toBeLessThan(6_000_000);
  writeFileSync(file, 'kept');
  await ensureTemplate(file);
  expect(readFileSync(file, 'utf8')).toBe('kept');
  expect(findTemplate(file)).toBe(file);
});

test('a damaged template is named, and the folder can still be started without it', {
  timeout: 60_000,
}, async () => {
  const file = join(folder, templateName);
  writeFileSync(file, 'no gzip');
  const data = createDataFolder();
  await expect(openDatabase({ folder: data.folder, templateFile: file, migrations: [] })).rejects.toThrow(
    file,
  );
  const database = await openDatabase({ folder: data.folder, migrations: [] });
  expect((await database.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  await database.close();
  data.remove();
});

test('the cache is in the node_modules of the workspace', () => {
  expect(cachedTemplateFile()).toMatch(/node_modules[\\/]\.cache[\\/]yagura[\\/]/);
});
