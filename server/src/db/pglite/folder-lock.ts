/**
 * Exclusive lock of a data folder: one process at a time, also across containers and machines that share the
 * folder.
 * The lock is the file `lock.<generation>` with the highest generation. A process takes over by creating the
 * next generation, which the file system grants to exactly one process; a valid file is never renamed or
 * deleted, so a slow process cannot remove a newer holder's lock. The holder rewrites its file every 2 s and
 * checks for a newer generation.
 * The file `lock.<generation>.fence` is kept open by the holder and removed by the next one before anything
 * else. After writing to the folder, the holder checks the open file: if it is still linked, nobody had taken
 * over when the write was done, so any later holder sees the write.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createFolder } from '@yagura/core/files/create-folder';
import type { Clock } from '../clock.ts';
import { ownIdentity, type ProcessIdentity, processStatus } from './process-identity.ts';

const heartbeatIntervalMs = 2_000;
const staleAfterMs = 10_000;

/** File system calls, injectable so that tests can stop a process at each of them. */
export type LockFiles = Pick<
  typeof fs,
  | 'closeSync'
  | 'fstatSync'
  | 'linkSync'
  | 'mkdirSync'
  | 'openSync'
  | 'readdirSync'
  | 'readFileSync'
  | 'renameSync'
  | 'rmSync'
  | 'statSync'
  | 'writeFileSync'
>;

/**
 * The holder of a folder: process, start of the lock, and last heartbeat (milliseconds since the Unix epoch).
 */
export interface FolderHolder extends ProcessIdentity {
  id: string;
  since: number;
  beat: number;
  isReleased: boolean;
}

/** Thrown while another process holds the folder. */
export class FolderBusy extends Error {
  override readonly name = 'FolderBusy';
  readonly holder: FolderHolder | null;

  constructor(folder: string, holder: FolderHolder | null) {
    super(
      holder
        ? `The data folder ${folder} is in use by process ${holder.pid} on ${holder.host} since ${new Date(holder.since).toISOString()}. Only one server may use a data folder; stop that one or name another folder.`
        : `The data folder ${folder} is in use by another process that is just starting.`,
    );
    this.holder = holder;
  }
}

/** A held lock. */
export interface FolderLock {
  /** Throws if another process took over the folder before this call. */
  assertHeld(): void;
  /** Path of a file that stays linked until another process takes over the folder. */
  fence: string;
  /** Resolves with a user-readable message when another process has taken over the folder. */
  lost: Promise<string>;
  /** Releases the folder. */
  release(): void;
}

export interface FolderLockOptions {
  clock: Clock;
  /** Identity of this process; set by tests to simulate another machine. */
  identity?: ProcessIdentity;
  files?: LockFiles;
}

/** Parameters of an attempt to lock. */
interface LockContext {
  folder: string;
  clock: Clock;
  identity: ProcessIdentity;
  files: LockFiles;
}

interface FoundLock {
  generation: number;
  holder: FolderHolder | null;
  text: string;
}

/**
 * Acquires the lock. Throws FolderBusy at once if the holder is known to be running; waits up to 10 s if that
 * cannot be determined.
 */
export async function lockFolder(
  folder: string,
  { clock, identity = ownIdentity(), files = fs }: FolderLockOptions,
): Promise<FolderLock> {
  createFolder({ mkdirSync: files.mkdirSync, statSync: files.statSync, dirname, resolve }, folder);
  const context: LockContext = { folder, clock, identity, files };
  for (;;) {
    const found = findHighestLock(context);
    if (found && !found.holder?.isReleased) await waitUntilReleased(context, found);
    const lock = claim(context, (found?.generation ?? 0) + 1);
    if (lock) return lock;
  }
}

const lockFile = (folder: string, generation: number) => join(folder, `lock.${generation}`);
const fenceFile = (folder: string, generation: number) => `${lockFile(folder, generation)}.fence`;

