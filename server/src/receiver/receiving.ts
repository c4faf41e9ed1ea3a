// How messages come in: by a thread of their own that has the public port, or by the thread of the application.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type MailServerOptions, startMailServer } from '../alerthub/mail/mail-server.ts';
import type { FindSlot, SlotUpdate } from '../alerthub/slot-directory.ts';
import { SlotRate } from '../alerthub/slot-rate.ts';
import type { Taker } from '../alerthub/store-arrivals.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { BodyBudget } from '../http/body-budget.ts';
import type { Log } from '../log.ts';
import type { HostedSpace } from '../space/space-directory.ts';
import type { JournalGate } from './intake-gate.ts';
import { adoptPeer } from './peer.ts';
import { ReceiveHandler } from './receive-handler.ts';
import { ReceiverThread } from './receiver-thread.ts';
import { SlotTable } from './slot-table.ts';

/** Bytes of all messages that are being received. */
const maxReceived = 256 << 20;
/** Bytes that the path of a socket may have everywhere. */
const longestPath = 100;

export interface Receiving {
  /** Writes the journal, when that is not done by the application. */
  gate: JournalGate | undefined;
  /** Resolves once messages are received by this. */
  listSlots(update: SlotUpdate): Promise<void>;
  serve(spaces: readonly HostedSpace[]): void;
  /** Sees every request first; true when it is answered. `expects` says that its sender waits for a 100. */
  take(request: IncomingMessage, response: ServerResponse | undefined, expects?: boolean): boolean;
  /** Takes requests from now on at the port, those for the application by `app`. */
  listen(app: FastifyInstance, at: { host: string; port: number }): Promise<void>;
  /** Takes mails from now on; gives the port. */
  listenForMails(options: MailServerOptions): Promise<number>;
  /** Ends what takes anything new; comes before the application is closed. */
  stopListening(): Promise<void>;
  /** Comes last. */
  close(): Promise<void>;
  /** Rejects when nothing can be received any more, and the process must end. */
  failed: Promise<never>;
}

export interface ReceivingParts {
  config: Config;
  log: Log;
  publicUrl: string;
  /** Of every reply. */
  headers: Record<string, string>;
}

/** With a thread: it receives, writes the journal and hands on what is for the application, whatever that is busy with. */
export function receiveByThread(
  { config, log, publicUrl, headers }: ReceivingParts,
  journal: { folder: string; limits: { waiting: number; reserve: number } },
): Receiving {
  const { path, remove } = socketPlace(config);
  const thread = new ReceiverThread(
    {
      ...journal,
      headers,
      publicUrl,
      mostReceived: maxReceived,
      socketPath: path,
      trustedProxies: config.trustedProxies,
      slotRate: config.slotRate,
      mailSize: config.mailIn.size,
    },
    log,
  );
  return {
    gate: thread,
    failed: thread.ended,
    listSlots: (update) => thread.updateSlots(update),
    serve: (spaces) => void thread.serve(spaces).catch(() => undefined),
    take(request) {
      adoptPeer(request);
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
export function receiveInProcess(
  { config, log, headers }: ReceivingParts,
  parts: {
    clock: Clock;
    taker: () => Taker;
    spaceOf(request: IncomingMessage): HostedSpace | undefined;
    /** Asked for a slot that is not known, where others may have made it. */
    beyond: (() => FindSlot) | undefined;
  },
): Receiving {
  const { beyond } = parts;
  const slots = new SlotTable(beyond && { find: (token) => beyond().find(token) });
  const receiving = {
    slots,
    taker: { receive: (arrival) => parts.taker().receive(arrival) } satisfies Taker,
    rate: new SlotRate(parts.clock, config.slotRate),
    log,
    budget: new BodyBudget(maxReceived),
  };
  const { spaceOf } = parts;
  const handler = new ReceiveHandler({ ...receiving, headers, mailSize: config.mailIn.size, spaceOf });
  let stopMails = async () => {};
  return {
    gate: undefined,
    failed: new Promise(() => undefined),
    listSlots: async (update) => slots.update(update),
    serve: () => undefined,
    take: (request, response, expects) => response !== undefined && handler.take(request, response, expects),
    async listen(app, at) {
      await app.listen(at);
    },
    async listenForMails(options) {
      const mails = await startMailServer(receiving, options);
      stopMails = () => mails.close();
      return mails.port;
    },
    stopListening: () => stopMails(),
    close: async () => undefined,
  };
}

/** Where the application listens for what its receiver hands on; nobody else reaches it. */
function socketPlace({ databaseUrl, dataFolder }: Config): { path: string; remove(): void } {
  if (process.platform === 'win32')
    return { path: `\\\\.\\pipe\\yagura-${randomUUID()}`, remove: () => undefined };
  const own = join(resolve(dataFolder), 'application.sock');
  if (!databaseUrl && own.length <= longestPath) {
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
