/** Who this process is, in a way that another process on the same machine can check. */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process as others may look it up; pid and started mean something only where `machine` is equal. */
export interface ProcessIdentity {
  host: string;
  /** One kernel since one boot; equal clocks. */
  boot: string;
  /** One kernel since one boot and one pid namespace, so that containers with one host name differ. */
  machine: string;
  pid: number;
  /** When the process started, in the kernel's ticks; empty where the system does not tell. */
  started: string;
}

function read(what: () => string): string {
  try {
    return what().trim();
  } catch {
    return '';
  }
}

/** Start ticks and state letter of a process (proc(5), stat: fields 22 and 3 behind the name in parentheses). */
function processState(pid: number): { started: string; state: string } {
  const text = read(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', started: fields[19] ?? '' };
}

/** The identity of this process, or of another one beside it. */
export function ownIdentity(pid: number = process.pid): ProcessIdentity {
  const host = hostname();
  const boot = read(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')) || host;
  const namespace = read(() => readlinkSync('/proc/self/ns/pid'));
  return {
    host,
    boot,
    machine: `${boot} ${namespace}`,
    pid,
    started: processState(pid).started,
  };
}

/** Whether that process runs: `unknown` on another machine, or where a reused pid cannot be told apart. */
export function processStatus(
  other: ProcessIdentity,
  own: ProcessIdentity = ownIdentity(),
): 'running' | 'gone' | 'unknown' {
  if (other.machine !== own.machine) return 'unknown';
  try {
    process.kill(other.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return 'gone';
  }
  const { started, state } = processState(other.pid);
  if (state === 'Z' || state === 'X') return 'gone';
  if (started === '' || other.started === '') return 'unknown';
  return started === other.started ? 'running' : 'gone';
}
