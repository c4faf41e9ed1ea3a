// Mails of a real Monit, whose recipient and mail format are those of the recipe.
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecipeResult } from '@yagura/core/alerthub/recipes/create-from-recipe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRecipeSlots, type RecipeSlots } from '../support/recipe-slots.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { areInstalled, type Daemon, monitDaemon, pathOf, senderEnv, startDaemon } from './sender-programs.ts';

const timeoutMs = 30_000;

describe.skipIf(!areInstalled(monitDaemon))('a real Monit', { timeout: 120_000 }, () => {
  let server: TestServer;
  let slots: RecipeSlots;
  let made: RecipeResult;
  let folder: string;
  let monit: Daemon;
  beforeAll(async () => {
    server = (await startTestServer({ engine: 'embedded', env: { YAGURA_MAIL_PORT: '0' } }))!;
    slots = await createRecipeSlots(server);
    made = await slots.create('monit-mail');
    folder = await mkdtemp(join(tmpdir(), 'yagura-monit-'));
    await write('backup.sh', `#!/bin/sh\nexit $(cat ${join(folder, 'status')})\n`);
    await chmod(join(folder, 'backup.sh'), 0o700);
    await write('status', '0');
    await write('size', 'small');
    const file = join(folder, 'monitrc');
    await writeFile(file, configuration(), { mode: 0o600 });
    monit = startDaemon(pathOf(monitDaemon), ['-I', '-c', file], senderEnv());
  });
  afterAll(async () => {
    await monit?.stop();
    await server?.stop();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const write = (name: string, text: string) => writeFile(join(folder, name), text);
  const configuration = () => `
set daemon 1
set log ${join(folder, 'log')}
set idfile ${join(folder, 'id')}
set statefile ${join(folder, 'state')}
set pidfile ${join(folder, 'pid')}
set mailserver 127.0.0.1 port ${server.mailPort}
${made.snippet.replaceAll('$HOST', 'web1')}
check program backup with path ${join(folder, 'backup.sh')}
  if status != 0 then alert
check file data with path ${join(folder, 'size')}
  if size > 10 B then alert
check process self with pidfile ${join(folder, 'self')}
`;
  const becomes = (expected: Record<string, string>) =>
    expect
      .poll(() => slots.statusesOf(made.scope.scopeId), { timeout: timeoutMs, message: monit.printed() })
      .toEqual(expected);

  test('reports outages and other problems, and their ends', async () => {
    await becomes({ 'web1/self': 'incident' });
    await write('self', String(process.pid));
    await becomes({});
    await write('status', '1');
    await becomes({ 'web1/backup': 'incident' });
    await write('size', 'much larger than before');
    await becomes({ 'web1/backup': 'incident', 'web1/data': 'warning' });
    await write('size', 'small');
    await becomes({ 'web1/backup': 'incident' });
    await write('status', '0');
    await becomes({});
  });
});
