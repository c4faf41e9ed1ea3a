// Receiver thread: owns the public port, receives messages, and proxies all other requests to the
// application.
import { createServer, type Server } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { SlotRateLimiter } from '../alerthub/slots/slot-rate-limiter.ts';
import { systemClock } from '../common/clock.ts';
import { createIdSource } from '../common/id.ts';
import type { Log } from '../common/log.ts';
import { BodyBudget } from '../http/body/body-budget.ts';
import { callerAddress } from '../http/caller-address.ts';
import { createClientErrorHandler } from '../http/client-error.ts';
import { limitConnections } from '../http/connection-limiter.ts';
import { serverTimeouts } from '../http/server-timeouts.ts';
import { acceptWebSocketUpgrades } from '../http/websocket-upgrades.ts';
import { HostRouter } from '../space/host-router.ts';
import type { HostedSpace } from '../space/space-directory.ts';
import { ApplicationProxy } from './application-proxy.ts';
import { IntakeJournalWriter } from './intake-journal-writer.ts';
import { ReceiveHandler } from './receive-handler.ts';
import { RefusalLog } from './refusal-log.ts';
import { refuseSeveralHosts } from './refuse-several-hosts.ts';
import { SlotTable } from './slot-table.ts';
import { type SmtpServerHandle, type SmtpServerOptions, startSmtpServer } from './smtp-server.ts';
import {
  sharedCounters,
  type ThreadMessage,
  type ThreadSettings,
  type WorkerRequest,
  type WorkerRequests,
} from './thread-messages.ts';

const settings = workerData as ThreadSettings;
const post = (message: ThreadMessage) => parentPort!.postMessage(message);
const log: Log = (line) => post({ kind: 'log', line });
const { sequence, bytes, notified } = sharedCounters(settings.shared);
/** Milliseconds between checks for idle connections during shutdown. */
const idleCheckIntervalMs = 50;

const journalWriter = new IntakeJournalWriter({
  clock: systemClock,
  nextId: createIdSource(systemClock),
  log,
  folder: settings.folder,
  limits: settings.limits,
});
function publishProgress(): void {
  Atomics.store(bytes, 0, BigInt(journalWriter.writtenBytes()));
  Atomics.store(sequence, 0, BigInt(journalWriter.lastWritten()));
}
journalWriter.onWritten(() => {
  publishProgress();
  if (Atomics.exchange(notified, 0, 1) === 0) post({ kind: 'written' });
});

const router = new HostRouter<{ hosted: HostedSpace }>(settings.publicUrl, settings.trustedProxies);
const slots = new SlotTable();
const refusals = new RefusalLog({
  clock: systemClock,
  log,
  onRefused: (refusals) => post({ kind: 'refused', refusals }),
});
const receiverDeps = {
  slots,
  sink: journalWriter,
  rateLimiter: new SlotRateLimiter(systemClock, settings.slotRate),
  budget: new BodyBudget(settings.maxReceivedBytes),
  refusals,
  log,
};
const receiver = new ReceiveHandler({
  ...receiverDeps,
  headers: settings.headers,
  maxMailBytes: settings.maxMailBytes,
  addressOf: callerAddress(settings.trustedProxies),
  spaceOf: (request) => router.route(request)?.hosted,
});
const proxy = new ApplicationProxy(settings.socketPath, settings.headers);
const server = createHttpServer();
let smtpServer: SmtpServerHandle | undefined;
let stopIdleChecks: (() => void) | undefined;

function createHttpServer(): Server {
  const server = createServer(serverTimeouts, (request, response) => {
    if (!receiver.handle(request, response)) proxy.request(request, response);
  });
  server.on('checkContinue', (request, response) => {
    if (!receiver.handle(request, response, true)) proxy.request(request, response, true);
  });
  acceptWebSocketUpgrades(server, (request, socket, head) => proxy.upgrade(request, socket, head));
  server.on('clientError', createClientErrorHandler(settings.headers));
  refuseSeveralHosts(server, settings.headers);
  const { trustedProxies, connectionLimits, headers } = settings;
  limitConnections(server, { ...connectionLimits, trustedProxies, headers, clock: systemClock, log });
  return server;
}

const callHandlers: WorkerRequests = {
  claim: () => journalWriter.claim(),
  async open(start) {
    const last = await journalWriter.open(start);
    publishProgress();
    return last;
  },
  async updateSlots(update) {
    slots.update(update);
  },
  async serve(spaces) {
    router.setSpaces(spaces.map((hosted) => ({ hosted })));
  },
  listen: ({ host, port }) =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => {
        server.off('error', reject);
        resolve();
      });
    }),
  async listenForMails(options: SmtpServerOptions) {
    smtpServer = await startSmtpServer(receiverDeps, options);
    return smtpServer.port;
  },
  release: (upTo, all) => journalWriter.release(upTo, all),
  setAside: (at, bytes) => journalWriter.setAside(at, Buffer.from(bytes)),
  keepDamaged: (names) => journalWriter.keepDamaged(names),
  reason: async () => journalWriter.unavailableReason(),
  drained: () => journalWriter.drained(),
  async stopListening() {
    stopIdleChecks ??= systemClock.every(idleCheckIntervalMs, () => server.closeIdleConnections());
    server.close();
    await smtpServer?.close();
  },
  async close() {
    refusals.close();
    await journalWriter.close();
    stopIdleChecks?.();
    server.close();
    server.closeAllConnections();
  },
};

parentPort!.on('message', async ({ number, name, args }: WorkerRequest) => {
  try {
    const value = await (callHandlers[name] as (...given: unknown[]) => Promise<unknown>)(...args);
    post({ kind: 'answer', number, value });
  } catch (error) {
    post({ kind: 'answer', number, error });
  }
  if (name === 'close') parentPort!.close();
});
