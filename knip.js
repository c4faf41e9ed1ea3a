// Files, exports and dependencies that nothing uses. The entries are those of the programs, so that an
// unused export of core is found although core exports every file.
import { entryFiles } from './tools/coverage/entry-files.mjs';

const programs = await entryFiles();
/** The pages of the console; the entries of the server and the command line are in their package.json. */
const screens = programs
  .filter((file) => /^web\/app\/.+\//.test(file))
  .map((file) => file.slice('web/'.length));

export default {
  // Of the system, and of the packed agent.
  ignoreBinaries: ['ip', 'yagura-agent'],
  ignoreDependencies: ['remix', 'dependency-cruiser'],
  ignoreExportsUsedInFile: true,
  workspaces: {
    '.': { entry: ['tools/**/*.mjs'] },
    core: { project: ['src/**/*.ts'], includeEntryExports: true },
    server: {
      entry: [
        'src/db/pglite/engine-worker.mjs',
        'src/hosting/thread-jobs-from-source.mjs',
        'src/receiver/receiver-worker.{mjs,ts}',
        'test/**/*.ts',
        'src/**/*.test.ts',
      ],
    },
    web: {
      entry: [
        ...screens,
        'app/service-worker.js',
        // Imported by the code that the plugin for translations adds to modules.
        'app/i18n/loaded-translations.ts',
        'app/**/*.test.{ts,tsx}',
        'i18n/**/*.test.ts',
        'test/**/*.ts',
        '*.config.ts',
      ],
    },
    cli: { entry: ['test/**/*.{ts,tsx}', 'src/**/*.test.{ts,tsx}'] },
    agent: { entry: ['test/**/*.ts', 'src/**/*.test.ts'] },
    fixtures: { entry: ['src/**/*.ts', 'test/**/*.ts'] },
  },
};
