import { expect, test } from 'vitest';
import { systemClock } from '../clock.ts';
import { lockDataFolder } from './data-folder.ts';

test.runIf(process.platform === 'linux')('a folder that cannot be created is named', async () => {
  await expect(lockDataFolder('/proc/yagura/data', systemClock)).rejects.toThrow(
    /^The data folder \/proc\/yagura\/data cannot be used: ENOENT/,
  );
});
