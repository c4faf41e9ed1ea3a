// Stops the journal at each of its file system calls, and at each call of the following start.
import { expect, test } from 'vitest';
import { seededRandom } from '../../../tools/crash/random.mjs';
import {
  CrashDisk,
  type CrashingProcess,
  type Loss,
  losses,
  type Progress,
  type Stop,
} from '../../test/support/crash-disk.ts';
import { Journal } from './journal.ts';

const folder = '/data/intake';
const fileSize = 400;

/** State that survives the process: the database, and the acknowledgments sent. */
interface Outside {
  /** Positions up to which it has everything, by journal. */
  marks: Map<string, number>;
  stored: string[];
  answered: string[];
  sent: number;
}

const log = () => undefined;
const isPoison = (text: string) => text.startsWith('poison');

/** Takes over existing entries, then acknowledges, stores and releases as the intake does. */
async function serve(disk: CrashingProcess, outside: Outside, batches: number): Promise<void> {
  const claimed = await Journal.claim(folder, { log, disk, fileSize });
  const { id, previousId } = claimed.ids;
  let mark = outside.marks.get(previousId!) ?? 0;
  outside.marks.set(id, mark);
  const { journal, entries } = await claimed.open(mark);
  const store = async (sequence: number, text: string) => {
    expect(sequence).toBeGreaterThan(mark);
    if (isPoison(text)) await journal.setAside(sequence, Buffer.from(text));
    else outside.stored.push(text);
    mark = sequence;
    outside.marks.set(id, mark);
  };
  for (const { sequence, bytes } of entries) await store(sequence, bytes.toString());
  await journal.release(mark);
  const waiting: [number, string][] = [];
  for (let batch = 0; batch < batches; batch += 1) {
    const texts = Array.from({ length: 1 + (batch % 3) }, () => {
      outside.sent += 1;
      return `${batch === 2 ? 'poison' : 'message'} ${outside.sent} ${'x'.repeat(40)}`;
    });
    const sequences = await journal.append(texts.map((text) => Buffer.from(text)));
    outside.answered.push(...texts);
    waiting.push(...sequences.map((sequence, index): [number, string] => [sequence, texts[index]!]));
    // The database is one batch behind.
    while (waiting.length > texts.length) await store(...waiting.shift()!);
    await journal.release(mark, batch === 4);
  }
  await journal.close();
}

interface Scene {
  disk: CrashDisk;
  outside: Outside;
}

const copied = ({ marks, stored, answered, sent }: Outside): Outside => ({
  marks: new Map(marks),
  stored: [...stored],
  answered: [...answered],
  sent,
});

/** Runs it and returns the resulting state and the number of calls made. */
async function run(
  { disk, outside }: Scene,
  batches: number,
  stop: Stop | undefined,
  loss: Loss,
  random: () => number,
): Promise<Scene & { calls: number; wasStopped: boolean; isInWrite: boolean }> {
  const here = disk.copy();
  const process = here.process(stop);
  const after = copied(outside);
  const end = await Promise.race([serve(process, after, batches), process.stopped]);
  return {
    disk: here.after(loss, random),
    outside: after,
    calls: process.calls,
    wasStopped: end === 'stopped',
    isInWrite: process.isInWrite,
  };
}

/** After an uninterrupted start, everything acknowledged is in the database or set aside, exactly once. */
async function expectNothingLost(scene: Scene, what: string): Promise<void> {
  const { disk, outside } = await run(scene, 0, undefined, 'kill', Math.random);
  const refused = disk.list(folder).filter((name) => name.endsWith('.refused'));
  const found = [...outside.stored, ...refused.map((name) => disk.read(`${folder}/${name}`).toString())];
  const lost = outside.answered.filter((text) => !found.includes(text));
  if (lost.length > 0 || new Set(found).size < found.length)
    expect.fail(`${what}: lost ${lost}, found ${found}`);
}

const progresses: Progress[] = ['not begun', 'front half', 'back half'];

test('a stop at any call, and at any call of the next start, loses and doubles nothing', {
  timeout: 240_000,
}, async () => {
  const random = seededRandom(13);
  const empty: Scene = {
    disk: new CrashDisk(),
    outside: { marks: new Map(), stored: [], answered: [], sent: 0 },
  };
  const { calls } = await run(empty, 6, undefined, 'kill', random);
  expect(calls).toBeGreaterThan(30);
  let stops = 0;
  for (let call = 1; call <= calls; call += 1) {
    for (const progress of progresses) {
      for (const loss of losses) {
        const fresh: Scene = { disk: new CrashDisk(), outside: copied(empty.outside) };
        const first = await run(fresh, 6, { call, progress }, loss, random);
        if (progress !== 'not begun' && !first.isInWrite) continue;
        const what = `${loss} at call ${call} (${progress})`;
        await expectNothingLost(first, what);
        for (let again = 1, goesOn = true; goesOn; again += 1) {
          const stop = { call: again, progress: progresses[again % 3]! };
          const second = await run(first, 1, stop, losses[(again + call) % 4]!, random);
          await expectNothingLost(second, `${what}, then at call ${again}`);
          goesOn = second.wasStopped;
          stops += 1;
        }
      }
    }
  }
  expect(stops).toBeGreaterThan(4_000);
});
