// An X server of its own, and programs on it that end with it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** Time that a program may take to end. */
const killAfterMs = 2000;

export class XServer {
  /** For files of the programs; their home as well. */
  readonly folder: string;
  display = '';
  private readonly env: Record<string, string>;
  private readonly children: ChildProcess[] = [];

  constructor(name: string, env: Record<string, string> = {}) {
    this.folder = mkdtempSync(join(tmpdir(), `yagura-${name}-`));
    this.env = { HOME: this.folder, ...env };
  }

  /** Starts Xtigervnc. */
  async open(...args: string[]): Promise<void> {
    const server = this.start('/usr/bin/Xtigervnc', ['-displayfd', '3', '-nolisten', 'tcp', ...args]);
    const [number] = (await once(server.stdio[3] as Readable, 'data')) as [Buffer];
    this.display = number.toString().trim();
  }

  start(program: string, args: string[], env: Record<string, string> = {}): ChildProcess {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...this.env, ...this.displayEnv, ...env },
      cwd: this.folder,
    });
    child.stdout!.resume();
    child.stderr!.resume();
    this.children.push(child);
    return child;
  }

  /** Starts a terminal that runs a shell command. */
  startTerminal(command: string, ...options: string[]): void {
    const look = ['-u8', '-geometry', '120x40+0+0', '-bg', 'navy', '-fg', 'white'];
    this.start('/usr/bin/xterm', [...look, ...options, '-e', 'sh', '-c', command], { LANG: 'C.UTF-8' });
  }

  get displayEnv(): Record<string, string> {
    return this.display === '' ? {} : { DISPLAY: `:${this.display}` };
  }

  close = async (): Promise<void> => {
    for (const child of this.children.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const exited = once(child, 'exit');
      // The channel server of xrdp unmounts its drives when it is asked to end.
      child.kill('SIGTERM');
      const killing = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
      await exited;
      clearTimeout(killing);
    }
    rmSync(this.folder, { recursive: true, force: true });
  };
}