/** Generations of lock files, or of files matching another pattern, in ascending order. */
function listGenerations({ folder, files }: LockContext, pattern = /^lock\.([1-9]\d{0,14})$/): number[] {
  return files
    .readdirSync(folder)
    .map((name) => pattern.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
    .sort((left, right) => left - right);
}

function readHolder(text: string): FolderHolder | null {
  try {
    const holder = JSON.parse(text) as FolderHolder;
    return typeof holder.pid === 'number' &&
      typeof holder.beat === 'number' &&
      typeof holder.since === 'number'
      ? holder
      : null;
  } catch {
    return null;
  }
}

function findHighestLock(context: LockContext): FoundLock | null {
  const generation = listGenerations(context).at(-1) ?? 0;
  if (generation === 0) return null;
  try {
    const text = context.files.readFileSync(lockFile(context.folder, generation), 'utf8');
    return { generation, text, holder: readHolder(text) };
  } catch (error) {
    // Removed between the two calls: there is a newer generation.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return findHighestLock(context);
    throw error;
  }
}

/** Resolves once the holder is certainly gone; throws FolderBusy if it shows a heartbeat. */
async function waitUntilReleased(context: LockContext, found: FoundLock): Promise<void> {
  const { folder, clock, identity: own } = context;
  const { holder } = found;
  const status = holder ? processStatus(holder, own) : 'unknown';
  if (status === 'gone') return;
  if (status === 'running') throw new FolderBusy(folder, holder);
  // Clocks are comparable only on the same kernel; a heartbeat from another machine counts when it is seen to
  // change.
  const silentBefore =
    holder && holder.boot === own.boot ? clamp(clock.now() - holder.beat, 0, staleAfterMs) : 0;
  const until = clock.now() + staleAfterMs - silentBefore;
  for (;;) {
    const now = findHighestLock(context);
    if (now?.generation !== found.generation || now.text !== found.text) {
      if (now?.holder?.isReleased) return;
      throw new FolderBusy(folder, now?.holder ?? holder);
    }
    if (clock.now() >= until) return;
    await new Promise<void>((resolve) => clock.after(Math.min(500, until - clock.now()), resolve));
  }
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

/** Creates that generation; null if another process was faster. */
function claim(context: LockContext, generation: number): FolderLock | null {
  const { folder, clock, identity, files } = context;
  const since = clock.now();
  const id = randomUUID();
  const file = lockFile(folder, generation);
  const fence = fenceFile(folder, generation);
  const partial = join(folder, `lock.partial-${id}`);
  const record = (isReleased: boolean): string =>
    JSON.stringify({ ...identity, id, since, beat: clock.now(), isReleased } satisfies FolderHolder);
  files.writeFileSync(partial, record(false), { mode: 0o600 });
  try {
    files.linkSync(partial, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null;
    throw error;
  } finally {
    files.rmSync(partial, { force: true });
  }
  const isHighest = () => listGenerations(context).at(-1) === generation;
  const write = (isReleased: boolean) => {
    files.writeFileSync(partial, record(isReleased), { mode: 0o600 });
    files.renameSync(partial, file);
  };
  // Create the fence before the last check, so that any later holder finds it. An existing one of this
  // generation is a leftover.
  files.rmSync(fence, { force: true });
  const descriptor = files.openSync(fence, 'wx', 0o600);
  // A process suspended between check and link has an outdated heartbeat and may have been overtaken: refresh
  // and check again.
  write(false);
  if (!isHighest()) {
    files.closeSync(descriptor);
    for (const own of [fence, file]) files.rmSync(own, { force: true });
    return null;
  }
  removeLeftovers(context, generation);
  return hold();

  function hold(): FolderLock {
    let lastHeartbeat = clock.now();
    let lostMessage: string | undefined;
    let isReleased = false;
    let announceLoss: (message: string) => void;
    const lost = new Promise<string>((resolve) => {
      announceLoss = resolve;
    });

    const lose = () => {
      stopBeating();
      let by: FolderHolder | null | undefined;
      try {
        by = findHighestLock(context)?.holder;
        lostMessage = `The data folder ${folder} was taken over by ${by ? `process ${by.pid} on ${by.host}` : 'another process'} because this process was silent for too long.`;
      } catch {
        lostMessage = `The data folder ${folder} is no longer there.`;
      }
      announceLoss(lostMessage);
    };
    /** Checks only the open file, which takes a microsecond. */
    const look = () => {
      if (lostMessage !== undefined || isReleased) return;
      if (files.fstatSync(descriptor).nlink === 0) lose();
    };
    const check = () => {
      look();
      if (lostMessage !== undefined) return;
      try {
        if (!isHighest()) lose();
      } catch (error) {
        // Any other error (too many open files, say) proves nothing; the next heartbeat checks again.
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') lose();
      }
    };
    const heartbeat = () => {
      check();
      if (lostMessage !== undefined) return;
      try {
        write(false);
      } catch {
        // A full disk must not stop the server: the heartbeat is not written, but `check` still detects a
        // takeover.
      }
      lastHeartbeat = clock.now();
    };
    const stopBeating = clock.every(heartbeatIntervalMs, heartbeat);
    const writeRelease = () => {
      try {
        write(true);
      } catch (error) {
        // On a full disk the next process sees that this one is gone.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        files.rmSync(partial, { force: true });
      }
    };

    return {
      lost,
      fence,
      assertHeld() {
        if (lostMessage === undefined && clock.now() - lastHeartbeat > staleAfterMs / 2) heartbeat();
        look();
        if (lostMessage !== undefined) throw new Error(lostMessage);
      },
      release() {
        stopBeating();
        check();
        if (lostMessage === undefined && !isReleased) writeRelease();
        if (!isReleased) files.closeSync(descriptor);
        isReleased = true;
      },
    };
  }
}

/**
 * Removes lower generations, which are no longer valid, and partial files of processes that died while
 * writing.
 */
function removeLeftovers(context: LockContext, generation: number): void {
  const { folder, clock, files } = context;
  // Fences first: their processes then no longer acknowledge writes.
  for (const older of listGenerations(context, /^lock\.([1-9]\d{0,14})\.fence$/)) {
    if (older < generation) files.rmSync(fenceFile(folder, older), { force: true });
  }
  for (const older of listGenerations(context)) {
    if (older < generation) files.rmSync(lockFile(folder, older), { force: true });
  }
  for (const name of files.readdirSync(folder)) {
    if (!name.startsWith('lock.partial-')) continue;
    const path = join(folder, name);
    const age = clock.now() - (files.statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? clock.now());
    if (age > 60_000) files.rmSync(path, { force: true });
  }
}
