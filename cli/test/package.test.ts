import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Packs the command line, installs it offline into an empty folder, and runs it. */
describe('the packed command line', { timeout: 180_000 }, () => {
  let folder: string;
  let prefix: string;

  const run = (command: string, args: string[], env: Record<string, string> = {}) =>
    spawnSync(command, args, {
      cwd: folder,
      encoding: 'utf8',
      env: {
        PATH: `${join(prefix, 'bin')}:${dirname(process.execPath)}:/usr/bin:/bin`,
        HOME: folder,
        ...env,
      },
    });

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'yagura-package-'));
    prefix = join(folder, 'prefix');
    const packed = spawnSync(process.execPath, [join(root, 'tools', 'pack-cli.mjs'), folder], {
      encoding: 'utf8',
    });
    expect(packed.status, packed.stderr).toBe(0);
    const tarball = packed.stdout.trim();
    rmSync(join(folder, 'package'), { recursive: true });
    const installed = run('npm', [
      'install',
      '--global',
      '--offline',
      '--prefix',
      prefix,
      '--no-audit',
      '--no-fund',
      tarball,
    ]);
    expect(installed.status, installed.stderr).toBe(0);
  }, 180_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each([
    [['--version'], 0, /^yagura \d/],
    [['--help'], 0, /alerthub/],
    [['help', 'scan', '--lang', 'ja'], 0, /スキャン/],
    [['profiles', 'list', '--jq', 'length'], 0, /^0$/m],
    [['profiles', 'list', '-o', 'yaml'], 0, /^\[\]$/m],
    [['completion', 'zsh'], 0, /#compdef yagura/],
    [['scopes', 'list'], 4, /^$/],
  ])('%j', (args, code, said) => {
    const { status, stdout, stderr } = run('yagura', args);
    expect(status, stderr).toBe(code);
    expect(stdout).toMatch(said);
  });

  test('has its licences and manual pages, and nothing to install beside it', () => {
    const place = join(prefix, 'lib', 'node_modules', 'yagura');
    expect(existsSync(join(place, 'node_modules'))).toBe(false);
    expect(existsSync(join(place, 'LICENSE'))).toBe(true);
    expect(existsSync(join(place, 'dist', 'third-party.txt'))).toBe(true);
    expect(readdirSync(join(place, 'man', 'man1'))).toEqual(
      expect.arrayContaining(['yagura.1', 'yagura-scan.1', 'yagura-alerthub.1', 'yagura-scan.ja.1']),
    );
  });
});
