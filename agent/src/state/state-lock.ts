// A lock on the state folder: one agent at a time, also after a crash and across containers.
import { randomBytes } from 'node:crypto';
import { link, readFile, readlink, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { AgentError } from '../agent-error.ts';
import { createFolder } from '../create-folder.ts';

const lockName = 'agent.lock';
/** How often the holder renews the lock, and the age from which a lock of an unknown process is abandoned. */
const renewMs = 15_000;
const abandonedMs = 60_000;
const maxAttempts = 20;

/** Identifies a process for longer than its id, which is used again. */
interface Holder {
  pid: number;
  /** Boot and time of the start, where the system tells. */
  start: string;
  /** Ids of processes are comparable only within one namespace. */
  namespace: string;
  /** The first namespace has the same name on all machines, and they may share the folder. */
  machine: string;
}

export interface StateLock {
  release(): Promise<void>;
}

/** Throws an AgentError if another agent that runs uses the folder. */
export async function lockStateFolder(folder: string, now: () => number = Date.now): Promise<StateLock> {
  createFolder(folder);
  const lock = join(folder, lockName);
  const own = JSON.stringify(await describe(process.pid));
  const part = `${lock}.${randomBytes(8).toString('hex')}`;
  await writeFile(part, own, { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      if (await linkNew(part, lock)) return hold(lock, own);
      const text = await readText(lock);
      if (text === undefined) continue;
      if (await isHeld(text, lock, now)) throw locked(folder, text);
      await removeAbandoned(lock, text, `${part}.old`);
    }
    throw locked(folder, await readText(lock));
  } finally {
    await rm(part, { force: true });
  }
}

function hold(lock: string, own: string): StateLock {
  const timer = setInterval(() => {
    const time = new Date();
    utimes(lock, time, time).catch(() => undefined);
  }, renewMs);
  timer.unref();
  return {
    async release() {
      clearInterval(timer);
      if ((await readText(lock)) === own) await rm(lock, { force: true });
    },
  };
}

/** Whether the name was free. */
async function linkNew(part: string, lock: string): Promise<boolean> {
  try {
    await link(part, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function isHeld(text: string, lock: string, now: () => number): Promise<boolean> {
  const holder = parseHolder(text);
  const own = await describe(process.pid);
  if (holder && holder.namespace === own.namespace && holder.machine === own.machine) {
    return isRunning(holder.pid) && (await describe(holder.pid)).start === holder.start;
  }
  const changed = await stat(lock).catch(() => undefined);
  return changed !== undefined && now() - changed.mtimeMs < abandonedMs;
}

/** Removes an abandoned lock; one that was taken in the meantime is put back. */
async function removeAbandoned(lock: string, text: string, old: string): Promise<void> {
  try {
    await rename(lock, old);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if ((await readText(old)) !== text) await linkNew(old, lock);
  await rm(old, { force: true });
}

async function describe(pid: number): Promise<Holder> {
  const [boot, machineId, status, namespace] = await Promise.all([
    readText('/proc/sys/kernel/random/boot_id'),
    readText('/etc/machine-id'),
    readText(`/proc/${pid}/stat`),
    readlink('/proc/self/ns/pid').catch(() => ''),
  ]);
  // The name of the program, in parentheses, may contain spaces. The start is field 22 (proc(5)); a process of
  // state Z has ended.
  const fields = status?.slice(status.lastIndexOf(')') + 2).split(' ') ?? [];
  const start = fields[0] === 'Z' ? 'ended' : (fields[19] ?? '');
  // Machines that were cloned may have the same id.
  const machine = `${machineId?.trim() ?? ''} ${hostname()}`;
  return { pid, start: `${boot?.trim() ?? ''} ${start}`, namespace, machine };
}

function parseHolder(text: string): Holder | undefined {
  try {
    const { pid, start, namespace, machine } = JSON.parse(text) as Partial<Holder>;
    if (!Number.isInteger(pid) || Number(pid) < 1) return undefined;
    return { pid: Number(pid), start: String(start), namespace: String(namespace), machine: String(machine) };
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function readText(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}

function locked(folder: string, text: string | undefined): AgentError {
  return new AgentError('agent.state.locked', { folder, pid: parseHolder(text ?? '')?.pid ?? '-' });
}
