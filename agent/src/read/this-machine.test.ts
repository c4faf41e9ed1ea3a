// The parsers on the output of the tools of this machine: what one tool says must agree with another one.
import { execFileSync, spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, test } from 'vitest';
import { type Interface, parseIfconfig, parseIpAddress, parseIpText } from './interfaces.ts';
import { type ListeningPort, parseLsof, parseNetstat, parseSs } from './listening.ts';
import { parseDpkg } from './packages.ts';
import { parseIpRoute, parseProcRoute } from './routes.ts';

const env = { PATH: `${process.env.PATH}:/usr/sbin:/sbin`, LC_ALL: 'C' } as unknown as NodeJS.ProcessEnv;
const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { encoding: 'utf8', env, maxBuffer: 64 * 1024 * 1024, stdio: 'pipe' });
const missing = (...commands: string[]) => {
  const found = commands.filter((one) => spawnSync('sh', ['-c', `command -v ${one}`], { env }).status !== 0);
  if (found.length === 0) return false;
  if (process.env.CI) throw new Error(`not installed: ${found.join(', ')}`);
  console.warn(`tests are skipped because these are not installed: ${found.join(', ')}`);
  return true;
};

describe.skipIf(missing('ip'))('ip', () => {
  test('says the same with and without JSON', () => {
    // Other programs may add and remove interfaces in the meantime.
    const lasting = (rows: Interface[]) => rows.filter(({ ifname }) => networkInterfaces()[ifname]);
    const json = lasting(parseIpAddress(run('ip', '-j', 'address', 'show')));
    expect(json.length).toBeGreaterThan(0);
    const text = parseIpText(run('ip', '-o', 'link', 'show') + run('ip', '-o', 'address', 'show'));
    expect(lasting(text)).toEqual(json);
  });

  test('knows the routes of the kernel', () => {
    const json = parseIpRoute(run('ip', '-j', '-4', 'route', 'show', 'table', 'main'));
    const short = json.map(({ destination, gateway, ifname }) => ({ destination, gateway, ifname }));
    const kernel = parseProcRoute(run('cat', '/proc/net/route'));
    expect(kernel.map(({ destination, gateway, ifname }) => ({ destination, gateway, ifname }))).toEqual(
      expect.arrayContaining(short),
    );
    expect(kernel).toHaveLength(json.length);
  });

  test.skipIf(missing('ifconfig'))('says the same as ifconfig', () => {
    const ipv4 = (rows: Interface[]) =>
      rows
        .filter(({ addr }) => addr?.includes('.'))
        .map(({ ifname, macaddr, addr, netmask }) => ({ ifname, macaddr, addr, netmask }))
        .sort((a, b) => (`${a.ifname} ${a.addr}` < `${b.ifname} ${b.addr}` ? -1 : 1));
    const found = ipv4(parseIfconfig(run('ifconfig', '-a')));
    expect(found.length).toBeGreaterThan(0);
    expect(ipv4(parseIpAddress(run('ip', '-j', 'address', 'show')))).toEqual(expect.arrayContaining(found));
  });
});

test.skipIf(missing('ss', 'netstat', 'lsof'))('own sockets are listed by ss, netstat and lsof', async () => {
  const tcp = createServer().listen(0, '127.0.0.1');
  const udp = createSocket('udp4').bind(0, '127.0.0.1');
  await Promise.all([once(tcp, 'listening'), once(udp, 'listening')]);
  try {
    const own: ListeningPort[] = [
      { protocol: 'tcp', address: '127.0.0.1', port: (tcp.address() as { port: number }).port },
      { protocol: 'udp', address: '127.0.0.1', port: udp.address().port },
    ];
    const args = ['-nP', '-a', '-p', String(process.pid), '-F', 'pcPn'];
    const lists = {
      ss: parseSs(run('ss', '-H', '-l', '-n', '-t', '-u', '-p')),
      netstat: parseNetstat(run('netstat', '-l', '-n', '-t', '-u')),
      lsof: parseLsof(run('lsof', ...args, '-i4')),
    };
    for (const [tool, list] of Object.entries(lists)) {
      const found = list.filter(({ port }) => own.some((one) => one.port === port));
      expect(
        found.map(({ process: _, ...one }) => one).sort((a, b) => (a.protocol < b.protocol ? -1 : 1)),
        tool,
      ).toEqual(own);
    }
    expect(lists.lsof.find(({ port }) => port === own[0]!.port)?.process).toBeTruthy();
  } finally {
    tcp.close();
    udp.close();
  }
});

test.skipIf(missing('dpkg-query'))('packages are those of the package manager', () => {
  const format = (fields: string) => run('dpkg-query', '-W', '-f', fields);
  const found = parseDpkg(format(`\${db:Status-Abbrev}\\t\${Package}\\t\${Version}\\t\${Architecture}\\n`));
  const installed = format(`\${db:Status-Status} \${Package} \${Version} \${Architecture}\\n`)
    .split('\n')
    .filter((line) => line.startsWith('installed '));
  expect(found.map(({ name, version, arch }) => `installed ${name} ${version} ${arch}`)).toEqual(installed);
});
