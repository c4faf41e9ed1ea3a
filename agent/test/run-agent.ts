// Runs the built agent as a process of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));

export function startAgent(args: readonly string[], env: Record<string, string> = {}): ChildProcess {
  if (!existsSync(main)) throw new Error('agent/dist/main.js is missing: run "npm run build" first');
  return spawn(process.execPath, [main, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, LANG: 'C', ...env } as unknown as NodeJS.ProcessEnv,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

export async function runAgent(
  args: readonly string[],
  { input = '', env = {} }: { input?: string; env?: Record<string, string> } = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = startAgent(args, env);
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]!.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  child.stdin!.on('error', () => undefined);
  child.stdin!.end(input);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, ...texts };
}
