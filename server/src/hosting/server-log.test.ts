import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

const module = JSON.stringify(new URL('./server-log.ts', import.meta.url).href);

/** A process that writes 5,000 lines, which do not fit into a pipe, and then runs `script`. */
function startWriter(script: string) {
  const source = `
    import { createServerLog } from ${module};
    const log = createServerLog(process.stderr);
    for (let n = 0; n < 5000; n++) log({ level: 'info', message: 'a line of some length, as lines are', n });
    ${script}`;
  return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', source]);
}
const numbersOf = (lines: string) =>
  lines
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { n: number }).n);
const everyNumber = Array.from({ length: 5000 }, (_, n) => n);

test.each([
  ['exits', 'process.exit(3);', 3],
  ['ends', 'process.exitCode = 4;', 4],
  ['crashes', 'process.stderr.write = () => true; throw new Error();', 1],
])('loses no line when the process %s', async (_how, script, code) => {
  const writer = startWriter(script);
  const lines = text(writer.stderr);
  expect((await once(writer, 'close'))[0]).toBe(code);
  const own = (await lines).split('\n').filter((line) => line.startsWith('{'));
  expect(numbersOf(own.join('\n'))).toEqual(everyNumber);
});

test('a process whose standard error nobody reads goes on, and its lines are there for a later reader', async () => {
  const writer = startWriter(`
    process.stdout.write('alive');
    process.stdin.once('data', () => process.exit(0));`);
  const [said] = (await once(writer.stdout, 'data')) as [Buffer];
  expect(said.toString()).toBe('alive');
  const lines = text(writer.stderr);
  writer.stdin.write('end');
  expect(numbersOf(await lines)).toEqual(everyNumber);
});
