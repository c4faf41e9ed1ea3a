/**
 * The exclusive lock of a data folder: one process at a time, also across containers and machines that share the folder.
 *
 * The lock is the file `lock.<generation>` of the highest generation. To take over means to create the next generation,
 * which the file system grants to exactly one process; a file that counts is never renamed or deleted, so a slow
 * process cannot remove a newer holder's lock. The holder rewrites its file every 2 s and looks for a newer generation.
 */
import { randomUUID } from 'node:crypto';
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Clock } from './clock.ts';
import { ownIdentity, type ProcessIdentity, processFate } from './process-identity.ts';

const beatEvery = 2_000;
const staleAfter = 10_000;

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
  /** Throws when another process has taken the folder over; looks at the disk only when the last heart-beat is old. */
  confirm(): void;
  /** Resolves with the message for people when another process has taken the folder over. */
  lost: Promise<string>;
  /** Gives the folder free for the next process. */
  release(): void;
}

export interface LockOptions {
  clock: Clock;
  /** Who asks; given by tests that play another machine. */
  identity?: ProcessIdentity;
}

interface Found {
  generation: number;
  holder: FolderHolder | null;
  text: string;
}

/** Takes the lock. Refuses at once with FolderBusy while the holder lives; waits up to 10 s where that cannot be seen. */
export async function lockFolder(
  folder: string,
  { clock, identity = ownIdentity() }: LockOptions,
): Promise<FolderLock> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (;;) {
    const found = highest(folder);
    if (found && !found.holder?.isReleased) await waitUntilGone(folder, found, clock, identity);
    const generation = (found?.generation ?? 0) + 1;
    const lock = claim(folder, generation, clock, identity);
    if (lock) return lock;
  }
}

function lockFile(folder: string, generation: number): string {
  return join(folder, `lock.${generation}`);
}

function generations(folder: string): number[] {
  return readdirSync(folder)
    .map((name) => /^lock\.([1-9]\d{0,14})$/.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number);
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

function highest(folder: string): Found | null {
  const generation = Math.max(0, ...generations(folder));
  if (generation === 0) return null;
  try {
    const text = readFileSync(lockFile(folder, generation), 'utf8');
    return { generation, text, holder: readHolder(text) };
  } catch (error) {
    // Gone between the two looks: a newer generation has come.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return highest(folder);
    throw error;
  }
}

/** Returns when the holder is surely gone; throws FolderBusy when it shows a sign of life. */
async function waitUntilGone(
  folder: string,
  found: Found,
  clock: Clock,
  own: ProcessIdentity,
): Promise<void> {
  const { holder } = found;
  const fate = holder ? processFate(holder, own) : 'unknown';
  if (fate === 'gone') return;
  if (fate === 'running') throw new FolderBusy(folder, holder);
  // Only the clock of the same kernel can be compared; from another machine a beat counts when it is seen to change.
  const silentBefore =
    holder && holder.boot === own.boot ? clamp(clock.now() - holder.beat, 0, staleAfter) : 0;
  const until = clock.now() + staleAfter - silentBefore;
  for (;;) {
    const now = highest(folder);
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
function claim(
  folder: string,
  generation: number,
  clock: Clock,
  identity: ProcessIdentity,
): FolderLock | null {
  const since = clock.now();
  const id = randomUUID();
  const file = lockFile(folder, generation);
  const partial = join(folder, `lock.partial-${id}`);
  const record = (isReleased: boolean): string =>
    JSON.stringify({ ...identity, id, since, beat: clock.now(), isReleased } satisfies FolderHolder);
  writeFileSync(partial, record(false), { mode: 0o600 });
  try {
    linkSync(partial, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null;
    throw error;
  } finally {
    rmSync(partial, { force: true });
  }
  const isHighest = () => Math.max(0, ...generations(folder)) === generation;
  const write = (isReleased: boolean) => {
    writeFileSync(partial, record(isReleased), { mode: 0o600 });
    renameSync(partial, file);
  };
  // A process that slept between looking and linking must not stand there with an old beat, and may be overtaken.
  write(false);
  if (!isHighest()) {
    rmSync(file, { force: true });
    return null;
  }
  removeLeftovers(folder, generation, clock);
  return hold();

  function hold(): FolderLock {
    let lastBeat = clock.now();
    let lostMessage: string | undefined;
    let announceLoss: (message: string) => void;
    const lost = new Promise<string>((resolve) => {
      announceLoss = resolve;
    });

    const lose = (message: string) => {
      stopBeating();
      lostMessage = message;
      announceLoss(message);
    };
    const check = () => {
      if (lostMessage !== undefined) return;
      try {
        if (isHighest()) return;
        const by = highest(folder)?.holder;
        const taker = by ? `process ${by.pid} on ${by.host}` : 'another process';
        lose(
          `The data folder ${folder} was taken over by ${taker} because this process was silent for too long.`,
        );
      } catch (error) {
        // Any other failure to look (too many open files, say) proves nothing; the next beat looks again.
        if ((error as NodeJS.ErrnoException).code === 'ENOENT')
          lose(`The data folder ${folder} is no longer there.`);
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
    const stopBeating = clock.every(beatEvery, beat);

    return {
      lost,
      confirm() {
        if (lostMessage === undefined && clock.now() - lastBeat > staleAfter / 2) beat();
        if (lostMessage !== undefined) throw new Error(lostMessage);
      },
      release() {
        stopBeating();
        check();
        if (lostMessage === undefined) write(true);
      },
    };
  }
}

/** Removes lower generations, which count no more, and partial files of processes that died while writing. */
function removeLeftovers(folder: string, generation: number, clock: Clock): void {
  for (const older of generations(folder)) {
    if (older < generation) rmSync(lockFile(folder, older), { force: true });
  }
  for (const name of readdirSync(folder)) {
    if (!name.startsWith('lock.partial-')) continue;
    const path = join(folder, name);
    const age = clock.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? clock.now());
    if (age > 60_000) rmSync(path, { force: true });
  }
}
