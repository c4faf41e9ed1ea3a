/**
 * The exclusive lock of a data folder: one process at a time, also across containers and machines that share the folder.
 *
 * The lock is the file `lock.<generation>` of the highest generation. To take over means to create the next generation,
 * which the file system grants to exactly one process; a file that counts is never renamed or deleted, so a slow
 * process cannot remove a newer holder's lock. The holder rewrites its file every 2 s and looks for a newer generation.
 *
 * Beside it stands `lock.<generation>.fence`, which the holder keeps open and the next one removes before it touches
 * anything else. Whoever writes into the folder looks at the open file afterwards: while it still has its name, nobody
 * had taken over when the write was done, so whoever takes over later finds what was written.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { ownIdentity, type ProcessIdentity, processStatus } from './process-identity.ts';

const heartbeatIntervalMs = 2_000;
const staleAfterMs = 10_000;

/** The calls to the file system, so that tests can stop a process at each of them. */
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

/** Who holds a folder: the process, since when, and its last sign of life (milliseconds since 1970). */
export interface FolderHolder extends ProcessIdentity {
  id: string;
  since: number;
  beat: number;
  isReleased: boolean;
}

/** Another process holds the folder. */
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
  /** Throws when another process has taken the folder over before this call. */
  assertHeld(): void;
  /** Path of a file that has its name for as long as nobody else has taken the folder over. */
  fence: string;
  /** Resolves with the message for people when another process has taken the folder over. */
  lost: Promise<string>;
  /** Gives the folder free for the next process. */
  release(): void;
}

export interface FolderLockOptions {
  clock: Clock;
  /** Who asks; given by tests that play another machine. */
  identity?: ProcessIdentity;
  files?: LockFiles;
}

/** Who asks, with what. */
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

/** Takes the lock. Refuses at once with FolderBusy while the holder lives; waits up to 10 s where that cannot be seen. */
export async function lockFolder(
  folder: string,
  { clock, identity = ownIdentity(), files = fs }: FolderLockOptions,
): Promise<FolderLock> {
  files.mkdirSync(folder, { recursive: true, mode: 0o700 });
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

/** The generations of which there is a lock, or what else the pattern finds, with the lowest first. */
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
    // Gone between the two looks: a newer generation has come.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return findHighestLock(context);
    throw error;
  }
}

/** Returns when the holder is surely gone; throws FolderBusy when it shows a sign of life. */
async function waitUntilReleased(context: LockContext, found: FoundLock): Promise<void> {
  const { folder, clock, identity: own } = context;
  const { holder } = found;
  const status = holder ? processStatus(holder, own) : 'unknown';
  if (status === 'gone') return;
  if (status === 'running') throw new FolderBusy(folder, holder);
  // Only the clock of the same kernel can be compared; from another machine a beat counts when it is seen to change.
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

/** Creates that generation; null when another process was faster. */
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
  // The fence comes before the last look: who takes over later finds it. One of this generation can only be left over.
  files.rmSync(fence, { force: true });
  const descriptor = files.openSync(fence, 'wx', 0o600);
  // A process that slept between looking and linking must not stand there with an old beat, and may be overtaken.
  write(false);
  if (!isHighest()) {
    files.closeSync(descriptor);
    for (const own of [fence, file]) files.rmSync(own, { force: true });
    return null;
  }
  removeLeftovers(context, generation);
  return hold();

  function hold(): FolderLock {
    let lastBeat = clock.now();
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
    /** Looks at the open file alone, which costs a microsecond. */
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
        // Any other failure to look (too many open files, say) proves nothing; the next beat looks again.
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') lose();
      }
    };
    const beat = () => {
      check();
      if (lostMessage !== undefined) return;
      try {
        write(false);
      } catch {
        // A full disk must not stop the server: the beat is missing, but `check` still sees whether anybody took over.
      }
      lastBeat = clock.now();
    };
    const stopBeating = clock.every(heartbeatIntervalMs, beat);

    return {
      lost,
      fence,
      assertHeld() {
        if (lostMessage === undefined && clock.now() - lastBeat > staleAfterMs / 2) beat();
        look();
        if (lostMessage !== undefined) throw new Error(lostMessage);
      },
      release() {
        stopBeating();
        check();
        if (lostMessage === undefined && !isReleased) write(true);
        if (!isReleased) files.closeSync(descriptor);
        isReleased = true;
      },
    };
  }
}

/** Removes lower generations, which count no more, and partial files of processes that died while writing. */
function removeLeftovers(context: LockContext, generation: number): void {
  const { folder, clock, files } = context;
  // First of all the fences: what their processes write from here on, they do not answer for.
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
