// Runs inside a namespace of the lab: reads one host by ssh as the agent does, and as `ssh HOST sh -s` does with the same
// script, in turn; prints the milliseconds of both as JSON.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { requireLab } from '@yagura/fixtures/lab/namespaces';
import { sshScript } from '../../src/collect/ssh/ssh-script.ts';
import { runSshScript } from '../../src/collect/ssh/ssh-session.ts';

requireLab();
const { address, username, keyFile, turns } = JSON.parse(process.argv[2]!) as {
  address: string;
  username: string;
  keyFile: string;
  turns: number;
};
const privateKey = readFileSync(keyFile, 'utf8');
const options = [
  'StrictHostKeyChecking=no',
  'UserKnownHostsFile=/dev/null',
  'BatchMode=yes',
  'LogLevel=ERROR',
];
const args = ['-i', keyFile, ...options.flatMap((one) => ['-o', one]), `${username}@${address}`, 'sh -s'];
const ours: number[] = [];
const peer: number[] = [];
// The first turn warms both up.
for (let turn = 0; turn <= turns; turn++) {
  let begun = performance.now();
  const read = await runSshScript(
    { address, port: 22, isLegacy: false, username, privateKey },
    new AbortController().signal,
  );
  if (!('value' in read)) throw new Error(`the host could not be read: ${read.code}`);
  if (turn > 0) ours.push(performance.now() - begun);
  begun = performance.now();
  const { status, stderr } = spawnSync('ssh', args, { input: sshScript('marker'), encoding: 'utf8' });
  if (status !== 0) throw new Error(`ssh: ${stderr}`);
  if (turn > 0) peer.push(performance.now() - begun);
}
process.stdout.write(JSON.stringify({ ours, peer }));
