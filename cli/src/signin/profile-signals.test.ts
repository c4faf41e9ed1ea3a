import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('writing profiles adds no handler that would end the process at the first signal', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'yagura-cli-'));
  const handlers = () => ['SIGINT', 'SIGTERM', 'SIGHUP'].map((name) => process.listenerCount(name));
  const before = handlers();
  try {
    const { updateProfiles } = await import('./update-profiles.ts');
    const terminal = { env: { YAGURA_CONFIG_DIR: folder }, signal: new AbortController().signal };
    await updateProfiles(terminal, (profiles) => {
      profiles.current = 'a';
    });
    expect(handlers()).toEqual(before);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
