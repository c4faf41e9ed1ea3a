// Puts the server together and takes it apart: the engine that works for all spaces, and the front door to each of them.
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { loadTranslator } from '@yagura/core/words/dictionary';
import type { FastifyInstance } from 'fastify';
import { anchorFile } from './audit/anchor-file.ts';
import { type Clock, isoTime, systemClock } from './clock.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import { migrations } from './db/migrations/all.ts';
import { createMailer } from './delivery/mail.ts';
import type { WebhookTimeouts } from './delivery/webhook.ts';
import { createSharedServices } from './engine.ts';
import { answerMisdirected, HostRouter, misdirected } from './front-door.ts';
import { Health, leastFree } from './health.ts';
import { replyHeaders } from './http/app.ts';
import { refuse } from './http/socket-routes.ts';
import { idSource } from './id.ts';
import { installationSecret } from './identity/installation-secret.ts';
import type { Log } from './log.ts';
import { createSpaceServer, type SpaceServer } from './open-space.ts';
import { SpaceServers } from './open-spaces.ts';
import { connectDatabase } from './open-store.ts';
import { receiveByThread, receiveInProcess } from './receiver/receiving.ts';
import { sealStore } from './seal-store.ts';
import type { Services } from './services.ts';
import { type HostedSpace, SpaceDirectory } from './space/space-directory.ts';
import type { SpaceEnd } from './space/space-end.ts';
import type { ConsoleSource } from './web.ts';

export interface ServerOptions {
  config: Config;
  version: string;
  log: Log;
  clock?: Clock;
  /** Number from 0 to 1 that spreads retries; Math.random when absent. */
  random?: () => number;
  /** How long a webhook may take, where it is to be less than usual. */
  webhookTimeouts?: WebhookTimeouts | undefined;
  /**
   * What receives messages where a journal is kept: a thread of its own, which also has the public port, or, so that a test
   * can own the clock, the application itself.
   */
  receiver?: 'thread' | 'process';
  /** No console is served when absent. */
  consoleSource?: ConsoleSource | undefined;
}

export interface Server {
  /** Those of the space at the server's own address, as are `app` and `spaceEnd`. */
  services: Services;
  app: FastifyInstance;
  spaceEnd: SpaceEnd;
  origin: string;
  /** Every space that is open now. */
  spaces(): SpaceServer[];
  /** Where mails come in, when they do. */
  mailPort: number | undefined;
  /** Rejects when nothing can be received any more; the process must end then. */
  failed: Promise<never>;
  /** Set when this start made the first person and their password. */
  firstSignIn: { email: string; password: string | undefined } | undefined;
  /** Resolves, with a message for people, when another process has taken the data folder over: nothing works any more. */
  lost: Promise<string>;
  close(): Promise<void>;
}

