// Serves the server and the console from their sources: the console is updated in the open page, and a change of the server restarts it.
// Usage: npm run dev -- [--port N] [--data FOLDER] and the other options of the server
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { binary, root } from './run.mjs';

const child = spawn(
  binary('tsx'),
  ['watch', '--clear-screen=false', join(root, 'tools', 'dev', 'serve.mjs'), ...process.argv.slice(2)],
  { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, NODE_ENV: 'development' } },
);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill('SIGTERM'));
child.on('exit', (code) => process.exit(code ?? 1));
