// What a scan costs: the search against nmap, the facts of a host against ssh, an abort, and the agent's memory.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { tsImport } from 'tsx/esm/api';
import { median, spread } from './support/statistics.mjs';

const here = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const turns = 3;
/** Hosts of the large network, spread over all of it. */
const largeHosts = 51;

export async function benchScan({ say }) {
  const lab = await tsImport('../../fixtures/src/lab/site/lab-site.ts', import.meta.url);
  const missing =
    lab.whyNoSite() ??
    (existsSync(here('agent/dist/main.js'))
      ? undefined
      : 'agent/dist/main.js is missing: run "npm run build" first');
  if (missing !== undefined) return [{ name: 'scan', skipped: missing }];
  say(
    `scan: ${turns} times each, in turn with its peer, in network namespaces; ours at 5,000 packets a second`,
  );
  const site = await lab.openDaemonSite();
  try {
    const link = (name) => site.cables.flat().find(({ node }) => node === name).ifname;
    site.node('agent').run('ip', 'address', 'add', '10.78.0.1/20', 'dev', link('agent'));
    for (let host = 1; host <= largeHosts; host++) {
      const number = host * 80;
      const address = `10.78.${number >> 8}.${number & 255}/20`;
      site.node('web').run('ip', 'address', 'add', address, 'dev', link('web'));
    }
    const inside = async (program, args) => {
      const child = site.start('agent', process.execPath, [
        ...['--import', 'tsx', here(`agent/test/lab/${program}`), JSON.stringify(args)],
      ]);
      const texts = ['', ''];
      for (const [index, stream] of [child.stdout, child.stderr].entries())
        stream.setEncoding('utf8').on('data', (text) => {
          texts[index] += text;
        });
      const [code] = await once(child, 'close');
      if (code !== 0) throw new Error(`${program} ended with ${code}: ${texts[1].slice(-500)}`);
      return JSON.parse(texts[0]);
    };
    return [
      await searchRow(site, inside, '/24', '10.77.1.0/24'),
      await searchRow(site, inside, '/20', '10.78.0.0/20'),
      await inventoryRow(site, inside),
      await abortRow(inside),
      await memoryRow(inside),
    ];
  } finally {
    site.close();
  }
}

async function searchRow(site, inside, size, network) {
  const name = `search of a ${size}`;
  if (spawnSync('nmap', ['-V']).error) return { name, skipped: 'nmap is not installed' };
  const times = { ours: [], peer: [] };
  const found = { ours: 0, peer: 0 };
  for (let turn = 0; turn < turns; turn++) {
    // Both begin without knowing anybody.
    site.node('agent').run('ip', 'neighbor', 'flush', 'all');
    const { milliseconds, hosts } = await inside('bench-scan.ts', { network });
    times.ours.push(milliseconds / 1000);
    found.ours = hosts;
    site.node('agent').run('ip', 'neighbor', 'flush', 'all');
    const begun = performance.now();
    const output = site.node('agent').run('nmap', '-sn', '-n', network);
    times.peer.push((performance.now() - begun) / 1000);
    found.peer = Number(/\((\d+) hosts? up\)/.exec(output)?.[1]);
  }
  return compared(`${name} (${found.ours} hosts, nmap ${found.peer})`, ' s', times, 'nmap -sn', 1);
}

async function inventoryRow(site, inside) {
  const name = 'facts of a host';
  if (spawnSync('ssh', ['-V']).error) return { name, skipped: 'ssh is not installed' };
  const { username, keyFile } = site.accounts;
  const times = await inside('bench-facts.ts', { address: '10.77.1.10', username, keyFile, turns: 5 });
  return compared(name, ' ms', times, 'ssh HOST sh -s', 1.3);
}

async function abortRow(inside) {
  const ours = [];
  for (let turn = 0; turn < turns; turn++)
    ours.push((await inside('bench-scan.ts', { network: '10.78.0.0/20', abort: true })).milliseconds);
  return limited('abort of a scan', ' ms', median(ours), 1000, spread(ours, 0));
}

async function memoryRow(inside) {
  // Loopback addresses, each of which answers.
  const { hosts, peakMegabytes } = await inside('bench-scan.ts', {
    network: '127.1.0.0/22',
    ports: [22, 80],
  });
  return limited(`memory of the agent at ${hosts} hosts found`, ' MB', peakMegabytes, 150);
}

function compared(name, unit, { ours, peer }, peerName, aim) {
  const ratios = ours.map((one, index) => one / peer[index]);
  const ratio = median(ratios);
  return {
    ...{ name, unit, ours: median(ours), peer: median(peer), peerName, ratio },
    ...{ aim: `<= ${aim}`, met: ratio <= aim, spread: spread(ratios, 2) },
  };
}

function limited(name, unit, ours, limit, between) {
  const ratio = ours / limit;
  return {
    name,
    unit,
    ours,
    peer: limit,
    peerName: 'limit',
    ratio,
    aim: '<= 1',
    met: ratio <= 1,
    spread: between,
  };
}