export async function startServer(options: ServerOptions): Promise<Server> {
  const { config, log } = options;
  const clock = options.clock ?? systemClock;
  const database = await connectDatabase(config, log);
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
  {
    config,
    version,
    log,
    consoleSource,
    random = Math.random,
    webhookTimeouts,
    receiver = 'process',
  }: ServerOptions,
  clock: Clock,
  database: Database,
  closing: (() => Promise<unknown> | unknown)[],
  close: () => Promise<void>,
): Promise<Server> {
  const spaceId = await ensureSpace(database, clock, config.spaceName);
  const secret = await installationSecret(config, database);
  await sealStore(database, clock, secret);
  const port = config.port || (await freePort(config.host));
  const publicUrl = config.publicUrl ?? `http://localhost:${port}`;
  const mailDomain = config.mailIn.domain ?? mailHostOf(publicUrl);
  const mailer =
    config.smtpUrl && config.mailFrom
      ? createMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom })
      : null;
  if (mailer) closing.push(() => mailer.close());

  const spaces = new SpaceDirectory({ database, clock, log, publicUrl });
  const originOf = (id: string) => spaces.originOf(id);
  const common = { config, version, log, clock, random, database, secret, originOf };
  const headers = replyHeaders(publicUrl.startsWith('https:'));
  const door = new HostRouter<SpaceServer>(publicUrl, config.trustedProxies);
  const journal = journalOf(config, database.kind);
  const receivingParts = { config, log, publicUrl, headers };
  const receiving =
    receiver === 'thread' && journal
      ? receiveByThread(receivingParts, journal)
      : receiveInProcess(receivingParts, {
          clock,
          taker: () => engine.shared.intake,
          spaceOf: (request) => door.choose(request)?.hosted,
          // A replica may be asked for a slot that another has made just now.
          beyond: database.kind === 'postgresql' ? () => engine.directory : undefined,
        });
  closing.push(() => receiving.close());
  const { gate, listSlots } = receiving;
  const engine = createSharedServices({ ...common, webhookTimeouts, journal, gate, listSlots });
  closing.push(() => engine.close());
  const health = new Health({
    database,
    clock,
    log,
    disk: database.kind === 'embedded' ? { folder: resolve(config.dataFolder), leastFree } : undefined,
    migrations: migrations.at(-1)!.number,
    headers,
    receiving: () => engine.shared.intake.reason(),
  });
  const translators = { en: await loadTranslator('en'), ja: await loadTranslator('ja') };
  const anchors = anchorFile(config.dataFolder, log);
  const parts = {
    config,
    version,
    engine,
    secret,
    random,
    mailDomain,
    mailer,
    anchors,
    translators,
    consoleSource,
  };
  const erased = () => {
    engine.directory.forget();
    void spaces.reread();
  };
  const open = new SpaceServers({
    log,
    open: (hosted: HostedSpace) => createSpaceServer(hosted, { ...parts, erased }),
    serve(list) {
      door.serve(list);
      receiving.serve(list.map(({ hosted }) => hosted));
    },
  });
  closing.push(() => open.close());
  const own = await createSpaceServer(
    { spaceId, host: null, origin: publicUrl },
    {
      ...parts,
      erased,
      front(request, response, listener) {
        if (receiving.take(request, response) || health.answer(request, response)) return;
        const space = door.choose(request);
        if (!space) answerMisdirected(response);
        else if (space === own) listener(request, response);
        else space.app.routing(request, response);
      },
    },
  );
  open.keep(own);
  own.app.server.on('checkContinue', (request, response) => {
    if (receiving.take(request, response, true)) return;
    response.writeContinue();
    own.app.server.emit('request', request, response);
  });
  own.app.server.on('upgrade', (request, socket, head) => {
    receiving.take(request, undefined);
    const space = door.choose(request);
    socket.on('error', () => socket.destroy());
    if (space) void space.sockets.take(request, socket, head);
    else refuse(socket, misdirected());
  });

  const { identity } = own.services;
  const first = await identity.ensureFirstUser({ email: config.adminEmail, password: config.adminPassword });
  if (config.bootstrapToken) await identity.ensureBootstrapToken(config.bootstrapToken);
  await engine.listen();
  await own.start();
  closing.push(() => spaces.close());
  await spaces.start((list) => open.follow(list));
  await engine.start();
  closing.push(() => receiving.stopListening());
  await receiving.listen(own.app, { host: config.host, port });
  let mailPort: number | undefined;
  if (config.mailIn.port !== undefined) {
    const options = { ...config.mailIn, port: config.mailIn.port, name: mailDomain };
    mailPort = await receiving.listenForMails(options);
  }
  return {
    services: own.services,
    app: own.app,
    spaceEnd: own.spaceEnd,
    origin: publicUrl,
    spaces: () => open.all(),
    mailPort,
    lost: database.lost ?? new Promise(() => undefined),
    failed: receiving.failed,
    firstSignIn: first.created ? { email: first.email, password: first.password } : undefined,
    close,
  };
}

/** Where the intake journal lies and how much it may hold; undefined where none is kept. */
function journalOf(config: Config, kind: Database['kind']) {
  // With several replicas what was answered for must be where any of them finds it.
  if (kind !== 'embedded') return undefined;
  const { waiting, reserve } = config.intake;
  return { folder: join(resolve(config.dataFolder), 'intake'), limits: { waiting, reserve } };
}

/** The space at the server's own address, made at the first start. */
async function ensureSpace(database: Database, clock: Clock, name: string): Promise<string> {
  return database.transaction(async (tx) => {
    await tx.query('lock table space in share row exclusive mode');
    const { rows } = await tx.query<{ space_id: string }>('select space_id from space where host is null');
    if (rows[0]) return rows[0].space_id;
    const spaceId = idSource(clock)();
    await tx.query(
      'insert into space (space_id, display_name, created_at, updated_at) values ($1, $2, $3, $3)',
      [spaceId, name, isoTime(clock.now())],
    );
    return spaceId;
  });
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
