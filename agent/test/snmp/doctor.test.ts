// `doctor` says what each credential file opened in the scans before.
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startAgentUnderTest } from '../agent-under-test.ts';
import { runAgent } from '../run-agent.ts';
import { startTestHub } from '../test-hub.ts';
import { writeAgentFiles } from '../write-agent-files.ts';
import { startSnmpDevice } from './snmp-device.ts';
import { switchVariables } from './switch-variables.ts';
import { testSnmpCredential } from './test-snmp-credential.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

test('doctor shows what each credential file opened, and none of their secrets', async () => {
  const device = await startSnmpDevice({
    views: { 'right-community': switchVariables({ name: 'sw', mac: '00:1a:00:00:0a:00', ports: ['p1'] }) },
  });
  cleanups.push(() => device.close());
  const files = writeAgentFiles(
    'url = "http://127.0.0.1:1"\ncredentials = "credentials"',
    `kst_${'t'.repeat(43)}`,
  );
  cleanups.push(() => files.remove());
  const stateFolder = join(files.folder, 'state');
  for (const folder of ['credentials', 'credentials/snmp', 'state'])
    mkdirSync(join(files.folder, folder), { mode: 0o700 });
  const communities = {
    'a.toml': 'wrong-community',
    'b.toml': 'right-community',
    'c.toml': 'spare-community',
  };
  for (const [name, community] of Object.entries(communities))
    writeFileSync(
      join(files.folder, 'credentials/snmp', name),
      `includes = ["127.0.0.0/8"]\nport = ${device.port}\n[authData]\ncommunity = "${community}"\n`,
      { mode: 0o600 },
    );

  const hub = await startTestHub();
  cleanups.push(() => hub.close());
  const agent = startAgentUnderTest(hub.origin, {
    ...{ allowed: ['127.0.0.1'], scan: { ports: [9] }, stateFolder },
    credentials: Object.entries(communities).map(([name, community]) =>
      testSnmpCredential(`snmp/${name}`, device.port, community),
    ),
  });
  await hub.next('hello');
  const settings = { seeds: ['127.0.0.1'], allowed: [], forbidden: [] };
  hub.send({ type: 'scan', snapshotId: randomUUID(), settings });
  await hub.next('done');
  await agent.stop();

  const { stdout, stderr } = await runAgent(['doctor', '--json', '--settings', files.settings]);
  const found = (JSON.parse(stdout) as { check: string; state: string; found: string }[])
    .filter(({ check }) => check === 'credential')
    .map((one) => `${one.state} ${one.found.replace(/\d{4}-\S+Z/, 'TIME')}`);
  expect(found).toEqual([
    'attention snmp/a.toml\tfailed on 1 host, the last 127.0.0.1 at TIME: SNMP_SILENT',
    'good snmp/b.toml\tsigned in to 1 host, the last 127.0.0.1 at TIME',
    'good snmp/c.toml\tnot used yet',
  ]);
  for (const community of Object.values(communities)) expect(stdout + stderr).not.toContain(community);
});
