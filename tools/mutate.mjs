// Puts small faults into the code, one at a time, and tells which of them the tests notice: `npm run mutate -- --count 20`.
// The same seed on the same code makes the same faults. docs/testing.md has more.
import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { areas } from './mutate/areas.mjs';
import { mutationsOf } from './mutate/mutations.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '20' },
    workers: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '300' },
    /** Only tells what it would do. */
    list: { type: 'boolean', default: false },
    /** Both stores instead of the embedded one alone. */
    stores: { type: 'boolean', default: false },
    /** A file that gets one JSON object for each fault. */
    out: { type: 'string' },
  },
});

/** A small generator of the same numbers for the same seed (mulberry32). */
function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function sourcesIn(path) {
  const whole = join(root, path);
  if (!existsSync(whole)) return [];
  if (statSync(whole).isFile()) return [path];
  return readdirSync(whole, { recursive: true })
    .map((name) => join(path, String(name)))
    .filter(
      (name) =>
        /\.tsx?$/.test(name) && !/\.test\.tsx?$|(^|\/)test-\w+\.ts$|\.d\.ts$|\/differential\//.test(name),
    )
    .sort();
}

const areaOf = (file) =>
  areas.find(({ files }) => files.some((one) => file === one || file.startsWith(`${one}/`)));

/** Every fault that could be made, by area; of a given file or folder only those in it. */
function candidates() {
  const wanted = positionals.map((path) => relative(root, join(process.cwd(), path)));
  const byArea = new Map();
  for (const file of new Set(areas.flatMap(({ files }) => files.flatMap(sourcesIn)))) {
    if (wanted.length > 0 && !wanted.some((one) => file === one || file.startsWith(`${one}/`))) continue;
    const source = readFileSync(join(root, file), 'utf8');
    const area = areaOf(file);
    const faults = mutationsOf(file, source).map((one) => ({
      ...one,
      file,
      line: source.slice(0, one.start).split('\n').length,
      was: source.slice(one.start, one.end),
    }));
    byArea.set(area, [...(byArea.get(area) ?? []), ...faults]);
  }
  return byArea;
}

/** So many faults: the areas take turns, and a place is taken once. */
function sample(byArea, count, random) {
  const chosen = [];
  const left = [...byArea].map(([area, faults]) => ({ area, faults: [...faults] }));
  for (let turn = 0; chosen.length < count && left.some(({ faults }) => faults.length > 0); turn++) {
    const { area, faults } = left[turn % left.length];
    if (faults.length === 0) continue;
    const [fault] = faults.splice(Math.floor(random() * faults.length), 1);
    chosen.push({ ...fault, area });
  }
  return chosen;
}

