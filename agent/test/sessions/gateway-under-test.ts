// A gateway in the process of the test, with a stub of the server.
import { randomUUID } from 'node:crypto';
import type { GatewayOrder } from '@yagura/core/greac/stream/gateway-protocol';
import { encryptCredential } from '@yagura/core/kroker/encrypt-credential';
import { type KrokerFile, krokerFile } from '@yagura/core/kroker/machine-setup';
import type { CredentialSecret } from '@yagura/core/kroker/open-credential';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { onTestFinished } from 'vitest';
import { runAgent } from '../../src/agent.ts';
import type { LogLine } from '../../src/log.ts';
import type { GatewayLimits } from '../../src/session/gateway.ts';
import { settingsSchema } from '../../src/settings/settings.ts';
import { makeStateFolder } from '../agent-under-test.ts';
import { startTestGatewayServer, type TestGatewayServer } from './test-gateway-server.ts';
import { TestViewer } from './test-viewer.ts';

type OpenOrder = Extract<GatewayOrder, { type: 'open' }>;

export interface GatewayUnderTest {
  server: TestGatewayServer;
  kroker: KrokerFile;
  stateFolder: string;
  lines: LogLine[];
  /** Private half of the log key. */
  logIdentity: string;
  recording(strict?: boolean): Promise<NonNullable<OpenOrder['recording']>>;
  credential(secret: CredentialSecret & { hosts?: object }): Promise<string>;
  /** Orders a session and returns its id. */
  open(order: Pick<OpenOrder, 'port'> & Partial<OpenOrder>): string;
  attach(sessionId: string, options?: Parameters<typeof TestViewer.attach>[3]): Promise<TestViewer>;
  start(): void;
  stop(): Promise<void>;
}

/** The last one is called first. */
export function afterTest(cleanup: () => unknown): void {
  onTestFinished(async () => {
    await cleanup();
  });
}

export async function makeKroker(url: string): Promise<KrokerFile> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits']);
  const { kty, crv, x, y, d } = await crypto.subtle.exportKey('jwk', pair.privateKey);
  const privateKey = krokerFile.shape.privateKey.parse({ kty, crv, x, y, d });
  return { url, krokerId: randomUUID(), token: `ykr_${'k'.repeat(43)}`, privateKey };
}

/** Sessions of this gateway go to loopback addresses only. */
export async function startGatewayUnderTest({
  sessions = {} as object,
  limits = {} as Partial<GatewayLimits>,
  prepare = (_gateway: GatewayUnderTest): void => undefined,
  server: options = {} as Parameters<typeof startTestGatewayServer>[0],
} = {}): Promise<GatewayUnderTest> {
  const server = await startTestGatewayServer(options);
  const state = makeStateFolder();
  const kroker = await makeKroker(server.origin);
  const logIdentity = await generateIdentity();
  const settings = settingsSchema.parse({
    url: server.origin,
    gateway: { keyFile: '/unused' },
    stateFolder: state.path,
    sessions: { allowed: ['127.0.0.0/8'], ports: [], ...sessions },
  });
  const lines: LogLine[] = [];
  let controller = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const gateway: GatewayUnderTest = {
    ...{ server, kroker, lines, logIdentity, stateFolder: state.path },
    recording: async (strict = false) => ({
      keyId: randomUUID(),
      publicKey: await identityToRecipient(logIdentity),
      strict,
    }),
    credential: (secret) =>
      encryptCredential(secret, { krokerId: kroker.krokerId, publicKey: kroker.privateKey }),
    open(order) {
      const sessionId = randomUUID();
      server.send({
        ...{ type: 'open', sessionId, protocol: 'ssh', host: '127.0.0.1', parameters: {} },
        ...{ credential: null, hostKey: { policy: 'accept', pins: [] }, recording: null, fileTransfer: null },
        ...order,
      });
      return sessionId;
    },
    attach: (sessionId, attachOptions) => TestViewer.attach(server, kroker, sessionId, attachOptions),
    start() {
      controller = new AbortController();
      running = runAgent(
        {
          ...{ settings, credentials: [], log: (line) => void lines.push(line) },
          readKey: async () => kroker,
          sessionLimits: limits,
        },
        controller.signal,
      );
    },
    async stop() {
      controller.abort(new Error('stop'));
      await running;
    },
  };
  afterTest(async () => {
    await gateway.stop();
    await server.close();
    state.remove();
  });
  prepare(gateway);
  gateway.start();
  await server.next('hello');
  return gateway;
}
