// Packs the agent, installs it offline into an empty folder, and runs it there.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testToken } from './agent-under-test.ts';
import { startTestHub } from './test-hub.ts';
import { writeAgentFiles } from './write-agent-files.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('the packed agent', { timeout: 180_000 }, () => {
  let folder: string;
  let prefix: string;
  const env = () =>
    ({
      PATH: `${join(prefix, 'bin')}:${dirname(process.execPath)}:/usr/bin:/bin`,
      HOME: folder,
    }) as unknown as NodeJS.ProcessEnv;
  const run = (command: string, args: string[]) =>
    spawnSync(command, args, { cwd: folder, encoding: 'utf8', env: env() });

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'yagura-agent-package-'));
    prefix = join(folder, 'prefix');
    const packed = spawnSync(process.execPath, [join(root, 'tools', 'pack-agent.mjs'), folder], {
      encoding: 'utf8',
    });
    expect(packed.status, packed.stderr).toBe(0);
    const options = ['--global', '--offline', '--prefix', prefix, '--no-audit', '--no-fund'];
    const installed = run('npm', ['install', ...options, packed.stdout.trim()]);
    expect(installed.status, installed.stderr).toBe(0);
  }, 180_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each([
    [['--version'], 0, /^yagura-agent \d/],
    [['--help', '--lang', 'ja'], 0, /終了コード/],
    [['check', '--settings', '/nonexistent'], 1, /^$/],
  ])('%j', (args, code, stdout) => {
    const ended = run('yagura-agent', args);
    expect(ended.status, ended.stderr).toBe(code);
    expect(ended.stdout).toMatch(stdout);
  });

  test('connects', async () => {
    const hub = await startTestHub();
    const files = writeAgentFiles(`url = "${hub.origin}"\n`, testToken);
    const agent = spawn('yagura-agent', ['run', '--settings', files.settings], {
      env: env(),
      stdio: 'ignore',
    });
    expect(await hub.next('hello')).toMatchObject({ protocols: [1, 2] });
    agent.kill('SIGTERM');
    expect(await once(agent, 'close')).toEqual([0, null]);
    files.remove();
    await hub.close();
  });

  test('has its licences, service unit and guides, and nothing to install beside it', () => {
    const place = join(prefix, 'lib', 'node_modules', 'yagura-agent');
    expect(existsSync(join(place, 'node_modules'))).toBe(false);
    for (const file of [
      'LICENSE',
      'README.md',
      'README.ja.md',
      'dist/third-party.txt',
      'packaging/yagura-agent.service',
      'packaging/Containerfile',
    ])
      expect(existsSync(join(place, file)), file).toBe(true);
  });

  test('has a service unit that systemd accepts', ({ skip }) => {
    const unit = join(prefix, 'lib', 'node_modules', 'yagura-agent', 'packaging', 'yagura-agent.service');
    const { error, status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
    if (error) skip('systemd-analyze is not installed');
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });
});
