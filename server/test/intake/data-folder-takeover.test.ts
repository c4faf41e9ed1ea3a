// A server suspended until another one has taken over its folder acknowledges nothing that the other does not
// have.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createDataFolder, testTemplate } from '../support/data-folder.ts';

const script = fileURLToPath(new URL('../support/scripts/serve-intake.ts', import.meta.url));

interface Running {
  port: number;
  pid: number;
  signal(name: NodeJS.Signals): void;
  /** Exit code and output after the process ended. */
  ended: Promise<{ code: number | null; output: string }>;
}

async function start(folder: string): Promise<Running> {
  const child = spawn(process.execPath, ['--import', 'tsx', script, folder, await testTemplate()], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => {
      output += bytes;
    });
  }
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output }));
  while (!output.includes('ready ')) {
    const end = await Promise.race([once(child.stdout, 'data').then(() => undefined), ended]);
    if (end) throw new Error(`it ended with ${end.code}: ${end.output}`);
  }
  const port = Number(/ready (\d+)/.exec(output)![1]);
  return { port, pid: child.pid!, signal: (name) => void child.kill(name), ended };
}

/** Posts a text; returns the status, or 0 when the server did not respond. */
function post(port: number, text: string): Promise<number> {
  return new Promise((resolve) => {
    const headers = text.startsWith('key') ? { 'idempotency-key': text } : {};
    const sent = request({ port, host: '127.0.0.1', method: 'POST', headers }, (reply) => {
      reply.resume();
      reply.on('end', () => resolve(reply.statusCode ?? 0));
      reply.on('error', () => resolve(0));
    });
    sent.on('error', () => resolve(0));
    sent.end(text);
  });
}

/** Makes the lock appear to belong to a process in another container, which cannot be checked from here. */
function hideHolder(folder: string): void {
  const name = readdirSync(folder).find((one) => /^lock\.\d+$/.test(one))!;
  const holder = JSON.parse(readFileSync(join(folder, name), 'utf8'));
  writeFileSync(join(folder, name), JSON.stringify({ ...holder, machine: 'another container' }));
}

test('every post that was answered with 202 is stored by the next server', { timeout: 180_000 }, async () => {
  const { folder, remove } = createDataFolder();
  const first = await start(folder);
  const answered: string[] = [];
  const refused: number[] = [];
  const send = async (port: number, text: string) => {
    const status = await post(port, text);
    if (status === 202) answered.push(text);
    else refused.push(status);
  };
  for (let index = 0; index < 20; index += 1)
    await send(first.port, `${index % 2 ? 'key' : 'plain'} ${index}`);
  expect(refused).toEqual([]);
  // Suspended while posts are in progress.
  const underWay = Array.from({ length: 40 }, (_, index) =>
    send(first.port, `${index % 2 ? 'key' : 'plain'} under way ${index}`),
  );
  await Promise.race(underWay);
  first.signal('SIGSTOP');
  hideHolder(folder);
  const waiting = Array.from({ length: 40 }, (_, index) =>
    send(first.port, `${index % 2 ? 'key' : 'plain'} waiting ${index}`),
  );
  const second = await start(folder);
  const answeredByFirst = answered.length;
  await send(second.port, 'of the second');
  first.signal('SIGCONT');
  const { code, output } = await first.ended;
  await Promise.all([...underWay, ...waiting]);
  expect(code).toBe(1);
  expect(output).toContain(`was taken over by process ${second.pid}`);
  expect(answered.length).toBeLessThanOrEqual(answeredByFirst + 41);
  second.signal('SIGTERM');
  const stored = JSON.parse(/stored (.*)/.exec((await second.ended).output)![1]!) as string[];
  expect(answered.filter((text) => !stored.includes(text))).toEqual([]);
  expect(new Set(stored).size).toBe(stored.length);
  expect(answered.length).toBeGreaterThanOrEqual(22);
  remove();
});
