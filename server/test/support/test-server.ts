// Runs the complete server in this process, with real HTTP and a real database, and users of any role.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RoleName } from '@yagura/core/access/role-map';
import type { Transport } from '@yagura/core/http/transport';
import type { Clock } from '../../src/common/clock.ts';
import type { LogLine } from '../../src/common/log.ts';
import { type Config, readConfig } from '../../src/config/config.ts';
import { migrations } from '../../src/db/migrations/all.ts';
import type { WebhookTimeouts } from '../../src/delivery/webhook-sender.ts';
import { type Server, startServer } from '../../src/hosting/server.ts';
import type { Services } from '../../src/hosting/services.ts';
import type { SpaceServer } from '../../src/hosting/space-server.ts';
import type { SpaceErasure } from '../../src/space/space-erasure.ts';
import { createStartedFolder } from './data-folder.ts';
import { type IdentityServer, password, signIn } from './identity-server.ts';
import { startPostgresql } from './test-postgresql.ts';
import { featureStore, type StoreKind } from './test-store.ts';

export { featureStores, storeKinds } from './test-store.ts';

/** A caller: a user with exactly these roles, the first user, or nobody. */
export type CallerKind = readonly RoleName[] | 'privileged' | 'guest';

export interface TestServer {
  origin: string;
  services: Services;
  spaceErasure: SpaceErasure;
  /** All open spaces of the server. */
  spaces(): SpaceServer[];
  /** SMTP port for incoming mail, when enabled. */
  mailPort: number | undefined;
  /** Every line logged by the server. */
  logLines: LogLine[];
  /** Calls with an API token that has all permissions of its owner. */
  transportAs(who: CallerKind): Transport;
  /** Calls with the access token of a signed-in user; internal calls accept nothing else. */
  signedIn(who: Exclude<CallerKind, 'guest'>): Promise<Transport & { userId: string; accessToken: string }>;
  /** Resolves when no evaluation is pending and no delivery is due. */
  settled(): Promise<void>;
  /**
   * Stops the server and starts another one on the same data and port, optionally with changed configuration.
   */
  restart(change?: Partial<Config>, meanwhile?: () => Promise<void>): Promise<void>;
  /** Starts another server on the same database with its own port; it stops together with this one. */
  startReplica(): Promise<Server>;
  stop(): Promise<void>;
}

export interface TestServerOptions {
  /** By default the one that tests of features run on. */
  engine?: StoreKind;
  clock?: Clock;
  /** Configuration as environment variables. */
  env?: Record<string, string>;
  /** Runs on the empty location, given as environment variables, before the server starts. */
  prepare?: (location: { env: Record<string, string> }) => Promise<void>;
  /** Jitter of retries; defaults to half of the maximum delay. */
  random?: () => number;
  webhookTimeouts?: WebhookTimeouts;
  /** Where messages are received; a thread uses the system clock. */
  receiver?: 'thread' | 'process';
}

