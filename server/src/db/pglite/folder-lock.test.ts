import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDataFolder } from '../../../test/support/data-folder.ts';
import { createTestClock, type TestClock } from '../../../test/support/test-clock.ts';
import { FolderBusy, type FolderLock, type LockFiles, lockFolder } from './folder-lock.ts';
import { ownIdentity, type ProcessIdentity } from './process-identity.ts';

let data: ReturnType<typeof createDataFolder>;
let clock: TestClock;
beforeEach(() => {
  data = createDataFolder();
  clock = createTestClock();
});
afterEach(() => data.remove());

const elsewhere: ProcessIdentity = { host: 'far', boot: 'b2', machine: 'b2 m2', pid: 7, started: '1' };
const otherContainer: ProcessIdentity = {
  ...ownIdentity(),
  host: 'box',
  machine: 'another namespace',
  pid: 1,
};

/** Advances time until the promise settles; returns its outcome and how long it took. */
async function outcome(
  locking: Promise<FolderLock>,
): Promise<{ lock?: FolderLock; error?: Error; waited: number }> {
  const began = clock.now();
  let end: { lock?: FolderLock; error?: Error } | undefined;
  locking.then(
    (lock) => {
      end = { lock };
    },
    (error: Error) => {
      end = { error };
    },
  );
  for (let step = 0; step < 200 && !end; step += 1) await clock.advance(100);
  return { ...end, waited: clock.now() - began };
}

describe('while a holder lives', () => {
  test('the same machine is refused at once, with pid, host and time', async () => {
    const lock = await lockFolder(data.folder, { clock });
    const refused = await lockFolder(data.folder, { clock }).catch((error: Error) => error);
    expect(refused).toBeInstanceOf(FolderBusy);
    const own = ownIdentity();
    expect((refused as Error).message).toContain(
      `process ${own.pid} on ${own.host} since 2026-01-02T03:04:05.678Z`,
    );
    lock.release();
  });

  test('another machine is refused as soon as it sees a heart-beat', async () => {
    const lock = await lockFolder(data.folder, { clock });
    const { error, waited } = await outcome(lockFolder(data.folder, { clock, identity: elsewhere }));
    expect(error).toBeInstanceOf(FolderBusy);
    expect(waited).toBeLessThan(3_000);
    lock.assertHeld();
    lock.release();
  });

  test('a holder that sleeps on this machine keeps the folder', async () => {
    const sleeping = createTestClock();
    await lockFolder(data.folder, { clock: sleeping });
    await clock.advance(60_000);
    await expect(lockFolder(data.folder, { clock })).rejects.toThrow(FolderBusy);
  });
});

describe('when the holder is gone', () => {
  test('a process can stop on a full disk, and leaves no partial file', async () => {
    let isFull = false;
    const files: LockFiles = {
      ...fs,
      writeFileSync: (path, content, options) => {
        fs.writeFileSync(path, isFull ? '' : content, options);
        if (isFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      },
    };
    const lock = await lockFolder(data.folder, { clock, files });
    isFull = true;
    lock.release();
    expect(readdirSync(data.folder).sort()).toEqual(['lock.1', 'lock.1.fence']);
  });

  test('a released folder is free at once', async () => {
    (await lockFolder(data.folder, { clock, identity: elsewhere })).release();
    const { lock, waited } = await outcome(lockFolder(data.folder, { clock }));
    expect(lock).toBeDefined();
    expect(waited).toBeLessThanOrEqual(100);
  });

  test('a killed process of this machine is overtaken at once', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000); console.log("up")']);
    await once(child.stdout, 'data');
    const identity = ownIdentity(child.pid!);
    await lockFolder(data.folder, { clock: createTestClock(), identity });
    await expect(lockFolder(data.folder, { clock })).rejects.toThrow(FolderBusy);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const { lock, waited } = await outcome(lockFolder(data.folder, { clock }));
    expect(lock).toBeDefined();
    expect(waited).toBeLessThanOrEqual(100);
  });

  test('a reused pid does not look alive', async () => {
    await lockFolder(data.folder, { clock: createTestClock(), identity: { ...ownIdentity(), started: '1' } });
    expect((await outcome(lockFolder(data.folder, { clock }))).lock).toBeDefined();
  });

  test('another machine waits for 10 s of silence, whatever the clocks say', async () => {
    const wrong = createTestClock(Date.parse('2020-01-01T00:00:00Z'));
    await lockFolder(data.folder, { clock: wrong, identity: elsewhere });
    const { lock, waited } = await outcome(lockFolder(data.folder, { clock }));
    expect(lock).toBeDefined();
    expect(waited).toBeGreaterThanOrEqual(10_000);
    expect(waited).toBeLessThan(11_000);
  });

  test('another container of this machine counts the silence before the start', async () => {
    await lockFolder(data.folder, { clock: createTestClock(), identity: otherContainer });
    await clock.advance(8_000);
    const { lock, waited } = await outcome(lockFolder(data.folder, { clock }));
    expect(lock).toBeDefined();
    expect(waited).toBeGreaterThanOrEqual(1_900);
    expect(waited).toBeLessThan(3_000);
  });

  test('an unreadable lock file is waited for, then overtaken', async () => {
    writeFileSync(join(data.folder, 'lock.3'), '');
    const { lock, waited } = await outcome(lockFolder(data.folder, { clock }));
    expect(lock).toBeDefined();
    expect(waited).toBeGreaterThanOrEqual(10_000);
    expect(readdirSync(data.folder).sort()).toEqual(['lock.4', 'lock.4.fence']);
  });
});

