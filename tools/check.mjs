// Static checks: types, lint and format, import directions and cycles, translations, structure, coverage of the specification, dead code.
import { binary, run } from './run.mjs';

const turbo = { env: { TURBO_TELEMETRY_DISABLED: '1' } };
const checks = [
  ['lint, format', binary('biome'), ['check', '--error-on-warnings', '.']],
  [
    'types, translations in both languages',
    binary('turbo'),
    ['run', 'check', '--output-logs=errors-only'],
    turbo,
  ],
  [
    'import directions and cycles',
    binary('depcruise'),
    [
      '--config',
      '.dependency-cruiser.cjs',
      '--output-type',
      'err',
      'core/src',
      'server/src',
      'cli/src',
      'agent/src',
      'web/app',
      'fixtures/src',
    ],
  ],
  ['specification covered, docs/coverage.md up to date', process.execPath, ['tools/coverage.mjs', '--check']],
  [
    'security requirements tested, docs/security.md up to date',
    process.execPath,
    ['tools/security.mjs', '--check'],
  ],
  ['documents name what exists, translations agree', process.execPath, ['tools/docs.mjs']],
  ['docs/commands up to date', process.execPath, ['tools/commands.mjs', '--check']],
  ['sizes of files and folders, names', process.execPath, ['tools/structure.mjs']],
  ['unused files, exports and dependencies', binary('knip'), ['--no-progress']],
  ['files and exports that only tests use', binary('knip'), ['--no-progress', '--production']],
];

let failed = 0;
/** Runs check after check; what one prints comes when it ends, since another runs beside it. */
async function runNext() {
  for (let check = checks.shift(); check; check = checks.shift()) {
    const [name, command, args, options] = check;
    const started = Date.now();
    const { code, output } = await run(command, args, { ...options, quiet: true });
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    console.log(`${output}${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
    if (code !== 0) failed++;
  }
}
await Promise.all([runNext(), runNext()]);
process.exit(failed > 0 ? 1 : 0);
