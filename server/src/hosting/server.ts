// Composition root: starts and stops the shared services and one HTTP app per space.
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { Problem } from '@yagura/core/http/problem';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import type { FastifyInstance } from 'fastify';
import { hasWaitingMessages, intakeFolder } from '../alerthub/intake/waiting-messages.ts';
import type { Refusal } from '../alerthub/slots/refusal.ts';
import { RefusalStore } from '../alerthub/slots/refusal-store.ts';
import { createAnchorStore } from '../audit/anchor-store.ts';
import { type Clock, isoTime, systemClock } from '../common/clock.ts';
import { createIdSource } from '../common/id.ts';
import type { Log } from '../common/log.ts';
import { installationSecret, recordInstallationSecret } from '../common/secrets/installation-secret.ts';
import type { Config } from '../config/config.ts';
import { connectForServer } from '../db/connect-database.ts';
import type { Database } from '../db/database.ts';
import { migrations } from '../db/migrations/all.ts';
import type { WebhookTimeouts } from '../delivery/webhook-sender.ts';
import { replyHeaders } from '../http/app.ts';
import { continueWhenRead } from '../http/body/continue-when-read.ts';
import { Health, minFreeBytes } from '../http/health.ts';
import { rejectUpgrade } from '../http/socket-routes.ts';
import { type ConsoleSource, loadConsoleBuild } from '../http/web-console/serve-console.ts';
import { acceptWebSocketUpgrades } from '../http/websocket-upgrades.ts';
import { loadProvider } from '../identity/provider/load-provider.ts';
import { createInProcessReceiver, createThreadReceiver } from '../receiver/create-receiver.ts';
import { refuseSeveralHosts } from '../receiver/refuse-several-hosts.ts';
import { HostRouter, misdirectedProblem, sendMisdirected } from '../space/host-router.ts';
import { type HostedSpace, SpaceDirectory } from '../space/space-directory.ts';
import { createSpaceEraser, type SpaceErasure } from '../space/space-erasure.ts';
import { ClockDifference } from './clock-difference.ts';
import { registerQueueMetrics } from './metrics/queue-metrics.ts';
import { createMetricsHandler } from './metrics/serve-metrics.ts';
import { ServerMetrics } from './metrics/server-metrics.ts';
import { sealExistingData } from './seal-existing-data.ts';
import type { Services } from './services.ts';
import { createSharedServices } from './shared-services.ts';
import { createSpaceServer, type SpaceServer } from './space-server.ts';
import { SpaceServers } from './space-servers.ts';
import { watchSchema } from './watch-schema.ts';

export interface ServerOptions {
  config: Config;
  version: string;
  log: Log;
  /** Already being opened, for this configuration; opened here when absent. The server closes it. */
  database?: Promise<Database>;
  clock?: Clock;
  /** Random number from 0 to 1 for retry jitter; Math.random when absent. */
  random?: () => number;
  /** Shorter webhook timeouts than the default. */
  webhookTimeouts?: WebhookTimeouts | undefined;
  /**
   * Where messages are received when a journal is used: in a separate thread that also owns the public port,
   * or in the application's process, so that a test can control the clock.
   */
  receiver?: 'thread' | 'process';
  /** No console is served when absent. */
  consoleSource?: ConsoleSource | undefined;
  /**
   * Called when this start has created the first user, before anything else can fail: a generated password is known
   * nowhere else.
   */
  onFirstSignIn?: ((first: FirstSignIn) => void) | undefined;
}

export interface FirstSignIn {
  email: string;
  /** Undefined when it is the configured one. */
  password: string | undefined;
}

export interface Server {
  /** Services of the space at the server's own address, as are `app` and `spaceEnd`. */
  services: Services;
  app: FastifyInstance;
  spaceErasure: SpaceErasure;
  origin: string;
  /** All spaces currently open. */
  spaces(): SpaceServer[];
  /** SMTP port, when mail is received. */
  mailPort: number | undefined;
  /** Rejects when nothing can be received anymore; the process must exit then. */
  failed: Promise<never>;
  /**
   * Resolves with a user-readable message when another process has taken over the data folder; nothing works
   * anymore.
   */
  lost: Promise<string>;
  /**
   * Resolves with a user-readable message when a newer version has migrated the database; the server should be closed
   * then.
   */
  outdated: Promise<string>;
  close(): Promise<void>;
}

export async function startServer(options: ServerOptions): Promise<Server> {
  const { config, log } = options;
  const clock = options.clock ?? systemClock;
  const opening = options.database ?? connectForServer(config, log);
  const loading = loadModules(options);
  // Awaited below; a database that cannot be opened is reported first.
  loading.catch(() => {});
  const database = await opening;
  const closing: (() => Promise<unknown> | unknown)[] = [() => database.close()];
  const close = async () => {
    for (const work of closing.splice(0).reverse()) await work();
  };
  try {
    await loading;
    return await assemble(options, clock, database, closing, close);
  } catch (error) {
    await close();
    throw error;
  }
}

