// Runs the agent from its sources as a process of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));

export function startAgent(args: readonly string[], env: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', main, ...args], {
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
