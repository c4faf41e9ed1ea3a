// Runs inside a namespace of the lab: has the built agent scan once, or abort a scan, and prints what it took as JSON.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { requireLab } from '@yagura/fixtures/lab/namespaces';
import { testToken } from '../agent-under-test.ts';
import { startTestHub } from '../test-hub.ts';
import { writeAgentFiles } from '../write-agent-files.ts';

requireLab();
const { network, ports, abort } = JSON.parse(process.argv[2]!) as {
  network: string;
  ports?: number[];
  abort?: boolean;
};
const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const hub = await startTestHub();
const scan = [`allowed = ["${network}"]`, 'resolveNames = false', 'packetsPerSecond = 5000'];
if (ports) scan.push(`ports = ${JSON.stringify(ports)}`);
const files = writeAgentFiles(`url = "${hub.origin}"\n[scan]\n${scan.join('\n')}\n`, testToken);
const agent = spawn(process.execPath, [program, 'run', '--settings', files.settings], { stdio: 'ignore' });
await hub.next('hello');
const snapshotId = randomUUID();
let begun = performance.now();
hub.send({ type: 'scan', snapshotId, settings: { seeds: [network], allowed: [], forbidden: [] } });
if (abort) {
  // In the middle of the search.
  while ((await hub.next('progress')).probed === 0);
  begun = performance.now();
  hub.send({ type: 'abort', snapshotId });
  await hub.next('aborted');
} else await hub.next('done');
const milliseconds = performance.now() - begun;
const [, peak] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${agent.pid}/status`, 'utf8'))!;
const hosts = hub.messages.reduce((sum, one) => sum + (one.type === 'hosts' ? one.hosts.length : 0), 0);
agent.kill();
await once(agent, 'close');
await hub.close();
files.remove();
process.stdout.write(JSON.stringify({ milliseconds, hosts, peakMegabytes: Number(peak) / 1024 }));