/** Loads, while the storage engine starts, what every space needs afterwards. */
async function loadModules({ consoleSource }: ServerOptions): Promise<void> {
  await loadProvider();
  if (typeof consoleSource === 'string') await loadConsoleBuild(consoleSource);
}

async function assemble(
  {
    config,
    version,
    log,
    consoleSource,
    random = Math.random,
    webhookTimeouts,
    receiver = 'process',
    onFirstSignIn = () => undefined,
  }: ServerOptions,
  clock: Clock,
  database: Database,
  closing: (() => Promise<unknown> | unknown)[],
  close: () => Promise<void>,
): Promise<Server> {
  const spaceId = await ensureSpace(database, clock, config.spaceName);
  const secret = await installationSecret(config, database);
  await recordInstallationSecret(database, secret);
  await sealExistingData(database, clock, secret);
  const port = config.port || (await freePort(config.host));
  const publicUrl = config.publicUrl ?? `http://localhost:${port}`;
  const mailDomain = config.mailIn.domain ?? mailDomainOf(publicUrl);

  const spaceDirectory = new SpaceDirectory({ database, clock, log, publicUrl });
  const originOf = (id: string) => spaceDirectory.originOf(id);
  const common = { config, version, log, clock, random, database, secret, originOf };
  const headers = replyHeaders(publicUrl.startsWith('https:'));
  const hostRouter = new HostRouter<SpaceServer>(publicUrl, config.trustedProxies);
  const journal = intakeJournalOptions(config, database.kind);
  if (!journal) await refuseWaitingMessages(config, database);
  const refusals = new RefusalStore({ database, clock, log });
  const receivingDeps = {
    config,
    log,
    publicUrl,
    headers,
    onRefused: (list: Refusal[]) => void refusals.add(list),
  };
  const receiving =
    receiver === 'thread' && journal
      ? createThreadReceiver(receivingDeps, journal)
      : createInProcessReceiver(receivingDeps, {
          clock,
          sink: () => sharedServices.shared.intake,
          spaceOf: (request) => hostRouter.route(request)?.hosted,
          // A replica may receive requests for a slot that another one has just created.
          beyond: database.kind === 'postgresql' ? () => sharedServices.directory : undefined,
        });
  closing.push(() => receiving.close());
  let onJournalEnded: (message: string) => void = () => undefined;
  const journalEnded = new Promise<string>((resolve) => {
    onJournalEnded = resolve;
  });
  const { journalWriter, updateSlots } = receiving;
  const metrics = new ServerMetrics(version);
  const sharedServices = createSharedServices({
    ...common,
    metrics,
    webhookTimeouts,
    journal,
    journalWriter,
    onJournalEnded,
    listSlots: updateSlots,
  });
  closing.push(() => sharedServices.close());
  const latestMigration = migrations.at(-1)!.number;
  const schema = watchSchema({ database, clock, latestMigration });
  closing.push(schema.stop);
  const onMeasured = (seconds: number | null) => metrics.setClockDifference(seconds);
  const clockDifference = new ClockDifference({ database, clock, log, onMeasured });
  clockDifference.start();
  closing.push(() => clockDifference.close());
  const health = new Health({
    database,
    clock,
    log,
    disk: journal ? { folder: resolve(config.dataFolder), minFreeBytes } : undefined,
    latestMigration,
    headers,
    notReceivingReason: () => sharedServices.shared.intake.unavailableReason(),
  });
  const handleMetrics = createMetricsHandler({
    registry: metrics.registry,
    refresh: registerQueueMetrics(metrics.registry, {
      ...{ database, clock },
      intake: sharedServices.shared.intake,
    }),
    token: config.metricsToken,
    headers,
  });
  const translators = { en: await loadTranslator('en'), ja: await loadTranslator('ja') };
  const anchors = createAnchorStore(config.dataFolder, log);
  const spaceServerDeps = {
    config,
    version,
    sharedServices,
    secret,
    mailDomain,
    anchors,
    translators,
    consoleSource,
    metrics,
  };
  const spaceEraser = createSpaceEraser({ database, clock, log });
  const onErasureBegun = () => {
    sharedServices.directory.reload();
    void spaceDirectory.refresh();
    return spaceEraser.runNow();
  };
  const spaceServers = new SpaceServers({
    log,
    open: (hosted: HostedSpace) => createSpaceServer(hosted, { ...spaceServerDeps, onErasureBegun }),
    serve(list) {
      hostRouter.setSpaces(list);
      receiving.serve(list.map(({ hosted }) => hosted));
    },
  });
  closing.push(() => spaceServers.close());
  const ownSpace = await createSpaceServer(
    { spaceId, host: null, origin: publicUrl },
    {
      ...spaceServerDeps,
      onErasureBegun,
      front(request, response, listener) {
        if (receiving.handle(request, response) || health.handle(request, response)) return;
        if (handleMetrics(request, response)) return;
        const space = hostRouter.route(request);
        if (!space) sendMisdirected(response, headers);
        else if (space === ownSpace) listener(request, response);
        else space.app.routing(request, response);
      },
    },
  );
  spaceServers.add(ownSpace);
  refuseSeveralHosts(ownSpace.app.server, headers);
  ownSpace.app.server.on('checkContinue', (request, response) => {
    if (receiving.handle(request, response, true)) return;
    continueWhenRead(request, response);
    ownSpace.app.server.emit('request', request, response);
  });
  acceptWebSocketUpgrades(ownSpace.app.server, (request, socket, head) => {
    receiving.handle(request, undefined);
    const space = hostRouter.route(request);
    socket.on('error', () => socket.destroy());
    if (space) void space.sockets.handle(request, socket, head);
    else rejectUpgrade(socket, misdirectedProblem(), headers);
  });

  const { identity } = ownSpace.services;
  const initialAdmin = await identity
    .ensureInitialAdmin({ email: config.adminEmail, password: config.adminPassword })
    .catch(nameSetting);
  if (initialAdmin.created) onFirstSignIn({ email: initialAdmin.email, password: initialAdmin.password });
  if (config.bootstrapToken) await identity.ensureBootstrapToken(config.bootstrapToken);
  await sharedServices.listen();
  await ownSpace.start();
  closing.push(() => spaceDirectory.close());
  await spaceDirectory.start((list) => {
    // Erased by another server; the app of this space stays, since it has the port.
    if (list.every((space) => space.spaceId !== spaceId)) void ownSpace.spaceErasure.check();
    return spaceServers.syncWith(list);
  });
  await sharedServices.start();
  spaceEraser.start();
  void spaceEraser.runNow();
  closing.push(() => spaceEraser.close());
  closing.push(() => receiving.stopListening());
  await receiving.listen(ownSpace.app, { host: config.host, port });
  let mailPort: number | undefined;
  if (config.mailIn.port !== undefined) {
    const options = { ...config.mailIn, port: config.mailIn.port, name: mailDomain };
    mailPort = await receiving.listenForMails(options);
  }
  return {
    services: ownSpace.services,
    app: ownSpace.app,
    spaceErasure: ownSpace.spaceErasure,
    origin: publicUrl,
    spaces: () => spaceServers.all(),
    mailPort,
    lost: database.lost ? Promise.race([database.lost, journalEnded]) : journalEnded,
    outdated: schema.outdated,
    failed: receiving.failed,
    close,
  };
}

