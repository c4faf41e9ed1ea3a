/** Identifies this process so that another process on the same machine can check whether it is running. */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Identity of a process; pid and started are comparable only if `machine` is equal. */
export interface ProcessIdentity {
  host: string;
  /** Identifies a kernel and its boot; processes with the same value share a clock. */
  boot: string;
  /**
   * Identifies a kernel, its boot and the pid namespace, so that containers with the same host name differ.
   */
  machine: string;
  pid: number;
  /** Start time in kernel ticks; empty if the system does not provide it. */
  started: string;
}

function read(what: () => string): string {
  try {
    return what().trim();
  } catch {
    return '';
  }
}

/**
 * Start ticks and state letter of a process (proc(5), stat: fields 22 and 3, after the name in parentheses).
 */
function processState(pid: number): { started: string; state: string } {
  const text = read(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', started: fields[19] ?? '' };
}

/** Identity of this process, or of another one on the same machine. */
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

/** Whether the process is running: `unknown` on another machine, or if a reused pid cannot be ruled out. */
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