/** A copy of the tree whose files can be changed while others work on the original. */
function copyTree() {
  const copy = mkdtempSync(join(tmpdir(), 'yagura-mutate-'));
  copies.add(copy);
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  for (const file of listed.stdout.split('\0').filter((name) => name && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  for (const folder of ['.', 'core', 'server', 'web', 'cli', 'agent', 'fixtures']) {
    const modules = join(root, folder, 'node_modules');
    // Links instead of copies where the file system has them: nothing in there is changed.
    if (existsSync(modules) && spawnSync('cp', ['-al', modules, join(copy, folder)]).status !== 0)
      spawnSync('cp', ['-a', modules, join(copy, folder)]);
  }
  // Tests of whole programs start what `npm run build` made.
  for (const output of ['web/build', 'server/dist', 'cli/dist', 'agent/dist'])
    if (existsSync(join(root, output))) cpSync(join(root, output), join(copy, output), { recursive: true });
  return copy;
}

const running = new Set();

/** Ends a run with all that it started. */
function endGroup(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** Runs the tests of an area; gives null when all pass, else the name of one that failed or why it ended. */
async function run(copy, { build, tests }) {
  if (build) {
    const built = spawnSync(process.execPath, ['build.mjs'], { cwd: join(copy, build), encoding: 'utf8' });
    if (built.status !== 0) return `build of ${build}: ${built.stderr.slice(-500)}`;
  }
  for (const [project, ...paths] of tests) {
    const args = [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--bail',
      '1',
      '--maxWorkers',
      '1',
      // A machine that runs several of these is slow: what takes long alone is no fault.
      '--testTimeout',
      '60000',
      '--project',
      project,
      ...paths,
    ];
    const env = { ...process.env, ...(options.stores ? {} : { YAGURA_TEST_STORES: 'embedded' }) };
    const failed = await new Promise((resolve) => {
      const child = spawn(process.execPath, args, { cwd: copy, env, detached: true });
      running.add(child);
      let output = '';
      const read = (bytes) => {
        output = (output + bytes).slice(-100_000);
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      const late = setTimeout(() => {
        output = 'FAIL  ran too long';
        endGroup(child);
      }, Number(options.seconds) * 1000);
      child.once('close', (code) => {
        clearTimeout(late);
        running.delete(child);
        const plain = output.replace(/\u001b\[[0-9;]*m/g, '');
        resolve(code === 0 ? null : (/FAIL\s+(.*)/.exec(plain)?.[1] ?? plain.slice(-500)).trim());
      });
    });
    if (failed !== null) return failed;
  }
  return null;
}

const oneLine = (text) => text.replace(/\s+/g, ' ').slice(0, 90);

/** Copies of the tree, to be removed whatever happens. */
const copies = new Set();

/** Whether the tests of an area pass without any fault; found out once. */
function isSound(copy, area, sound) {
  const found =
    sound.get(area) ??
    run(copy, area).then((failed) => {
      if (failed !== null)
        console.log(`LEFT OUT ${area.name}: its tests fail without any fault | ${oneLine(failed)}`);
      return failed === null;
    });
  sound.set(area, found);
  return found;
}

async function work(queue, results, sound) {
  const copy = copyTree();
  for (let fault = queue.shift(); fault; fault = queue.shift()) {
    const { area, file, start, end, text, line, kind, was } = fault;
    if (!(await isSound(copy, area, sound))) continue;
    const source = readFileSync(join(copy, file), 'utf8');
    writeFileSync(join(copy, file), source.slice(0, start) + text + source.slice(end));
    const begun = Date.now();
    const failed = await run(copy, area);
    writeFileSync(join(copy, file), source);
    const seconds = Math.round((Date.now() - begun) / 1000);
    const result = {
      area: area.name,
      file,
      line,
      kind,
      was,
      text,
      noticed: failed !== null,
      by: failed,
      seconds,
    };
    results.push(result);
    const change = `${file}:${line} ${kind}: ${oneLine(was)} -> ${oneLine(text) || '(removed)'}`;
    console.log(
      failed === null
        ? `SURVIVED ${change} (${seconds} s)`
        : `noticed  ${change} | ${oneLine(failed)} (${seconds} s)`,
    );
    if (options.out) writeFileSync(options.out, `${JSON.stringify(result)}\n`, { flag: 'a' });
  }
}

const missing = areas
  .flatMap(({ tests }) => tests.flatMap(([, ...paths]) => paths))
  .filter((path) => !existsSync(join(root, path)));
if (missing.length > 0) {
  console.error(`tools/mutate/areas.mjs names tests that do not exist: ${missing.join(', ')}`);
  process.exit(2);
}
const faults = sample(candidates(), Number(options.count), randomOf(Number(options.seed)));
if (options.list) {
  for (const { file, line, kind, was, text } of faults)
    console.log(`${file}:${line} ${kind}: ${oneLine(was)} -> ${oneLine(text) || '(removed)'}`);
} else {
  const stop = () => {
    for (const child of running) endGroup(child);
    for (const copy of copies) rmSync(copy, { recursive: true, force: true });
  };
  process.once('exit', stop);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  const results = [];
  const sound = new Map();
  const queue = [...faults];
  await Promise.all(Array.from({ length: Number(options.workers) }, () => work(queue, results, sound)));
  const noticed = results.filter((one) => one.noticed).length;
  for (const { name } of areas) {
    const own = results.filter(({ area }) => area === name);
    if (own.length > 0) console.log(`${name}: ${own.filter((one) => one.noticed).length} of ${own.length}`);
  }
  console.log(`${noticed} of ${results.length} faults were noticed (seed ${options.seed}).`);
}