/** Names the setting of the initial administrator that was refused. */
function nameSetting(error: unknown): never {
  if (!(error instanceof Problem) || error.invalidParams.length === 0) throw error;
  const reasons = error.invalidParams.map(
    ({ name, reason }) => `YAGURA_ADMIN_${name.toUpperCase()}: ${reason}`,
  );
  throw new Error(reasons.join('; '));
}

/** A server without journal would leave messages behind that an earlier one acknowledged. */
async function refuseWaitingMessages({ dataFolder }: Config, database: Database): Promise<void> {
  const folder = intakeFolder(dataFolder);
  if (!(await hasWaitingMessages(database, folder, { unknown: false }))) return;
  throw new Error(
    `Acknowledged messages wait in the intake journal ${folder}. Start the server with YAGURA_INTAKE_JOURNAL=on, wait until it has stored them, stop it, and start it without.`,
  );
}

/** Folder and limits of the intake journal; undefined when none is used. */
function intakeJournalOptions(config: Config, kind: Database['kind']) {
  const { journal, maxWaitingBytes, reserveBytes } = config.intake;
  // With several replicas, acknowledged messages must be stored where every replica finds them.
  if (kind === 'postgresql' && !journal) return undefined;
  return {
    folder: intakeFolder(config.dataFolder),
    limits: { waiting: maxWaitingBytes, reserve: reserveBytes },
  };
}

/** Returns the space at the server's own address, created at the first start. */
async function ensureSpace(database: Database, clock: Clock, name: string): Promise<string> {
  return database.transaction(async (tx) => {
    await tx.query('lock table space in share row exclusive mode');
    const { rows } = await tx.query<{ space_id: string }>(
      'select space_id from space where host is null and erasing_since is null',
    );
    if (rows[0]) return rows[0].space_id;
    const spaceId = createIdSource(clock)();
    await tx.query(
      'insert into space (space_id, display_name, created_at, updated_at) values ($1, $2, $3, $3)',
      [spaceId, name, isoTime(clock.now())],
    );
    return spaceId;
  });
}

/** The host of a URL in the form used in mail addresses. */
function mailDomainOf(url: string): string {
  const { hostname } = new URL(url);
  if (hostname.startsWith('[')) return `[IPv6:${hostname.slice(1)}`;
  return /^[\d.]+$/.test(hostname) ? `[${hostname}]` : hostname;
}

function freePort(host: string): Promise<number> {
  return new Promise((resolvePort, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, host, () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolvePort(port));
    });
  });
}