/** Starts the server; null, with a printed reason, when PostgreSQL is not available. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer | null> {
  const location = await prepareStore(options.engine ?? featureStore);
  if (!location) return null;
  const bootstrapToken = `bootstrap-${randomBytes(24).toString('hex')}`;
  const logLines: LogLine[] = [];
  const config = readConfig(['--port', '0'], {
    ...location.env,
    YAGURA_BOOTSTRAP_TOKEN: bootstrapToken,
    YAGURA_ADMIN_PASSWORD: password,
    YAGURA_PIGEON_LINE: 'simulator',
    YAGURA_DEVELOPER_MODE: 'on',
    ...options.env,
  });
  const start = (own = config) =>
    startServer({
      config: own,
      version: '0.0.0-test',
      log: (line) => logLines.push(line),
      random: options.random ?? (() => 0.5),
      webhookTimeouts: options.webhookTimeouts,
      receiver: options.receiver ?? 'process',
      ...(options.clock ? { clock: options.clock } : {}),
    });
  const others: Server[] = [];
  let server: Server;
  try {
    await options.prepare?.(location);
    server = await start();
  } catch (error) {
    await location.remove();
    throw error;
  }
  config.port = Number(new URL(server.origin).port);
  const testUsers = createTestUsers(() => server.services, bootstrapToken, config.adminEmail);
  const transport = (headers: () => Promise<Record<string, string>>): Transport => ({
    fetch,
    origin: server.origin,
    headers,
  });
  return {
    origin: server.origin,
    get services() {
      return server.services;
    },
    get spaceErasure() {
      return server.spaceErasure;
    },
    spaces: () => server.spaces(),
    get mailPort() {
      return server.mailPort;
    },
    logLines,
    transportAs: (who) =>
      transport(async (): Promise<Record<string, string>> => {
        if (who === 'guest') return {};
        return { 'x-authorization': `Token ${await testUsers.tokenOf(who)}` };
      }),
    async signedIn(who) {
      const { email, userId } = await testUsers.personOf(who);
      const { tokens } = await signIn({ publicUrl: server.origin } as IdentityServer, email);
      const accessToken = tokens.access_token;
      return {
        ...transport(async () => ({ authorization: `Bearer ${accessToken}` })),
        userId,
        accessToken,
      };
    },
    async settled() {
      await server.services.intake.drained();
      await server.services.pipeline.idle();
      await server.services.deliveries.idle();
      await server.services.ksocket.idle();
      await server.services.scans.idle();
      await server.services.tasks.idle();
      await server.services.ksocket.idle();
      await server.services.scanNotices.idle();
      await server.services.gateways.idle();
      await server.services.sessionStreams.idle();
      await server.services.krokerNotices.idle();
      await server.services.pigeon.idle();
      await server.services.pigeonNotifications.idle();
    },
    async restart(change = {}, meanwhile = async () => {}) {
      await server.close();
      await meanwhile();
      Object.assign(config, change);
      server = await start();
    },
    async startReplica() {
      const joined = await start({ ...config, port: 0, publicUrl: server.origin });
      others.push(joined);
      return joined;
    },
    async stop() {
      for (const other of others) await other.close();
      await server.close();
      await location.remove();
    },
  };
}

interface StoreLocation {
  env: Record<string, string>;
  remove(): Promise<void>;
}

async function prepareStore(engine: StoreKind): Promise<StoreLocation | null> {
  if (engine === 'embedded') {
    const { folder, remove } = await createStartedFolder(migrations);
    return { env: { YAGURA_DATA: folder }, remove: async () => remove() };
  }
  const postgresql = await startPostgresql();
  if (!postgresql) return null;
  // Files outside the database belong to this server only.
  const folder = mkdtempSync(join(tmpdir(), 'yagura-test-server-'));
  return {
    env: {
      DATABASE_URL: await postgresql.createDatabaseWithTables(),
      // Each connection of a new server takes processor time; tests make few requests at once.
      YAGURA_DATABASE_CONNECTIONS: '4',
      YAGURA_DATA: folder,
    },
    async remove() {
      await postgresql.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Creates users and their API tokens on first use. */
function createTestUsers(services: () => Services, bootstrapToken: string, adminEmail: string) {
  const known = new Map<string, Promise<{ email: string; userId: string }>>();
  const tokens = new Map<string, Promise<string>>();
  const keyOf = (who: Exclude<CallerKind, 'guest'>) =>
    who === 'privileged' ? who : [...who].sort().join(' ');

  async function find(who: Exclude<CallerKind, 'guest'>): Promise<{ email: string; userId: string }> {
    const { identity } = services();
    if (who === 'privileged') return (await identity.findUser({ email: adminEmail }))!;
    const name = keyOf(who).replace(/\W+/g, '-') || 'nobody';
    return identity.createUser({
      email: `${name}@example.com`,
      displayName: name.slice(0, 100),
      roles: [...who],
      password,
    });
  }

  function personOf(who: Exclude<CallerKind, 'guest'>): Promise<{ email: string; userId: string }> {
    const key = keyOf(who);
    const found = known.get(key) ?? find(who);
    known.set(key, found);
    return found;
  }

  async function makeToken(who: readonly RoleName[]): Promise<string> {
    const { identity, spaceId } = services();
    const { email, userId } = await personOf(who);
    const { token } = await identity.createApiToken({
      principal: {
        spaceId,
        userId,
        email,
        kind: 'person',
        displayName: email,
        claims: { privileged: false, roles: who },
        narrowed: false,
      },
      displayName: `token of ${userId.slice(-12)}`,
      roles: null,
      expiresAt: null,
    });
    return token;
  }

  return {
    personOf,
    tokenOf(who: Exclude<CallerKind, 'guest'>): Promise<string> {
      if (who === 'privileged') return Promise.resolve(bootstrapToken);
      const key = keyOf(who);
      const found = tokens.get(key) ?? makeToken(who);
      tokens.set(key, found);
      return found;
    },
  };
}
