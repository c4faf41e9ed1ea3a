// Mails of the script with which smartd warns, to the address of the recipe.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecipeResult } from '@yagura/core/alerthub/recipes/create-from-recipe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRecipeSlots, type RecipeSlots } from '../support/recipe-slots.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import {
  areInstalled,
  installMail,
  mailPrograms,
  pathOf,
  runProgram,
  senderEnv,
  smartdScript,
} from './sender-programs.ts';

describe.skipIf(!areInstalled(smartdScript, ...mailPrograms))('smartd_warning.sh', () => {
  let server: TestServer;
  let slots: RecipeSlots;
  let made: RecipeResult;
  let folder: string;
  let bin: string;
  beforeAll(async () => {
    server = (await startTestServer({ engine: 'embedded', env: { YAGURA_MAIL_PORT: '0' } }))!;
    slots = await createRecipeSlots(server);
    made = await slots.create('disk-mail');
    folder = await mkdtemp(join(tmpdir(), 'yagura-smartd-'));
    bin = await installMail(folder, server.mailPort!);
  });
  afterAll(async () => {
    await server?.stop();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  async function warn(type: string, message: string): Promise<void> {
    const env = senderEnv({
      SMARTD_MAILER: join(bin, 'mail'),
      SMARTD_ADDRESS: made.slot.primary,
      SMARTD_FAILTYPE: type,
      SMARTD_MESSAGE: message,
      SMARTD_DEVICEINFO: 'WDC WD40EFRX-68N32N0, S/N:WD-WCC7K1, 4.00 TB',
      SMARTD_PREVCNT: '0',
      SMARTD_NEXTDAYS: '1',
    });
    const { code, stderr } = await runProgram('sh', [pathOf(smartdScript)], env);
    expect(code, stderr).toBe(0);
    await server.settled();
  }
  const values = async () => Object.values(await slots.valuesOf(made.scope.scopeId)).filter(Boolean);

  test('counts each problem of each disk once', async () => {
    await warn('EmailTest', 'TEST EMAIL from smartd for device: /dev/sda');
    expect(await values()).toEqual([]);
    for (const device of ['/dev/sda [SAT]', '/dev/sdb [SAT]', '/dev/sda [SAT]'])
      await warn('CurrentPendingSector', `Device: ${device}, 8 Currently unreadable (pending) sectors`);
    expect(await values()).toEqual([2]);
    await warn('Health', 'Device: /dev/sda [SAT], FAILED SMART self-check. BACK UP DATA NOW!');
    expect((await values()).sort()).toEqual([100, 2]);
  });
});
