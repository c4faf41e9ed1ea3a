// Runs a command of the repository and gives its exit code and what it printed.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const binary = (name) => fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url));

/** Output goes to the terminal as it comes, and comes back for counting. A command that is silent for too long is killed. */
export function run(command, args, { env = {}, quiet = false, silence } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that its workers end with it.
      detached: silence !== undefined,
    });
    let output = '';
    let timer;
    const listen = () => {
      clearTimeout(timer);
      if (silence === undefined) return;
      timer = setTimeout(() => {
        console.error(`${args[0]} of ${command} said nothing for ${silence / 60_000} minutes and is ended`);
        process.kill(-child.pid, 'SIGKILL');
      }, silence);
    };
    listen();
    const take = (target) => (chunk) => {
      listen();
      output += chunk;
      if (!quiet) target.write(chunk);
    };
    child.stdout.on('data', take(process.stdout));
    child.stderr.on('data', take(process.stderr));
    child.on('error', reject);
    child.on('close', () => clearTimeout(timer));
    child.on('close', (code, signal) => resolve({ code: code ?? (signal ? 1 : 0), output }));
  });
}
