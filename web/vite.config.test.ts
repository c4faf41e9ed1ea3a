// The browser gets all routes with the first page. If it asked for them by path, anyone could make the server match
// thousands of paths with one request.
import { fileURLToPath } from 'node:url';
import { resolveConfig } from 'vite';
import { expect, test } from 'vitest';

/** Milliseconds to load the build's configuration while all processors are busy. */
const timeoutMs = 60_000;

test('no request asks the server for routes', { timeout: timeoutMs }, async () => {
  const root = fileURLToPath(new URL('.', import.meta.url));
  const config = await resolveConfig(
    { root, configFile: `${root}vite.config.ts`, logLevel: 'silent' },
    'build',
  );
  const { future } = (config as unknown as RemixConfig).__remixPluginContext.remixConfig;
  expect(future.v3_lazyRouteDiscovery).toBe(false);
});

interface RemixConfig {
  __remixPluginContext: { remixConfig: { future: Record<string, boolean> } };
}
