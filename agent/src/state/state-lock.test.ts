import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AgentError } from '../agent-error.ts';
import { lockStateFolder } from './state-lock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'yagura-agent-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const file = () => join(folder, 'agent.lock');
const write = (holder: object) => writeFileSync(file(), JSON.stringify(holder));

test('only one of many gets the folder, and the next one after its release', async () => {
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => lockStateFolder(folder)));
  const held = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(held).toHaveLength(1);
  for (const one of results) {
    if (one.status === 'fulfilled') continue;
    expect(one.reason).toBeInstanceOf(AgentError);
    expect(one.reason).toMatchObject({
      messageKey: 'agent.state.locked',
      params: { folder, pid: process.pid },
    });
  }
  await held[0]!.release();
  expect(readdirSync(folder)).toEqual([]);
  await (await lockStateFolder(folder)).release();
});

test('the lock of a process that ended is taken over, whoever has its id now', async () => {
  const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' });
  await once(child, 'close');
  const held = await lockStateFolder(folder);
  const own = JSON.parse(readFileSync(file(), 'utf8')) as object;
  await held.release();
  for (const holder of [
    { ...own, pid: child.pid, start: 'x 1' },
    // The id belongs to this process, which started at another time.
    { ...own, pid: process.pid, start: 'x 1' },
  ]) {
    write(holder);
    await (await lockStateFolder(folder)).release();
  }
  expect(readdirSync(folder)).toEqual([]);
});

test('the lock of another machine counts as long as it is renewed, although its process does not run here', async () => {
  const held = await lockStateFolder(folder);
  const own = JSON.parse(readFileSync(file(), 'utf8')) as object;
  await held.release();
  write({ ...own, pid: 2 ** 22 + 1, start: 'x 1', machine: 'y other' });
  utimesSync(file(), 1000, 1000);
  await expect(lockStateFolder(folder, () => 1_000_000 + 59_000)).rejects.toThrow('agent.state.locked');
  await (await lockStateFolder(folder, () => 1_000_000 + 61_000)).release();
});

test('the lock of an unknown process counts as long as it is renewed', async () => {
  for (const text of ['{"pid":1,"start":"x","namespace":"pid:[1]"}', 'not a lock']) {
    writeFileSync(file(), text);
    utimesSync(file(), 1000, 1000);
    await expect(lockStateFolder(folder, () => 1_000_000 + 59_000)).rejects.toThrow('agent.state.locked');
    await (await lockStateFolder(folder, () => 1_000_000 + 61_000)).release();
  }
});
