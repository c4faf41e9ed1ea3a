// Puts the server together and takes it apart: storage, identity, intake, deciding, delivering, HTTP.
import { hkdfSync, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { roleMap } from '@yagura/core/access/role-map';
import { all } from '@yagura/core/all';
import { Problem } from '@yagura/core/http/problem';
import { agentPath } from '@yagura/core/ksocket/messages';
import { loadTranslator } from '@yagura/core/words/dictionary';
import type { FastifyInstance } from 'fastify';
import { recoverJobs } from './alerthub/bulk/jobs.ts';
import { serveBulk } from './alerthub/bulk/serve-bulk.ts';
import { Deliveries } from './alerthub/deliveries.ts';
import { FailureNotices } from './alerthub/failure-notices.ts';
import { Intake } from './alerthub/intake.ts';
import { startMailServer } from './alerthub/mail/mail-server.ts';
import { createOnPremisesSender, onPremisesFeature } from './alerthub/on-premises.ts';
import { Pipeline } from './alerthub/pipeline.ts';
import { serveReceivers } from './alerthub/receive.ts';
import { replayTask, replayTaskName } from './alerthub/replay-task.ts';
import { Retention } from './alerthub/retention.ts';
import { createSender } from './alerthub/sender.ts';
import { SlotDirectory } from './alerthub/slot-directory.ts';
import { SlotRate } from './alerthub/slot-rate.ts';
import { SlotWatch } from './alerthub/slot-watch.ts';
import { createAuditLog } from './audit/audit-log.ts';
import { blockedNotes } from './audit/blocked-note.ts';
import { auditRefusals } from './audit/refusals.ts';
import { behaviours } from './behaviours.ts';
import { type Clock, isoTime, systemClock } from './clock.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import { migrations } from './db/migrations/all.ts';
import { openDatabase } from './db/open-database.ts';
import { createMailer } from './delivery/mail.ts';
import { SessionClock } from './greac/session-clock.ts';
import { createApp } from './http/app.ts';
import { callerAddress } from './http/caller-address.ts';
import { serveChanges } from './http/changes-stream.ts';
import { serveDocs } from './http/docs-page.ts';
import { inProcessFetch } from './http/in-process-fetch.ts';
import { openApiDocument } from './http/openapi.ts';
import { serveClientInfo, serveFixed } from './http/serve-fixed.ts';
import { SocketRoutes } from './http/socket-routes.ts';
import { idSource } from './id.ts';
import { cardPaths } from './identity/card/card-paths.ts';
import { createIdentity, type Identity } from './identity/identity.ts';
import { installationSecret } from './identity/installation-secret.ts';
import { deriveSecret } from './identity/server-secret.ts';
import { TaskScheduler } from './jobs/task-scheduler.ts';
import { Tasks } from './jobs/tasks.ts';
import { serveKrokerSetup } from './kroker/setup-routes.ts';
import { AgentRequests } from './ksocket/agent-requests.ts';
import { type AgentListener, KsocketHub } from './ksocket/hub.ts';
import type { Log } from './log.ts';
import { createMailRoom } from './mail/mail-room.ts';
import { serveCallbacks } from './pigeon/callback.ts';
import { createPigeon } from './pigeon/pigeon.ts';
import { ChangeBus } from './resource/change-bus.ts';
import { serveResource } from './resource/serve.ts';
import type { Services } from './services.ts';
import { ScanNotices } from './sonar/scan-notices.ts';
import { scanTask } from './sonar/scan-task.ts';
import { Scans } from './sonar/scans.ts';
import { guardAddresses } from './space/guard-addresses.ts';
import { IpGuard } from './space/ip-guard.ts';
import { createSpaceEnd, guardEnd, type SpaceEnd } from './space/space-end.ts';
import { serveSpaceExport } from './space/space-export.ts';
import { serveConsole } from './web.ts';

export interface ServerOptions {
  config: Config;
  version: string;
  log: Log;
  clock?: Clock;
  /** Number from 0 to 1 that spreads retries; Math.random when absent. */
  random?: () => number;
  /** Folder of the built console; no console is served when absent. */
  consoleFolder?: string | undefined;
}

export interface Server {
  services: Services;
  app: FastifyInstance;
  spaceEnd: SpaceEnd;
  origin: string;
  /** Where mails come in, when they do. */
  mailPort: number | undefined;
  /** Set when this start made the first person and their password. */
  firstSignIn: { email: string; password: string | undefined } | undefined;
  close(): Promise<void>;
}

export async function startServer(options: ServerOptions): Promise<Server> {
  const { config, log } = options;
  const clock = options.clock ?? systemClock;
  const database = await openDatabase({
    folder: config.databaseUrl ? undefined : resolve(config.dataFolder),
    databaseUrl: config.databaseUrl,
    migrations,
    log: (line) => log(line as Parameters<Log>[0]),
  });
  const closing: (() => Promise<unknown> | unknown)[] = [() => database.close()];
  const close = async () => {
    for (const work of closing.splice(0).reverse()) await work();
  };
  try {
    return await assemble(options, clock, database, closing, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function assemble(
  { config, version, log, consoleFolder, random = Math.random }: ServerOptions,
  clock: Clock,
  database: Database,
  closing: (() => Promise<unknown> | unknown)[],
  close: () => Promise<void>,
): Promise<Server> {
  const nextId = idSource(clock);
  const spaceId = await ensureSpace(database, clock, nextId(), config.spaceName);
  const secret = await installationSecret(config, database);
  const port = config.port || (await freePort(config.host));
  const publicUrl = config.publicUrl ?? `http://localhost:${port}`;
  const mailDomain = config.mailIn.domain ?? mailHostOf(publicUrl);
  const instance = randomUUID();

  const mailer =
    config.smtpUrl && config.mailFrom
      ? createMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom })
      : null;
  if (mailer) closing.push(() => mailer.close());
  const mail = createMailRoom({
    database,
    clock,
    nextId,
    log,
    spaceId,
    secret: deriveSecret(secret),
    translators: { en: await loadTranslator('en'), ja: await loadTranslator('ja') },
    mailer,
    random,
  });
  closing.push(() => mail.close());
  const { contract } = config;
  /** What the identity provider, which reads its requests itself, cannot work out. */
  const addresses = new WeakMap<IncomingMessage, string>();
  const audit = createAuditLog({
    database,
    clock,
    nextId,
    log,
    spaceId,
    secret: deriveSecret(secret),
    keptDays: config.auditDays,
  });
  closing.push(() => audit.settle());
  const identity = await createIdentity({
    database,
    clock,
    nextId,
    publicUrl,
    spaceId,
    secret,
    log,
    mail,
    audit,
    external: config.external,
    maxUsers: contract.maxUsers,
    clientAddress: (request) => addresses.get(request) ?? request.socket.remoteAddress ?? '',
  });
  closing.push(() => identity.close());
  const changes = new ChangeBus(database, instance);
  closing.push(() => changes.close());
  // What people may do has changed, here or in another replica.
  changes.listen((list) => {
    if (list.some(({ resource }) => powers.has(resource))) identity.forget();
  });
  const sealing = deriveSecret(secret);
  const sender = createSender({ config, version, clock, database, secret: sealing });
  const active = config.ipRestriction && contract.opens('ip-restriction');
  const ipGuard = new IpGuard({ database, clock, log, changes, spaceId, active });
  closing.push(() => ipGuard.close());
  closing.push(() => sender.close());
  const pigeon = createPigeon({
    config,
    publicUrl,
    database,
    clock,
    nextId,
    log,
    changes,
    version,
    mailer: sender.mailer,
    random,
    instance,
  });
  closing.push(() => pigeon.close());
  const noteBlocked = blockedNotes(audit, clock);
  const ksocket = new KsocketHub({
    database,
    clock,
    log,
    changes,
    nextId,
    instance,
    addressOf: callerAddress(config.trustedProxies),
    permits: (address) => ipGuard.permits(address),
    noteBlocked,
  });
  closing.push(() => ksocket.close());
  const agentRequests = new AgentRequests({ database, clock, log, nextId, hub: ksocket });
  const sendOnPremises = createOnPremisesSender({
    send: (at, { url, method, headers, body }, meta) =>
      agentRequests.send(at, { url, method, headers, body }, meta),
    isOpen: () => contract.opens(onPremisesFeature),
    clock,
    secret: sealing,
    userAgent: `Yagura/${version}`,
  });
  const deliveries = new Deliveries({
    database,
    clock,
    log,
    changes,
    send: (delivery) => {
      if (delivery.kind === 'pigeon') return pigeon.handOver(delivery);
      return delivery.kind === 'webhookOnPremises' ? sendOnPremises(delivery) : sender.send(delivery);
    },
    random,
    instance,
  });
  closing.push(() => deliveries.close());
  closing.push(() => agentRequests.close());
  const failureNotices = new FailureNotices({
    database,
    clock,
    nextId,
    log,
    publicUrl,
    mailer: sender.mailer,
    random,
  });
  closing.push(() => failureNotices.close());
  const slotWatch = new SlotWatch({ database, clock, nextId, log, changes, publicUrl });
  closing.push(() => slotWatch.close());
  const retention = new Retention({ database, clock, log, audit, spaceId });
  closing.push(() => retention.close());
  const pipeline = new Pipeline({ database, clock, nextId, log, changes, deliveries });
  closing.push(() => pipeline.close());
  const intake = new Intake({
    database,
    clock,
    nextId,
    changes,
    stored: (messages) => pipeline.arrived(messages),
  });
  closing.push(() => intake.drained());
  const tasks = new Tasks({ database, clock, nextId, log, changes, instance });
  closing.push(() => tasks.close());
  const scheduler = new TaskScheduler({ database, clock, log, changes, tasks });
  closing.push(() => scheduler.close());
  const sessions = new SessionClock({ database, clock, changes, log });
  closing.push(() => sessions.close());
  const scans = new Scans({ database, clock, log, changes, nextId, agents: ksocket });
  closing.push(() => scans.close());
  const scanNotices = new ScanNotices({
    database,
    clock,
    log,
    nextId,
    random,
    instance,
    publicUrl,
    send: sender.send,
  });
  closing.push(() => scanNotices.close());
  scans.listen(scanNotices);
  tasks.register('sonar', 'scan', scanTask({ database, clock, scans }));
  tasks.register(replayTaskName.namespace, replayTaskName.method, replayTask({ database, clock }));
  const enders = new Set<() => void>();
  const services: Services = {
    config,
    publicUrl,
    mailDomain,
    spaceId,
    contract,
    clock,
    nextId,
    log,
    database,
    identity,
    mail,
    secret: sealing,
    audit,
    changes,
    ipGuard,
    intake,
    pipeline,
    deliveries,
    tasks,
    ksocket,
    scans,
    scanNotices,
    failureNotices,
    slotWatch,
    retention,
    pigeon: pigeon.engine,
    pigeonNotifications: pigeon.notifications,
    onClose(work) {
      enders.add(work);
      return () => void enders.delete(work);
    },
  };

  const directory = new SlotDirectory(database, changes);
  const rate = new SlotRate(clock, config.slotRate);
  const app = createApp(log, { publicUrl, trustedProxies: config.trustedProxies });
  const spaceEnd = createSpaceEnd({ database, clock, log, spaceId });
  closing.push(() => spaceEnd.close());
  guardEnd(app, spaceEnd);
  guardAddresses(app, ipGuard, noteBlocked);
  auditRefusals(app, audit);
  const sockets = new SocketRoutes();
  sockets.add(new RegExp(`^${agentPath}/?$`), (request, socket, head) =>
    ksocket.upgrade(request, socket, head),
  );
  sockets.attach(app.server);
  registerRoutes(app, services, { directory, rate });
  serveDocs(app, () => openApiDocument(publicUrl, version));
  await serveIdentity(app, identity, addresses);
  if (consoleFolder) {
    await serveConsole(app, {
      folder: consoleFolder,
      fetchFor: inProcessFetch(app, publicUrl),
      origin: publicUrl,
      clientInfo: identity.clientInfo(),
      cookieSecret: Buffer.from(hkdfSync('sha256', secret, '', 'yagura console cookies', 32)),
      helpLinks: config.helpLinks,
      version,
    });
  }
  closing.push(() => app.close());
  closing.push(() => {
    for (const end of enders) end();
  });

  const first = await identity.ensureFirstUser({ email: config.adminEmail, password: config.adminPassword });
  if (config.bootstrapToken) await identity.ensureBootstrapToken(config.bootstrapToken);
  await changes.start(() => {
    directory.forget();
    pipeline.config.forget();
    pipeline.wake();
    scheduler.wake();
  });
  await ipGuard.start();
  await recoverJobs(database, clock.now(), database.kind === 'embedded');
  await pigeon.start();
  await deliveries.start();
  mail.start();
  failureNotices.start();
  slotWatch.start();
  retention.start();
  pipeline.start();
  await tasks.start();
  await scheduler.start();
  sessions.start();
  await agentRequests.start();
  await ksocket.start(agentListener(scans, agentRequests));
  await scanNotices.start();
  scans.start();
  await app.listen({ host: config.host, port });
  let mailPort: number | undefined;
  if (config.mailIn.port !== undefined) {
    const { intake } = services;
    const options = { ...config.mailIn, port: config.mailIn.port, name: mailDomain };
    const mailServer = await startMailServer({ directory, intake, rate, log }, options);
    closing.push(() => mailServer.close());
    mailPort = mailServer.port;
  }
  return {
    services,
    app,
    spaceEnd,
    origin: publicUrl,
    mailPort,
    firstSignIn: first.created ? { email: first.email, password: first.password } : undefined,
    close,
  };
}

/** Resources whose changes alter what somebody may do. */
const powers = new Set(['user', 'user-group', 'api-token']);

function registerRoutes(
  app: FastifyInstance,
  services: Services,
  { directory, rate }: { directory: SlotDirectory; rate: SlotRate },
): void {
  const { intake, publicUrl, config } = services;
  serveReceivers(app, { directory, intake, rate, publicUrl, mailSize: config.mailIn.size });
  const { webhookSecret } = services.config.pigeon;
  if (webhookSecret)
    serveCallbacks(app, {
      clock: services.clock,
      secret: webhookSecret,
      report: (resultId, callId, report) => services.pigeon.report(resultId, callId, report),
    });
  const known = new Map(behaviours.map((behaviour) => [behaviour.resource.name, behaviour]));
  for (const resource of all) serveResource(app, services, known.get(resource.name) ?? { resource });
  serveKrokerSetup(app, services);
  serveChanges(app, services);
  serveFixed(app, services, 'role-map', () => roleMap);
  serveBulk(app, services);
  serveSpaceExport(app, services);
  serveClientInfo(app, services);
  const unknown = async () => {
    throw new Problem('not-found', { detail: 'no such call' });
  };
  for (const path of ['/api', '/api/*', '/receive/*']) app.all(path, unknown);
}

/** The identity provider reads its requests itself. */
async function serveIdentity(
  app: FastifyInstance,
  identity: Identity,
  addresses: WeakMap<IncomingMessage, string>,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    for (const path of ['/oidc', '/oidc/*', ...cardPaths]) {
      scope.all(path, (request, reply) => {
        reply.hijack();
        addresses.set(request.raw, request.ip);
        identity.handler(request.raw, reply.raw);
      });
    }
  });
}

/** The space of this server, made at the first start. */
async function ensureSpace(database: Database, clock: Clock, newId: string, name: string): Promise<string> {
  return database.transaction(async (tx) => {
    await tx.query('lock table space in share row exclusive mode');
    const { rows } = await tx.query<{ space_id: string }>(
      'select space_id from space order by created_at limit 1',
    );
    if (rows[0]) return rows[0].space_id;
    const now = isoTime(clock.now());
    await tx.query(
      'insert into space (space_id, display_name, created_at, updated_at) values ($1, $2, $3, $3)',
      [newId, name, now],
    );
    return newId;
  });
}

/** What agents say goes to whoever asked them. */
function agentListener(scans: Scans, requests: AgentRequests): AgentListener {
  return {
    heard: (agent, message) =>
      message.type === 'answer' || message.type === 'unanswered'
        ? requests.heard(agent, message)
        : scans.heard(agent, message),
    compose: (order) => (order.type === 'request' ? requests.compose(order.requestId) : scans.compose(order)),
  };
}

/** The host of a URL as it stands in a mail address. */
function mailHostOf(url: string): string {
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
