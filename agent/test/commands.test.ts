import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runAgent } from './run-agent.ts';

const token = `kst_${'t'.repeat(43)}`;
let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'yagura-agent-commands-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const setup = (name: string, ...more: string[]) => {
  const settings = join(root, name, 'agent.toml');
  const state = ['--state-folder', join(root, name, 'state')];
  const args = [
    'setup',
    '--settings',
    settings,
    '--token-file',
    '-',
    '--url',
    'http://127.0.0.1:1',
    ...state,
    ...more,
  ];
  return { settings, run: () => runAgent(args, { input: `${token}\n` }) };
};

describe('commands', { concurrent: true }, () => {
  test.each<[string[], number, RegExp, RegExp]>([
    [['--version'], 0, /^yagura-agent \d/, /^$/],
    [['--help'], 0, /setup[\s\S]*check[\s\S]*scan/, /^$/],
    [['--help', '--lang', 'ja'], 0, /見積もり|終了コード/, /^$/],
    [[], 2, /^$/, /Usage: yagura-agent/],
    [['scna'], 2, /^$/, /Unknown command scna/],
    [['check', '--nope'], 2, /^$/, /Unknown flag --nope/],
    [
      ['check', '--settings', '/nonexistent/agent.toml'],
      1,
      /^$/,
      /\/nonexistent\/agent\.toml cannot be read: ENOENT/,
    ],
    [['scan', '10.0.0.0/24'], 2, /^$/, /--dry-run/],
    [['scan', '--dry-run', 'example.com'], 2, /^$/, /Not an IPv4 address or network: example\.com/],
    [['setup', '--settings', '/nonexistent/agent.toml'], 2, /^$/, /Required flag is missing: --url/],
    [
      ['setup', '--settings', '/nonexistent/agent.toml', '--url', 'x'],
      2,
      /^$/,
      /Not a valid URL of a space: x/,
    ],
  ])('%j', async (args, code, stdout, stderr) => {
    const ended = await runAgent(args);
    expect(ended).toEqual({
      code,
      stdout: expect.stringMatching(stdout),
      stderr: expect.stringMatching(stderr),
    });
  });

  test('setup writes private files that check accepts and never repeats the token', async () => {
    const { settings, run } = setup('site', '--allow', '127.0.0.0/29', '10.20.0.0/16');
    const first = await run();
    expect(first).toMatchObject({ code: 0, stdout: '' });
    expect(first.stderr).toContain('127.0.0.0/29, 10.20.0.0/16');
    expect(first.stderr).not.toContain(token);
    for (const file of [settings, join(root, 'site/token')]) expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(settings, 'utf8')).not.toContain(token);
    expect(await run()).toMatchObject({ code: 2, stderr: expect.stringContaining('--replace') });

    const checked = await runAgent(['check', '--settings', settings, '--json']);
    expect(checked).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(checked.stdout)).toMatchObject({
      url: 'http://127.0.0.1:1',
      scan: { addresses: 65_544, networks: ['10.20.0.0/16', '127.0.0.0/29'] },
      requests: { networks: [] },
    });

    // Without the scanners that may be installed here.
    const written = readFileSync(settings, 'utf8');
    writeFileSync(settings, written.replace('[scan]\n', '[scan]\ndiscover = "off"\n'));
    const seeds = ['127.0.0.0/30', '10.99.0.0/24', '224.0.0.1'];
    const dry = await runAgent(['scan', '--dry-run', '--settings', settings, '--json', ...seeds]);
    expect(JSON.parse(dry.stdout)).toMatchObject({
      addresses: 4,
      packets: 36,
      targets: ['127.0.0.0/30'],
      excluded: [
        { network: '224.0.0.1', reason: 'SPECIAL_ADDRESS' },
        { network: '10.99.0.0/24', reason: 'NOT_ALLOWED_BY_SITE' },
      ],
    });
    const text = await runAgent(['scan', '--dry-run', '--settings', settings, ...seeds], {
      env: { LANG: 'ja_JP.UTF-8' },
    });
    expect(text.stdout).toContain('4アドレス');
    expect(text.stdout).toContain('対象外\t10.99.0.0/24\tエージェントの設定で許可されていません');
  });

  test('a new agent may scan nothing until networks are named', async () => {
    const { settings, run } = setup('fresh', '--allow', 'none');
    expect(await run()).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('No network may be scanned yet'),
    });
    expect(await runAgent(['check', '--settings', settings])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('scan.allowed'),
    });
    const dry = await runAgent(['scan', '--dry-run', '--settings', settings, '--json', '10.0.0.0/24']);
    expect(JSON.parse(dry.stdout)).toMatchObject({ addresses: 0, packets: 0, targets: [] });
  });

  test('setup without --allow and without a terminal asks for the flag and writes nothing', async () => {
    const { settings, run } = setup('none');
    expect(await run()).toMatchObject({ code: 2, stderr: expect.stringContaining('--allow') });
    expect(() => statSync(settings)).toThrow('ENOENT');
  });

  test('setup adds its role to the settings of a gateway and leaves the rest as it is', async () => {
    const { settings, run } = setup('both', '--allow', '127.0.0.0/29');
    mkdirSync(dirname(settings), { recursive: true });
    const before = '# Osaka\nurl = "http://127.0.0.1:1"\n\n[gateway]\nkeyFile = "kroker.json" # ours\n';
    writeFileSync(settings, before, { mode: 0o600 });
    expect(await run()).toMatchObject({ code: 0 });
    const after = readFileSync(settings, 'utf8');
    expect(after).toContain('# Osaka\n');
    expect(after).toContain('keyFile = "kroker.json" # ours');
    // Both roles are checked: the key file of the gateway is missing.
    expect(await runAgent(['check', '--settings', settings])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('kroker.json cannot be read: ENOENT'),
    });
  });

  test('an accepted host key is forgotten once', async () => {
    const { settings, run } = setup('keys', '--allow', 'none');
    await run();
    const state = join(root, 'keys/state');
    const stored = { 'web-01:22': ['SHA256:a'], 'web-02:2222': ['SHA256:b'] };
    writeFileSync(join(state, 'host-keys.json'), JSON.stringify(stored), { mode: 0o600 });
    const forget = (...args: string[]) =>
      runAgent(['gateway', 'forget-host-key', ...args, '--settings', settings]);
    expect(await forget('WEB-02', '2222')).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(join(state, 'host-keys.json'), 'utf8'))).toEqual({
      'web-01:22': ['SHA256:a'],
    });
    expect(await forget('web-02', '2222')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('web-02'),
    });
    expect(await forget('web-01', '99999')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('99999'),
    });
    expect(await forget('a b')).toMatchObject({ code: 2, stderr: expect.stringContaining('a b') });
  });

  test('a wrong token is refused without showing it', async () => {
    const file = join(root, 'wrong-token');
    writeFileSync(file, 'kst_not-the-whole-token');
    const args = [
      'setup',
      '--settings',
      join(root, 'x/agent.toml'),
      '--url',
      'https://a.example',
      '--allow',
      'none',
    ];
    const ended = await runAgent([...args, '--token-file', file]);
    expect(ended.code).toBe(2);
    expect(ended.stderr).not.toContain('not-the-whole');
  });
});
