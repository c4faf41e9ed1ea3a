// Files, exports and dependencies that nothing uses. The entries are those of the programs, so that an
// unused export of core is found although core exports every file.
import { entryFiles } from './tools/coverage/entry-files.mjs';

const programs = await entryFiles();
/** The pages of the console; the entries of the server and the command line are in their package.json. */
const screens = programs
  .filter((file) => /^web\/app\/.+\//.test(file))
  .map((file) => `${file.slice('web/'.length)}!`);

const sources = ['**/*.{js,mjs,ts,tsx}!'];

export default {
  // Of the system, and of the packed agent.
  ignoreBinaries: [
    'bridge',
    'espeak-ng',
    'baresip',
    'cc',
    'kamailio',
    'sipp',
    'ip',
    'mount',
    'nmap',
    'openssl',
    'snmpbulkwalk',
    'ssh-keygen',
    'sftp',
    'systemd-analyze',
    'umount',
    'yagura-agent',
  ],
  ignoreDependencies: ['remix', 'dependency-cruiser'],
  ignoreExportsUsedInFile: true,
  // `!` marks what the programs consist of. With `--production` knip looks at nothing else and finds what only tests use,
  // except what is marked `@internal`.
  workspaces: {
    '.': { entry: ['tools/**/*.{mjs,d.mts}'] },
    core: { project: ['src/**/*.ts!'], includeEntryExports: true },
    server: {
      entry: [
        // Called by build.mjs.
        'src/db/pglite/engine-worker.mjs!',
        'src/hosting/thread-jobs-from-source.mjs!',
        'src/pigeon/mock-phone/phone-worker.{mjs,ts}!',
        'src/pigeon/sip-line/sip-worker.{mjs,ts}!',
        'src/receiver/receiver-worker.{mjs,ts}!',
        'test/**/*.ts',
        'src/**/*.test.ts',
      ],
      project: [...sources, '!build.mjs!', '!test/**!'],
    },
    web: {
      entry: [
        ...screens,
        'app/routes.ts!',
        'app/shell/offline/service-worker.js!',
        // Imported by the code that the plugin for translations adds to modules.
        'app/i18n/loaded-translations.ts!',
        'app/**/*.test.{ts,tsx}',
        'i18n/**/*.test.ts',
        'test/**/*.ts',
        '*.config.ts',
      ],
      project: [...sources, '**/*.css!', '!*.mjs!', '!{i18n,test}/**!', '!app/**/test/**!'],
    },
    cli: {
      entry: ['test/**/*.{ts,tsx}', 'src/**/*.test.{ts,tsx}'],
      project: [...sources, '!*.mjs!', '!test/**!'],
    },
    agent: {
      entry: ['src/session/recording/recording-worker.{mjs,ts}!', 'test/**/*.ts', 'src/**/*.test.ts'],
      project: [...sources, '!*.mjs!', '!test/**!'],
    },
    fixtures: { entry: ['src/**/*.{mjs,ts}', 'test/**/*.ts'] },
  },
};