describe('a race', () => {
  test.each([2, 5, 20])('of %i starters for a stale lock has one winner', async (count) => {
    await lockFolder(data.folder, { clock: createTestClock(), identity: elsewhere });
    const starting = Array.from({ length: count }, (_, index) =>
      outcome(
        lockFolder(data.folder, {
          clock,
          identity: { ...otherContainer, machine: `m${index}`, pid: index + 2 },
        }),
      ),
    );
    const ends = await Promise.all(starting);
    expect(ends.filter(({ lock }) => lock)).toHaveLength(1);
    expect(ends.filter(({ error }) => error instanceof FolderBusy)).toHaveLength(count - 1);
  });

  test('of real processes for an abandoned folder has one winner', { timeout: 60_000 }, async () => {
    await lockFolder(data.folder, {
      clock: createTestClock(),
      identity: { ...ownIdentity(), pid: 999_999_999 },
    });
    const script = new URL('../../../test/support/scripts/take-lock.ts', import.meta.url).pathname;
    const runFromSource = new URL('../../../../tools/bundling/run-from-source.mjs', import.meta.url).pathname;
    const children = Array.from({ length: 4 }, () =>
      spawn(process.execPath, [runFromSource, script, data.folder], {
        stdio: ['pipe', 'pipe', 'inherit'],
      }),
    );
    const said = await Promise.all(
      children.map(async (child) => String(((await once(child.stdout, 'data')) as [Buffer])[0]).trim()),
    );
    for (const child of children) child.kill('SIGKILL');
    expect(said.filter((word) => word === 'won')).toHaveLength(1);
    expect(said.filter((word) => word === 'FolderBusy')).toHaveLength(3);
  });
});

test('a holder that slept too long learns that it lost the folder, before it writes', async () => {
  const sleeping = createTestClock();
  const old = await lockFolder(data.folder, { clock: sleeping, identity: elsewhere });
  const { lock } = await outcome(lockFolder(data.folder, { clock }));
  const told = old.lost;
  // Before its clock tells it that its heartbeat is overdue.
  expect(() => old.assertHeld()).toThrow('taken over');
  await sleeping.advance(60_000);
  await expect(told).resolves.toContain(`taken over by process ${process.pid}`);
  old.release();
  expect(() => lock?.assertHeld()).not.toThrow();
  await expect(lockFolder(data.folder, { clock })).rejects.toThrow(FolderBusy);
});

/**
 * File system calls of a process killed at the given call (from 1): that call and all later ones have no
 * effect.
 */
function killedAt(call: number): { files: LockFiles; calls(): number } {
  let calls = 0;
  const files = new Proxy(fs, {
    get(target, name: keyof LockFiles) {
      const work = target[name] as (...given: unknown[]) => unknown;
      return (...given: unknown[]) => {
        calls += 1;
        if (calls >= call) throw new Error('killed');
        return work(...given);
      };
    },
  });
  return { files, calls: () => calls };
}

test('a process killed at any call of taking over, and another after it, leave a folder that one can take', async () => {
  const gone = (pid: number): ProcessIdentity => ({ ...ownIdentity(), pid: 900_000_000 + pid });
  const counted = killedAt(Number.POSITIVE_INFINITY);
  /**
   * The folder of a process that is suspended but still exists; it must detect from the file alone that it
   * lost the lock.
   */
  const scene = async () => {
    const one = createDataFolder();
    const sleeping = createTestClock();
    const old = await lockFolder(one.folder, { clock: sleeping, identity: gone(1) });
    return { ...one, old };
  };
  const whole = await scene();
  await lockFolder(whole.folder, { clock, identity: gone(2), files: counted.files });
  whole.remove();
  expect(counted.calls()).toBeGreaterThan(12);
  for (let first = 1; first <= counted.calls(); first += 1) {
    for (let second = 1; second <= counted.calls() + 4; second += 1) {
      const { folder, old, remove } = await scene();
      const killed = (pid: number, call: number) =>
        lockFolder(folder, { clock, identity: gone(pid), files: killedAt(call).files }).catch(
          (error: Error) => error,
        );
      expect(await killed(2, first)).toBeInstanceOf(Error);
      const next = await killed(3, second);
      const last = await lockFolder(folder, { clock });
      expect(() => old.assertHeld()).toThrow('taken over');
      if (!(next instanceof Error)) expect(() => next.assertHeld()).toThrow();
      last.assertHeld();
      await expect(lockFolder(folder, { clock })).rejects.toThrow(FolderBusy);
      last.release();
      remove();
    }
  }
});
