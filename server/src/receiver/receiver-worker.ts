// The receiver's thread: has the public port, takes messages in by itself, and hands all else on to the application.
import { createServer, type Server } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { type MailServer, type MailServerOptions, startMailServer } from '../alerthub/mail/mail-server.ts';
import { SlotRate } from '../alerthub/slot-rate.ts';
import { systemClock } from '../clock.ts';
import { HostRouter } from '../front-door.ts';
import { BodyBudget } from '../http/body-budget.ts';
import { answerClientError } from '../http/client-error.ts';
import { idSource } from '../id.ts';
import type { Log } from '../log.ts';
import type { HostedSpace } from '../space/space-directory.ts';
import { ApplicationProxy } from './application-proxy.ts';
import { IntakeGate } from './intake-gate.ts';
import { ReceiveHandler } from './receive-handler.ts';
import { SlotTable } from './slot-table.ts';
import {
  type Call,
  type FromThread,
  sharedNumbers,
  type ThreadCalls,
  type ThreadSettings,
} from './thread-messages.ts';

const settings = workerData as ThreadSettings;
const say = (message: FromThread) => parentPort!.postMessage(message);
const log: Log = (line) => say({ kind: 'log', line });
const { place, bytes, told } = sharedNumbers(settings.shared);
/** Milliseconds between looks for connections that have become idle while the server stops. */
const idleEvery = 50;

const gate = new IntakeGate({
  clock: systemClock,
  nextId: idSource(systemClock),
  log,
  folder: settings.folder,
  limits: settings.limits,
});
function share(): void {
  Atomics.store(bytes, 0, BigInt(gate.writtenBytes()));
  Atomics.store(place, 0, BigInt(gate.written()));
}
gate.onWritten(() => {
  share();
  if (Atomics.exchange(told, 0, 1) === 0) say({ kind: 'written' });
});

const door = new HostRouter<{ hosted: HostedSpace }>(settings.publicUrl, settings.trustedProxies);
const slots = new SlotTable();
const receiving = {
  slots,
  taker: gate,
  rate: new SlotRate(systemClock, settings.slotRate),
  budget: new BodyBudget(settings.mostReceived),
  log,
};
const receiver = new ReceiveHandler({
  ...receiving,
  headers: settings.headers,
  mailSize: settings.mailSize,
  spaceOf: (request) => door.choose(request)?.hosted,
});
const proxy = new ApplicationProxy(settings.socketPath, settings.headers);
const server = serve();
let mails: MailServer | undefined;
let stopIdling: (() => void) | undefined;

function serve(): Server {
  const made = createServer({ requestTimeout: 60_000, keepAliveTimeout: 65_000 }, (request, response) => {
    if (!receiver.take(request, response)) proxy.request(request, response);
  });
  made.on('checkContinue', (request, response) => {
    if (!receiver.take(request, response, true)) proxy.request(request, response, true);
  });
  made.on('upgrade', (request, socket, head) => proxy.upgrade(request, socket, head));
  made.on('clientError', answerClientError);
  return made;
}

const calls: ThreadCalls = {
  async open(beginning) {
    const last = await gate.open(beginning);
    share();
    return last;
  },
  async updateSlots(update) {
    slots.update(update);
  },
  async serve(spaces) {
    door.serve(spaces.map((hosted) => ({ hosted })));
  },
  listen: ({ host, port }) =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => {
        server.off('error', reject);
        resolve();
      });
    }),
  async listenForMails(options: MailServerOptions) {
    mails = await startMailServer(receiving, options);
    return mails.port;
  },
  release: (upTo, all) => gate.release(upTo, all),
  setAside: (at, bytes) => gate.setAside(at, Buffer.from(bytes)),
  keepDamaged: (names) => gate.keepDamaged(names),
  reason: async () => gate.reason(),
  drained: () => gate.drained(),
  async stopListening() {
    stopIdling ??= systemClock.every(idleEvery, () => server.closeIdleConnections());
    server.close();
    await mails?.close();
  },
  async close() {
    await gate.close();
    stopIdling?.();
    server.close();
    server.closeAllConnections();
  },
};

parentPort!.on('message', async ({ number, name, args }: Call) => {
  try {
    const value = await (calls[name] as (...given: unknown[]) => Promise<unknown>)(...args);
    say({ kind: 'answer', number, value });
  } catch (error) {
    say({ kind: 'answer', number, error });
  }
  if (name === 'close') parentPort!.close();
});
