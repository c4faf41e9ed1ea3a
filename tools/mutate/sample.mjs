// Chooses mutations at random; the same seed on the same code gives the same ones.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.mjs';
import { areas } from './areas.mjs';
import { mutationsOf } from './mutations.mjs';

const isIn = (file, paths) => paths.some((path) => file === path || file.startsWith(`${path}/`));
const isTestFile = (file) => /\.test\.tsx?$/.test(file);
const isSource = (file) =>
  /\.tsx?$/.test(file) && !isTestFile(file) && !/(^|\/)test-\w+\.ts$|\.d\.ts$|\/differential\//.test(file);

function filesIn(path) {
  const whole = join(root, path);
  if (!existsSync(whole)) throw new Error(`tools/mutate/areas.mjs names ${path}, which does not exist`);
  if (statSync(whole).isFile()) return [path];
  return readdirSync(whole, { recursive: true })
    .map((name) => join(path, String(name)))
    .filter((name) => !name.includes('node_modules'))
    .sort();
}

export const sourcesOf = ({ files }) => files.flatMap(filesIn).filter(isSource);
export const testsOf = ({ tests }) => [...new Set(tests.flatMap(filesIn).filter(isTestFile))];

/** Every mutation of the area's files, or of those that are in the given files and folders. */
function mutationsIn(area, paths, stores) {
  const own = sourcesOf(area).filter((file) => areas.find(({ files }) => isIn(file, files)) === area);
  return own
    .filter((file) => paths.length === 0 || isIn(file, paths))
    .flatMap((file) => {
      const source = readFileSync(join(root, file), 'utf8');
      return mutationsOf(file, source, { stores }).map((one) => ({
        ...one,
        area,
        file,
        line: source.slice(0, one.start).split('\n').length,
        was: source.slice(one.start, one.end),
      }));
    });
}

/** So many mutations in the given files and folders, or anywhere: the areas take turns, and none is taken twice. */
export function chooseMutations({ count, seed, paths, stores = false }) {
  const random = randomOf(seed);
  const left = areas
    .map((area) => mutationsIn(area, paths, stores))
    .filter((mutations) => mutations.length > 0);
  const chosen = [];
  for (let turn = 0; chosen.length < count && left.some((mutations) => mutations.length > 0); turn++) {
    const mutations = left[turn % left.length];
    if (mutations.length > 0) chosen.push(...mutations.splice(Math.floor(random() * mutations.length), 1));
  }
  return chosen;
}

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
