// The real agent as the gateway of a product under test, for destinations on loopback ports.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Protocol } from '@yagura/core/greac/session-parameters';
import { send, type Transport } from '@yagura/core/http/transport';
import { encryptCredential } from '@yagura/core/kroker/encrypt-credential';
import type { CredentialSecret } from '@yagura/core/kroker/open-credential';
import { setUpKroker } from '@yagura/fixtures/testbed/kroker-machine';
import { exportJWK } from 'jose';
import { startAgent } from '../../../agent/test/run-agent.ts';
import type { Product } from '../product-fixture.ts';

type Item = Record<string, unknown>;

export class RealGateway {
  readonly krokerId: string;
  log = '';
  private readonly transport: Transport;
  private readonly seal: (secret: CredentialSecret) => Promise<string>;
  private readonly folder: string;
  private readonly child: ChildProcess;

  private constructor(
    fields: Pick<RealGateway, 'krokerId'> & {
      transport: Transport;
      seal: RealGateway['seal'];
      folder: string;
      child: ChildProcess;
    },
  ) {
    this.krokerId = fields.krokerId;
    this.transport = fields.transport;
    this.seal = fields.seal;
    this.folder = fields.folder;
    this.child = fields.child;
    this.child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.log += text;
    });
  }

  static async start({ origin, token }: Product, ports: readonly number[]): Promise<RealGateway> {
    const transport: Transport = {
      ...{ fetch, origin },
      headers: () => ({ 'x-authorization': `Token ${token}` }),
    };
    const displayName = `desktops ${crypto.randomUUID().slice(0, 8)}`;
    const { krokerId, publicKey, ...machine } = await setUpKroker(transport, { displayName });
    const folder = await mkdtemp(join(tmpdir(), 'yagura-gateway-'));
    const { kty, crv, x, y, d } = await exportJWK(machine.privateKey);
    const key = { url: origin, krokerId, token: machine.token, privateKey: { kty, crv, x, y, d } };
    await writeFile(join(folder, 'kroker.json'), JSON.stringify(key), { mode: 0o600 });
    const settings = join(folder, 'agent.toml');
    const lines = [
      `url = "${origin}"`,
      `stateFolder = "${join(folder, 'state')}"`,
      '[gateway]',
      `keyFile = "${join(folder, 'kroker.json')}"`,
      '[sessions]',
      'allowed = ["127.0.0.1"]',
      `ports = [${ports.join()}]`,
    ];
    await writeFile(settings, lines.join('\n'), { mode: 0o600 });
    const child = startAgent(['run', '--settings', settings]);
    const seal = (secret: CredentialSecret) => encryptCredential(secret, { krokerId, publicKey });
    return new RealGateway({ krokerId, transport, seal, folder, child });
  }

  /** Opens a session at a desktop and returns its id. */
  openDesktop(port: number, account: { username: string; password: string }, fields: Item = {}) {
    return this.open('rdp', port, { credentialType: 'password', ...account }, fields);
  }

  /** Opens a session at a destination with that credential and returns its id. */
  async open(protocol: Protocol, port: number, secret: CredentialSecret, fields: Item = {}) {
    const displayName = `${protocol} ${port}`;
    const credential = await this.post(`/api/apps/kroker/krokers/${this.krokerId}/credentials`, {
      displayName: `${displayName} ${crypto.randomUUID().slice(0, 8)}`,
      credentialType: secret.credentialType,
      encryptedData: await this.seal(secret),
    });
    const { destinationId } = await this.post('/api/apps/greac/destinations', {
      ...{ displayName, protocol, host: '127.0.0.1', port },
      ...{ krokerId: this.krokerId, credentialId: credential.credentialId },
      ...fields,
    });
    const { sessionId } = await this.post('/api/apps/greac/sessions', { destinationId, remarks: '' });
    return String(sessionId);
  }

  async post(path: string, body: Item): Promise<Item> {
    return (await send<Item>(this.transport, { method: 'POST', path, body })).data;
  }

  async get(path: string): Promise<Item> {
    return (await send<Item>(this.transport, { method: 'GET', path })).data;
  }

  async close(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const exited = once(this.child, 'exit');
      this.child.kill('SIGTERM');
      await exited;
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}
