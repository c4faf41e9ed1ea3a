// Passes all tests: builds what they run, unit to browser, and ends with one plain line of counts.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { findBrowser } from './find-browser.mjs';
import { binary, root, run } from './run.mjs';

const folder = mkdtempSync(join(placeForFolders(), 'yagura-test-'));
// Servers of other users, such as PostgreSQL, have folders in it.
chmodSync(folder, 0o1777);
process.env.TMPDIR = folder;
const totals = { passed: 0, failed: 0, skipped: 0 };
/** Tests that failed: name, and why. */
const failed = [];
/** Names of the tests that passed only when they were tried again. */
const flaky = [];
/** Milliseconds without a word after which tests hang: a loop in one of them is stopped by no time limit of its own. */
const silence = 20 * 60_000;
const add = (passed, failed, skipped = 0) => {
  totals.passed += passed;
  totals.failed += failed;
  totals.skipped += skipped;
};

/** The file system in memory where it has space for all temporary files: servers start a fifth faster there. */
function placeForFolders() {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= 4 * 2 ** 30 && freemem() >= 8 * 2 ** 30 ? memory : tmpdir();
}

/** Says at the end of a part how long it took: where the minutes of the suite go. */
async function timed(name, part) {
  const start = performance.now();
  await part();
  console.log(`${name}: ${Math.round((performance.now() - start) / 1000)} s`);
}

async function main() {
  const built = await run(binary('turbo'), ['run', 'build', '--output-logs=errors-only'], {
    env: { TURBO_TELEMETRY_DISABLED: '1' },
  });
  if (built.code !== 0) return add(0, 1);

  await timed('unit tests', unitTests);
  await timed('browser tests', browserTests);
  // One waits while the other works.
  await Promise.all([
    timed('crash test', () => crashTest(['--rounds', '3', '--posts', '400'])),
    timed('crash test on PostgreSQL', () =>
      crashTest(['--rounds', '4', '--posts', '200', '--postgresql', '--journal']),
    ),
  ]);
}

async function unitTests() {
  const unit = join(folder, 'unit.json');
  const triedAgain = join(folder, 'flaky.json');
  const { code } = await run(
    binary('vitest'),
    [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${unit}`,
      `--reporter=${join(root, 'tools', 'flaky-reporter.mjs')}`,
      // Phones, desktops and daemons of the tests miss a moment when other programs use the machine.
      ...(process.env.CI ? ['--retry=1'] : []),
    ],
    { env: { YAGURA_WHOLE_SUITE: '1', YAGURA_FLAKY_FILE: triedAgain }, silence },
  );
  if (existsSync(triedAgain)) flaky.push(...JSON.parse(readFileSync(triedAgain, 'utf8')));
  const report = existsSync(unit) ? JSON.parse(readFileSync(unit, 'utf8')) : undefined;
  add(report?.numPassedTests ?? 0, report?.numFailedTests ?? 0, report?.numPendingTests ?? 0);
  // A file that cannot be loaded has no failed test, but it is a failure.
  if (code !== 0 && !report?.numFailedTests) add(0, 1);
  for (const { name, status, assertionResults, message } of report?.testResults ?? []) {
    const failures = assertionResults
      .filter((test) => test.status === 'failed')
      .map(({ fullName, failureMessages }) => ({ test: fullName, reason: failureMessages[0] ?? '' }));
    // A file that cannot be loaded, or whose hooks fail.
    if (status === 'failed' && failures.length === 0) failures.push({ test: 'the file', reason: message });
    for (const { test, reason } of failures)
      failed.push({ name: `${relative(root, name)} > ${test}`, reason });
  }
}

async function browserTests() {
  const browser = findBrowser();
  if (!browser) {
    console.error('browser tests: no Chromium found (install one, or set YAGURA_CHROMIUM to its path)');
    return process.env.CI ? add(0, 1) : add(0, 0, 1);
  }
  const file = join(folder, 'browser.json');
  const { code } = await run(
    binary('playwright'),
    ['test', '--config', join(root, 'web', 'playwright.config.ts'), '--reporter=line,json'],
    { env: { PLAYWRIGHT_JSON_OUTPUT_NAME: file, YAGURA_WALK_SHARED: '1', YAGURA_CHROMIUM: browser } },
  );
  const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  const stats = report?.stats;
  add(stats?.expected ?? 0, stats?.unexpected ?? 0, stats?.skipped ?? 0);
  const ended = (status) => (report?.suites ?? []).flatMap((suite) => testsIn(suite, status));
  flaky.push(...ended('flaky'));
  failed.push(...ended('unexpected'));
  if (code !== 0 && !stats?.unexpected) add(0, 1);
}

/**
 * Each test of a Playwright suite that ended with a status, as `file > describe > test [project]`, and the error of its
 * last failure.
 */
function testsIn({ title, specs = [], suites = [] }, wanted, above = []) {
  const path = [...above, title];
  return [
    ...specs.flatMap((spec) =>
      spec.tests
        .filter(({ status }) => status === wanted)
        .map(({ projectName, results }) => ({
          name: `${[...path, spec.title].join(' > ')} [${projectName}]`,
          reason: results.findLast(({ error }) => error)?.error.message ?? '',
        })),
    ),
    ...suites.flatMap((suite) => testsIn(suite, wanted, path)),
  ];
}

/** The first lines of an error, without colors. */
function beginningOf(reason) {
  const lines = stripVTControlCharacters(reason).split('\n').slice(0, 12);
  return lines.map((line) => `    ${line.slice(0, 300)}`.trimEnd()).join('\n');
}

async function crashTest(options) {
  const { code, output } = await run(process.execPath, ['tools/crash.mjs', ...options], { quiet: true });
  process.stdout.write(output);
  // Without PostgreSQL it says so.
  if (code === 2 && !process.env.CI) return add(0, 0, 1);
  const counts = /^(\d+) passed, (\d+) failed$/m.exec(output);
  if (counts) add(Number(counts[1]), Number(counts[2]));
  else add(0, code === 0 ? 0 : 1);
}

try {
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const [status, tests] of Object.entries({ flaky, failed }))
  for (const { name, reason } of tests) console.log(`${status}: ${name}\n${beginningOf(reason)}`);
const { passed, skipped } = totals;
console.log(`\n${passed} passed, ${totals.failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(totals.failed > 0 || passed === 0 ? 1 : 0);
