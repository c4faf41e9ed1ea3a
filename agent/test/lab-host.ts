// Runs inside a namespace of the lab: an ssh server; prints its host key when it listens.
import { requireLab } from '@yagura/fixtures/lab/namespaces';
import { startSshHost } from './ssh-host.ts';

requireLab();
const { hostKey } = await startSshHost({ address: '0.0.0.0', port: 22 });
process.stdout.write(`${hostKey}\n`);
