// Runs inside a namespace of the lab: a test hub, an agent, and one scan; prints the agent's messages as JSON.
import { randomUUID } from 'node:crypto';
import { requireLab } from '@yagura/fixtures/lab/namespaces';
import { startAgentUnderTest } from '../agent-under-test.ts';
import { startTestHub } from '../test-hub.ts';

requireLab();
const options = JSON.parse(process.argv[2]!) as Parameters<typeof startAgentUnderTest>[1] & {
  seeds: string[];
};
const hub = await startTestHub();
const agent = startAgentUnderTest(hub.origin, { ...options, inLab: true });
await hub.next('hello');
hub.send({
  type: 'scan',
  snapshotId: randomUUID(),
  settings: { seeds: options.seeds, allowed: [], forbidden: [] },
});
await hub.next('done');
await agent.stop();
await hub.close();
process.stdout.write(JSON.stringify(hub.messages.filter(({ type }) => type === 'hosts')));
