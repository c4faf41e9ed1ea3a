// One run for every package; screens bring their own configuration.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'node',
          include: ['{core,server,cli,fixtures}/**/*.test.{ts,tsx}'],
          exclude: ['**/node_modules/**', '**/dist/**', '**/build/**'],
          environment: 'node',
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      './web/vitest.config.ts',
    ],
    globalSetup: 'server/test/share-postgresql.ts',
    // Two workers: the suite is measured on two cores.
    maxWorkers: 2,
  },
});
