// One run for every package.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          // Pure functions leave nothing behind, so the files share what they import.
          name: 'core',
          include: ['core/**/*.test.ts'],
          exclude: ['**/node_modules/**'],
          environment: 'node',
          isolate: false,
          // What takes longer says so itself.
          testTimeout: 5_000,
        },
      },
      {
        test: {
          name: 'node',
          include: ['{server,cli,agent,fixtures}/**/*.test.{ts,tsx}'],
          exclude: ['**/node_modules/**', '**/dist/**', '**/build/**'],
          environment: 'node',
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'web',
          include: ['web/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/build/**'],
          isolate: false,
        },
      },
      {
        test: {
          name: 'web components',
          include: ['web/**/*.test.tsx'],
          exclude: ['**/node_modules/**', '**/build/**'],
          environment: 'happy-dom',
          isolate: false,
          setupFiles: ['web/app/ui/test/unmount-components.ts'],
        },
      },
    ],
    globalSetup: 'server/test/support/share-postgresql.ts',
    // Two workers: the suite is measured on two cores.
    maxWorkers: 2,
  },
});
