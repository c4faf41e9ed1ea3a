// The running program and its system: signals, a log that cannot be written, a state folder that cannot be created.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testToken } from './agent-under-test.ts';
import { runAgent, startAgent } from './run-agent.ts';
import { startTestHub } from './test-hub.ts';
import { type AgentFiles, writeAgentFiles } from './write-agent-files.ts';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
let hub: Awaited<ReturnType<typeof startTestHub>>;
let files: AgentFiles;
beforeEach(async () => {
  hub = await startTestHub();
  files = writeAgentFiles(`url = "${hub.origin}"\n`, testToken);
});
afterEach(async () => {
  await hub.close();
  files.remove();
});

test.each(['SIGTERM', 'SIGHUP'] as const)('%s ends it in order', async (signal) => {
  const agent = startAgent(['run', '--settings', files.settings]);
  await hub.next('hello');
  let log = '';
  agent.stderr!.on('data', (text) => {
    log += text;
  });
  agent.kill(signal);
  expect(await once(agent, 'close')).toEqual([0, null]);
  expect(log).toContain('"message":"stopped"');
});

test.runIf(process.platform === 'linux')('a full disk below the log does not end it', async () => {
  const full = openSync('/dev/full', 'w');
  const agent = spawn(process.execPath, [main, 'run', '--settings', files.settings], {
    stdio: ['ignore', 'ignore', full],
  });
  await hub.next('hello');
  agent.kill('SIGTERM');
  expect(await once(agent, 'close')).toEqual([0, null]);
});

test.runIf(process.platform === 'linux')('a folder that cannot be created is an error', async () => {
  const text = `url = "http://127.0.0.1:1"\ntokenFile = "token"\nstateFolder = "/proc/yagura/state"\n`;
  writeFileSync(files.settings, text);
  expect(await runAgent(['run', '--settings', files.settings])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('cannot be written: ENOENT'),
  });
});
