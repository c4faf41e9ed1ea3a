import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LogLine } from '../log.ts';
import { findAbilities, neighborTablePlan, neighborTableSize } from './abilities.ts';
import { createScanners, parseArpScan, parseNmap } from './installed-scanners.ts';
import { runTool } from './run-tool.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'yagura-agent-tools-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const never = new AbortController().signal;

/** A program that stands for a scanner. */
function program(name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}
const targets = (...addresses: string[]) => ({ addresses, perSecond: 200, signal: never });

describe('abilities', () => {
  const status = (mask: string) => {
    writeFileSync(join(folder, 'status'), `Name:\tnode\nCapEff:\t${mask}\n`);
    return { folders: [folder], statusFile: join(folder, 'status') };
  };

  test('follow from privileges, programs and the settings', () => {
    for (const name of ['arp-scan', 'nmap', 'ip']) program(name, 'exit 0');
    const [arpScan, nmap, flush] = ['arp-scan', 'nmap', 'ip'].map((name) => join(folder, name));
    expect(findAbilities('auto', status('0000000000003000'))).toEqual({ arpScan, nmap, flush });
    expect(findAbilities('off', status('0000000000003000'))).toEqual({ flush });
    expect(findAbilities('auto', status('0000000000002000'))).toEqual({ arpScan, nmap });
    expect(findAbilities('auto', status('0000000000001000'))).toEqual({ flush });
    expect(findAbilities('auto', status('0000000000000000'))).toEqual({});
    chmodSync(nmap!, 0o644);
    expect(findAbilities('auto', status('0000000000003000'))).toEqual({ arpScan, flush });
    expect(findAbilities('auto', { folders: [folder], statusFile: join(folder, 'none') })).toEqual({});
  });

  test('decide how a large link is searched', () => {
    expect(neighborTablePlan(1000, {}, 1000)).toBeUndefined();
    expect(neighborTablePlan(1001, {}, 1000)).toBe('pace');
    expect(neighborTablePlan(1001, { flush: '/sbin/ip' }, 1000)).toBe('flush');
    expect(neighborTablePlan(1001, { flush: '/sbin/ip', arpScan: '/sbin/arp-scan' }, 1000)).toBe('arp-scan');
  });

  test.each([
    ['1024\n', 1000],
    ['8192\n', 8168],
    ['16\n', 1],
    ['nonsense\n', 1000],
    [undefined, 1000],
  ])('a kernel with a table limit of %j holds %i addresses', (text, size) => {
    const path = join(folder, 'gc_thresh3');
    if (text !== undefined) writeFileSync(path, text);
    expect(neighborTableSize(path)).toBe(size);
  });
});

describe('a program', () => {
  test('receives its arguments as they are, a list of targets, and no environment', async () => {
    const seen = join(folder, 'seen');
    const arpScan = program(
      'arp-scan',
      `{ printf '%s\\n' "$@"; cat; env | grep -c SECRET; } > ${seen}\nprintf '10.0.0.2\\t52:54:00:AA:BB:01\\n'`,
    );
    process.env.SECRET_OF_THE_TEST = 'x';
    try {
      const scanners = createScanners({ arpScan }, () => undefined);
      const found = await scanners.findNeighbors!(targets('10.0.0.1', '10.0.0.2'), 'eth0; reboot');
      expect([...found!]).toEqual([['10.0.0.2', { macaddr: '52:54:00:aa:bb:01', ifname: 'eth0; reboot' }]]);
    } finally {
      delete process.env.SECRET_OF_THE_TEST;
    }
    expect(readFileSync(seen, 'utf8').trim().split('\n')).toEqual([
      ...['--interface=eth0; reboot', '--file=-', '--numeric', '--plain', '--quiet', '--ignoredups'],
      ...['--retry=2', '--timeout=500', '--interval=5000u', '10.0.0.1', '10.0.0.2', '0'],
    ]);
  });

  test('that fails is logged once and not used again', async () => {
    const runs = join(folder, 'runs');
    const nmap = program('nmap', `echo x >> ${runs}\necho "no raw sockets" >&2\nexit 3`);
    const lines: LogLine[] = [];
    const scanners = createScanners({ nmap }, (line) => void lines.push(line));
    expect(await scanners.findByPing!(targets('10.0.0.1'))).toBeUndefined();
    expect(await scanners.findByPing!(targets('10.0.0.1'))).toBeUndefined();
    expect(readFileSync(runs, 'utf8')).toBe('x\n');
    expect(lines).toEqual([
      {
        ...{ level: 'warn', message: 'a program cannot be used', program: nmap },
        reason: 'exit code 3: no raw sockets',
      },
    ]);
  });

  test('receives nothing but addresses', async () => {
    const runs = join(folder, 'runs');
    const nmap = program('nmap', `echo x >> ${runs}`);
    const scanners = createScanners({ nmap }, () => undefined);
    expect(await scanners.findByPing!(targets('10.0.0.0/8'))).toBeUndefined();
    expect(() => readFileSync(runs)).toThrow('ENOENT');
  });

  test('is ended by an abort, by its time, and by too much output', async () => {
    const hanging = program('hang', 'exec sleep 60');
    const controller = new AbortController();
    const aborted = runTool({ path: hanging, args: [], timeoutMs: 60_000, signal: controller.signal });
    controller.abort(new Error('stop'));
    await expect(aborted).rejects.toThrow('stop');
    const timed = { path: hanging, args: [], timeoutMs: 49.5, signal: never };
    await expect(runTool(timed)).rejects.toThrow('timeout');
    const flooding = program('flood', 'exec yes');
    const flood = { path: flooding, args: [], timeoutMs: 60_000, signal: never };
    await expect(runTool(flood)).rejects.toThrow('too much output');
    const missing = { ...flood, path: join(folder, 'none') };
    await expect(runTool(missing)).rejects.toThrow('ENOENT');
  });
});

test('only what was asked for is taken from the output', () => {
  const asked = ['10.0.0.1', '10.0.0.2'];
  const text =
    'Interface: eth0\n10.0.0.1\t52:54:00:AA:BB:01\n10.0.0.1\t52:54:00:AA:BB:02\n10.0.0.3\t52:54:00:aa:bb:03\n10.0.0.2 52:54:00:aa:bb:04\n10.0.0.2\tnonsense\n';
  expect([...parseArpScan(text, asked, 'eth0')]).toEqual([
    ['10.0.0.1', { macaddr: '52:54:00:aa:bb:01', ifname: 'eth0' }],
  ]);
  const nmap =
    '# Nmap 7.93 scan\nHost: 10.0.0.1 ()\tStatus: Up\nHost: 10.0.0.3 ()\tStatus: Up\nHost: 10.0.0.2 ()\tStatus: Down\nHost: 10.0.0.2 (x)\tStatus: Up\n';
  expect([...parseNmap(nmap, asked)]).toEqual(['10.0.0.1']);
});
