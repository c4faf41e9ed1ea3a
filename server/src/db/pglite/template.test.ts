import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDataFolder, testTemplate } from '../../../test/support/data-folder.ts';
import { openDatabase } from '../open-database.ts';
import { ensureTemplate } from './build-template.ts';
import { cachedTemplateFile, engineVersion, findTemplate, templateName } from './template.ts';

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

test('a template is built once, and a first start from it creates only the tables that it lacks', {
  timeout: 60_000,
}, async () => {
  const [first, second] = [1, 2].map((number) => ({
    number,
    name: `number ${number}`,
    up: `CREATE TABLE row_${number} (id bigint PRIMARY KEY)`,
  }));
  const file = join(folder, 'deep', templateName);
  expect(findTemplate(file)).toBeUndefined();
  await ensureTemplate(file, [first!]);
  const bytes = readFileSync(file);
  expect(bytes.subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
  expect(bytes.length).toBeLessThan(6_000_000);
  expect(findTemplate(file)).toBe(file);

  const data = createDataFolder();
  const logged: string[] = [];
  const database = await openDatabase({
    folder: data.folder,
    templateFile: file,
    migrations: [first!, second!],
    log: ({ message }) => logged.push(message),
  });
  expect(logged).toEqual(['storage engine ready (template)', 'migration 0002 number 2 applied']);
  await database.query('INSERT INTO row_1 SELECT 1');
  expect((await database.query('SELECT * FROM row_2')).rows).toEqual([]);
  await database.close();
  data.remove();

  writeFileSync(file, 'kept');
  await ensureTemplate(file, [first!]);
  expect(readFileSync(file, 'utf8')).toBe('kept');
});

test.each<[string, (template: Buffer) => Buffer]>([
  ['is no template', () => Buffer.from('no gzip')],
  ['was cut off', (template) => template.subarray(0, template.length / 2)],
  ['was packed incompletely', (template) => gzipSync(gunzipSync(template).subarray(0, 1_000_000))],
])(
  'a template that %s is named, and the folder can still be started with another',
  {
    timeout: 60_000,
  },
  async (_name, damage) => {
    const file = join(folder, templateName);
    writeFileSync(file, damage(readFileSync(await testTemplate())));
    const data = createDataFolder();
    await expect(openDatabase({ folder: data.folder, templateFile: file, migrations: [] })).rejects.toThrow(
      file,
    );
    const database = await openDatabase({
      folder: data.folder,
      templateFile: await testTemplate(),
      migrations: [],
    });
    expect((await database.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await database.close();
    data.remove();
  },
);

test('the cache is in the node_modules of the workspace', () => {
  const other = [{ number: 1, name: 'one', up: 'SELECT 1' }];
  expect(cachedTemplateFile(other)).not.toBe(cachedTemplateFile());
  expect(cachedTemplateFile(other)).toContain(engineVersion);
  expect(cachedTemplateFile()).toMatch(/node_modules[\\/]\.cache[\\/]yagura[\\/]/);
});
