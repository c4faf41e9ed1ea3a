// A walk of 1,000 rows from the real snmpd, by the agent's session and by snmpbulkwalk, in turn.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tsImport } from 'tsx/esm/api';
import { median, spread } from './support/statistics.mjs';

const turns = 15;
const rows = 1000;
const entry = '1.3.6.1.2.1.17.4.3.1';
const columns = [2, 3];
const most = 2;

export async function benchSnmp({ say }) {
  if (!existsSync('/usr/sbin/snmpd') || spawnSync('snmpbulkwalk', ['-V']).status !== 0)
    return [{ name: 'snmp', skipped: 'snmpd or snmpbulkwalk is not installed' }];
  say(`snmp: ${turns} walks of ${rows} rows with ${columns.length} columns, in turn with snmpbulkwalk`);
  const { startSnmpd } = await tsImport('../../agent/test/snmp/snmpd.ts', import.meta.url);
  const snmpd = await startSnmpd(['rocommunity public 127.0.0.1', ...overrides()]);
  const ours = [];
  const peer = [];
  try {
    await walk(snmpd.port);
    bulkWalk(snmpd.port);
    for (let turn = 0; turn < turns; turn++) {
      ours.push(await walk(snmpd.port));
      peer.push(bulkWalk(snmpd.port));
    }
  } finally {
    await snmpd.close();
  }
  const ratio = median(ours) / median(peer);
  return [
    {
      name: `SNMP walk of ${rows} rows`,
      unit: ' ms',
      ours: median(ours),
      peer: median(peer),
      peerName: 'snmpbulkwalk',
      ratio,
      aim: `<= ${most}`,
      met: ratio <= most,
      spread: spread(
        ours.map((one, index) => one / peer[index]),
        2,
      ),
    },
  ];
}

/** Lines of snmpd.conf for a forwarding table. */
function overrides() {
  return Array.from({ length: rows }, (_, at) =>
    columns.map(
      (column) => `override ${entry}.${column}.0.26.0.0.${at >> 8}.${at & 255} integer ${column + 1}`,
    ),
  ).flat();
}

/** Milliseconds of a new session and the whole table. */
async function walk(port) {
  const [{ SnmpSession }, { defaultLimits, SnmpUsage }] = await Promise.all(
    ['snmp-session', 'snmp-limits'].map((name) =>
      tsImport(`../../agent/src/collect/snmp/${name}.ts`, import.meta.url),
    ),
  );
  const now = () => performance.now();
  const begun = now();
  const session = new SnmpSession(
    { address: '127.0.0.1', port, account: { community: 'public' } },
    {
      admit: async () => undefined,
      usage: new SnmpUsage(defaultLimits, now),
      signal: new AbortController().signal,
    },
  );
  try {
    const table = await session.table({ entry, columns });
    if (table.size !== rows) throw new Error(`the session read ${table.size} rows`);
    return now() - begun;
  } finally {
    session.close();
  }
}

/** Milliseconds of the whole process. */
function bulkWalk(port) {
  const begun = performance.now();
  const { status, stdout } = spawnSync(
    'snmpbulkwalk',
    ['-v2c', '-c', 'public', '-On', `127.0.0.1:${port}`, entry],
    { env: { ...process.env, MIBS: '' }, encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 },
  );
  const taken = performance.now() - begun;
  const lines = stdout.trim().split('\n').length;
  if (status !== 0 || lines !== rows * columns.length) throw new Error(`snmpbulkwalk read ${lines} lines`);
  return taken;
}
