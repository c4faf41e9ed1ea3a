// Sets up how messages are received: in a separate thread that owns the public port, or in the application's
// thread.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { ArrivalSink } from '../alerthub/arrivals/arrival.ts';
import type { Refusal } from '../alerthub/slots/refusal.ts';
import type { SlotFinder, SlotUpdate } from '../alerthub/slots/slot-directory.ts';
import { SlotRateLimiter } from '../alerthub/slots/slot-rate-limiter.ts';
import type { Clock } from '../common/clock.ts';
import type { Log } from '../common/log.ts';
import type { Config } from '../config/config.ts';
import { BodyBudget } from '../http/body/body-budget.ts';
import { callerAddress } from '../http/caller-address.ts';
import { limitConnections } from '../http/connection-limiter.ts';
import type { HostedSpace } from '../space/space-directory.ts';
import { restoreClientAddress } from './client-address.ts';
import type { JournalWriter } from './intake-journal-writer.ts';
import { ReceiveHandler } from './receive-handler.ts';
import { ReceiverThread } from './receiver-thread.ts';
import { RefusalLog } from './refusal-log.ts';
import { SlotTable } from './slot-table.ts';
import { type SmtpServerOptions, startSmtpServer } from './smtp-server.ts';

/** Maximum bytes of all messages being received. */
const maxReceivedBytes = 256 << 20;
/** Maximum bytes of a socket path that all platforms support. */
const maxSocketPathBytes = 100;

export interface Receiver {
  /** Writes the journal, if the application does not. */
  journalWriter: JournalWriter | undefined;
  /** Resolves once the receivers use the update. */
  updateSlots(update: SlotUpdate): Promise<void>;
  serve(spaces: readonly HostedSpace[]): void;
  /** Gets every request first; true if it was handled. `expects` means that the sender waits for a 100. */
  handle(request: IncomingMessage, response: ServerResponse | undefined, expects?: boolean): boolean;
  /** Starts listening on the port; requests for the application go to `app`. */
  listen(app: FastifyInstance, at: { host: string; port: number }): Promise<void>;
  /** Starts accepting mails; returns the port. */
  listenForMails(options: SmtpServerOptions): Promise<number>;
  /** Stops accepting new requests; call it before closing the application. */
  stopListening(): Promise<void>;
  /** Call it last. */
  close(): Promise<void>;
  /** Rejects if messages can no longer be received and the process must exit. */
  failed: Promise<never>;
}

export interface ReceiverOptions {
  config: Config;
  log: Log;
  publicUrl: string;
  /** Added to every response. */
  headers: Record<string, string>;
  /** Gets refused requests to known slots. */
  onRefused(refusals: Refusal[]): void;
}

/**
 * With a thread, which receives messages, writes the journal and proxies requests, however busy the
 * application is.
 */
export function createThreadReceiver(
  { config, log, publicUrl, headers, onRefused }: ReceiverOptions,
  journal: { folder: string; limits: { waiting: number; reserve: number } },
): Receiver {
  const { path, remove } = socketLocation(config);
  const thread = new ReceiverThread(
    {
      ...journal,
      headers,
      publicUrl,
      maxReceivedBytes: maxReceivedBytes,
      socketPath: path,
      trustedProxies: config.trustedProxies,
      connectionLimits: config.connectionLimits,
      slotRate: config.slotRatePerMinute,
      maxMailBytes: config.mailIn.size,
    },
    { log, onRefused },
  );
  return {
    journalWriter: thread,
    failed: thread.ended,
    updateSlots: (update) => thread.updateSlots(update),
    serve: (spaces) => void thread.serve(spaces).catch(() => undefined),
    handle(request) {
      restoreClientAddress(request);
      return false;
    },
    async listen(app, at) {
      await app.listen({ path });
      await thread.listen(at);
    },
    listenForMails: (options) => thread.listenForMails(options),
    stopListening: () => thread.stopListening(),
    async close() {
      await thread.close();
      remove();
    },
  };
}

/** Without a thread: for tests with a simulated clock, and if there is no journal. */
export function createInProcessReceiver(
  { config, log, headers, onRefused }: ReceiverOptions,
  deps: {
    clock: Clock;
    sink: () => ArrivalSink;
    spaceOf(request: IncomingMessage): HostedSpace | undefined;
    /** Queried for unknown slots, if other replicas may have created them. */
    beyond: (() => SlotFinder) | undefined;
  },
): Receiver {
  const { beyond } = deps;
  const slots = new SlotTable(beyond && { find: (token) => beyond().find(token) });
  const receiverDeps = {
    slots,
    sink: { receive: (arrival) => deps.sink().receive(arrival) } satisfies ArrivalSink,
    rateLimiter: new SlotRateLimiter(deps.clock, config.slotRatePerMinute),
    log,
    budget: new BodyBudget(maxReceivedBytes),
    refusals: new RefusalLog({ clock: deps.clock, log, onRefused }),
  };
  const handler = new ReceiveHandler({
    ...receiverDeps,
    headers,
    maxMailBytes: config.mailIn.size,
    addressOf: callerAddress(config.trustedProxies),
    spaceOf: deps.spaceOf,
  });
  let stopMails = async () => {};
  return {
    journalWriter: undefined,
    failed: new Promise(() => undefined),
    updateSlots: async (update) => slots.update(update),
    serve: () => undefined,
    handle: (request, response, expects) =>
      response !== undefined && handler.handle(request, response, expects),
    async listen(app, at) {
      const { trustedProxies, connectionLimits } = config;
      limitConnections(app.server, { ...connectionLimits, trustedProxies, headers, clock: deps.clock, log });
      await app.listen(at);
    },
    async listenForMails(options) {
      const mails = await startSmtpServer(receiverDeps, options);
      stopMails = () => mails.close();
      return mails.port;
    },
    stopListening: () => stopMails(),
    close: async () => receiverDeps.refusals.close(),
  };
}

/**
 * Socket path on which the application accepts proxied requests, in a private folder (on Windows a pipe with
 * a random name).
 */
function socketLocation({ databaseUrl, dataFolder }: Config): { path: string; remove(): void } {
  if (process.platform === 'win32')
    return { path: `\\\\.\\pipe\\yagura-${randomUUID()}`, remove: () => undefined };
  const own = join(resolve(dataFolder), 'application.sock');
  if (!databaseUrl && own.length <= maxSocketPathBytes) {
    const remove = () => rmSync(own, { force: true });
    // A leftover of a killed process; the folder is locked by this one.
    remove();
    return { path: own, remove };
  }
  const folder = mkdtempSync(join(tmpdir(), 'yagura-'));
  return {
    path: join(folder, 'application.sock'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
