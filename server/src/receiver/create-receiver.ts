// How messages come in: by a thread of their own that has the public port, or by the thread of the application.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type SmtpServerOptions, startSmtpServer } from '../alerthub/inbound-mail/smtp-server.ts';
import type { ArrivalSink } from '../alerthub/intake/store-arrivals.ts';
import type { SlotFinder, SlotUpdate } from '../alerthub/slots/slot-directory.ts';
import { SlotRateLimiter } from '../alerthub/slots/slot-rate-limiter.ts';
import type { Clock } from '../common/clock.ts';
import type { Log } from '../common/log.ts';
import type { Config } from '../config/config.ts';
import { BodyBudget } from '../http/body/body-budget.ts';
import type { HostedSpace } from '../space/space-directory.ts';
import { restoreClientAddress } from './client-address.ts';
import type { JournalWriter } from './intake-journal-writer.ts';
import { ReceiveHandler } from './receive-handler.ts';
import { ReceiverThread } from './receiver-thread.ts';
import { SlotTable } from './slot-table.ts';

/** Bytes of all messages that are being received. */
const maxReceivedBytes = 256 << 20;
/** Bytes that the path of a socket may have everywhere. */
const maxSocketPathBytes = 100;

export interface Receiver {
  /** Writes the journal, when that is not done by the application. */
  journalWriter: JournalWriter | undefined;
  /** Resolves once messages are received by this. */
  updateSlots(update: SlotUpdate): Promise<void>;
  serve(spaces: readonly HostedSpace[]): void;
  /** Sees every request first; true when it is answered. `expects` says that its sender waits for a 100. */
  handle(request: IncomingMessage, response: ServerResponse | undefined, expects?: boolean): boolean;
  /** Takes requests from now on at the port, those for the application by `app`. */
  listen(app: FastifyInstance, at: { host: string; port: number }): Promise<void>;
  /** Takes mails from now on; gives the port. */
  listenForMails(options: SmtpServerOptions): Promise<number>;
  /** Ends what takes anything new; comes before the application is closed. */
  stopListening(): Promise<void>;
  /** Comes last. */
  close(): Promise<void>;
  /** Rejects when nothing can be received any more, and the process must end. */
  failed: Promise<never>;
}

export interface ReceiverOptions {
  config: Config;
  log: Log;
  publicUrl: string;
  /** Of every reply. */
  headers: Record<string, string>;
}

/** With a thread: it receives, writes the journal and hands on what is for the application, whatever that is busy with. */
export function createThreadReceiver(
  { config, log, publicUrl, headers }: ReceiverOptions,
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
      slotRate: config.slotRatePerMinute,
      maxMailBytes: config.mailIn.size,
    },
    log,
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

/** Without a thread: for tests with a clock of their own, and where no journal is kept. */
export function createInProcessReceiver(
  { config, log, headers }: ReceiverOptions,
  deps: {
    clock: Clock;
    sink: () => ArrivalSink;
    spaceOf(request: IncomingMessage): HostedSpace | undefined;
    /** Asked for a slot that is not known, where others may have made it. */
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
  };
  const { spaceOf } = deps;
  const handler = new ReceiveHandler({ ...receiverDeps, headers, maxMailBytes: config.mailIn.size, spaceOf });
  let stopMails = async () => {};
  return {
    journalWriter: undefined,
    failed: new Promise(() => undefined),
    updateSlots: async (update) => slots.update(update),
    serve: () => undefined,
    handle: (request, response, expects) =>
      response !== undefined && handler.handle(request, response, expects),
    async listen(app, at) {
      await app.listen(at);
    },
    async listenForMails(options) {
      const mails = await startSmtpServer(receiverDeps, options);
      stopMails = () => mails.close();
      return mails.port;
    },
    stopListening: () => stopMails(),
    close: async () => undefined,
  };
}

/** Where the application listens for what its receiver hands on; nobody else reaches it. */
function socketLocation({ databaseUrl, dataFolder }: Config): { path: string; remove(): void } {
  if (process.platform === 'win32')
    return { path: `\\\\.\\pipe\\yagura-${randomUUID()}`, remove: () => undefined };
  const own = join(resolve(dataFolder), 'application.sock');
  if (!databaseUrl && own.length <= maxSocketPathBytes) {
    const remove = () => rmSync(own, { force: true });
    // Of a process that was killed; the folder is ours.
    remove();
    return { path: own, remove };
  }
  const folder = mkdtempSync(join(tmpdir(), 'yagura-'));
  return {
    path: join(folder, 'application.sock'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
