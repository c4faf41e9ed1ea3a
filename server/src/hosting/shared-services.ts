// Creates the services shared by all spaces: storage, intake, evaluation, delivery, calls, scans and agents.
import { randomUUID } from 'node:crypto';
import { scanTaskName } from '@yagura/core/sonar/scan-schedules';
import { recoverJobs } from '../alerthub/bulk/bulk-jobs.ts';
import { Deliveries } from '../alerthub/deliveries/deliveries.ts';
import { createDeliverySender } from '../alerthub/deliveries/delivery-sender.ts';
import { createOnPremisesSender, onPremisesFeature } from '../alerthub/deliveries/on-premises-sender.ts';
import { SigningSecrets } from '../alerthub/deliveries/signing-secrets.ts';
import { Intake } from '../alerthub/intake/intake.ts';
import { LargeMessageLimiter } from '../alerthub/messages/message-bytes.ts';
import { MessageIndex } from '../alerthub/messages/message-index.ts';
import { FailureNotices } from '../alerthub/notices/failure-notices.ts';
import { Pipeline } from '../alerthub/pipeline/pipeline.ts';
import { createReplayTask, replayTaskName } from '../alerthub/replay/replay-task.ts';
import { acknowledgeEvent } from '../alerthub/scope-state/acknowledgement.ts';
import { InactivityMonitor } from '../alerthub/slots/inactivity-monitor.ts';
import { SlotDirectory, type SlotUpdate } from '../alerthub/slots/slot-directory.ts';
import { createAuditLog } from '../audit/audit-log.ts';
import type { Clock } from '../common/clock.ts';
import { createIdSource } from '../common/id.ts';
import type { Log } from '../common/log.ts';
import { FreeSpace } from '../common/machine/free-space.ts';
import { deriveSecret } from '../common/secrets/server-secret.ts';
import { spaceSecret } from '../common/secrets/space-secret.ts';
import type { Config } from '../config/config.ts';
import { ChangeBus } from '../db/change-bus.ts';
import type { Database } from '../db/database.ts';
import { ServerMails } from '../delivery/mail-outbox/server-mails.ts';
import type { WebhookTimeouts } from '../delivery/webhook-sender.ts';
import { SessionCleanup } from '../greac/session-cleanup.ts';
import { LogSpace } from '../greac/stream/log-space.ts';
import { SessionStreams } from '../greac/stream/session-streams.ts';
import { BodyBudget } from '../http/body/body-budget.ts';
import { callerAddress } from '../http/caller-address.ts';
import { DueRowsAhead } from '../jobs/due-rows-ahead.ts';
import { AbandonedLeases } from '../jobs/leases/abandoned-leases.ts';
import { RowLeases } from '../jobs/leases/row-leases.ts';
import { TaskScheduler } from '../jobs/task-scheduler.ts';
import { Tasks } from '../jobs/tasks.ts';
import { GatewayHub } from '../kroker/gateway-hub.ts';
import { GatewayPresence } from '../kroker/gateway-presence.ts';
import { KrokerNotices } from '../kroker/kroker-notices.ts';
import type { AgentListener } from '../ksocket/agent.ts';
import { AgentRequests } from '../ksocket/agent-requests.ts';
import { KsocketHub } from '../ksocket/ksocket-hub.ts';
import { createPigeon } from '../pigeon/pigeon.ts';
import type { JournalWriter } from '../receiver/intake-journal-writer.ts';
import type { JournalLimits } from '../receiver/journal-capacity.ts';
import { createSealing } from '../resource/sealing/sealed-fields.ts';
import { ScanNotices } from '../sonar/scan-notices.ts';
import { scanTask } from '../sonar/scan-task.ts';
import { Scans } from '../sonar/scans.ts';
import { createThreadPool } from './create-thread-pool.ts';
import type { ServerMetrics } from './metrics/server-metrics.ts';

export interface SharedServicesOptions {
  config: Config;
  version: string;
  log: Log;
  clock: Clock;
  random: () => number;
  webhookTimeouts: WebhookTimeouts | undefined;
  database: Database;
  /** Installation secret. */
  secret: Uint8Array;
  /** Public origin of a space. */
  originOf(spaceId: string): string;
  /** Folder and limits of the intake journal; without one every reply waits for the database. */
  journal: { folder: string; limits: JournalLimits } | undefined;
  /** Called when another server has taken over the journal; the process must exit then. */
  onJournalEnded(message: string): void;
  /** Journal writer, when another thread writes it. */
  journalWriter: JournalWriter | undefined;
  /** Publishes the receive slots to the receivers; resolves once they apply. */
  listSlots(update: SlotUpdate): Promise<void>;
  metrics: ServerMetrics;
}

/** Recordings leave this many times the space that messages leave. */
const logReserve = 4;

export type SharedServices = ReturnType<typeof createSharedServices>;

/** Creates the services without starting them. All data is scoped by space id. */
export function createSharedServices(options: SharedServicesOptions) {
  const { config, version, log, clock, random, webhookTimeouts, database, originOf } = options;
  const { contract } = config;
  const nextId = createIdSource(clock);
  const instance = randomUUID();
  const secret = deriveSecret(options.secret);
  const changes = new ChangeBus({ database, clock, log, instance });
  const sealing = createSealing(secret);
  const common = { database, clock, log, changes, sealing, nextId, instance, random, originOf };
  const signing = new SigningSecrets({ database, clock, changes, secret });
  const sender = createDeliverySender({ config, version, clock, database, secret, signing, webhookTimeouts });
  const serverMails = new ServerMails({
    ...common,
    mailer: config.smtpUrl && config.mailFrom ? sender.mailer : null,
    secretOf: (space) => deriveSecret(spaceSecret(options.secret, space)),
  });
  const pigeon = createPigeon({
    ...common,
    ...{ config, version, mailer: sender.mailer },
    storeAcknowledgement: acknowledgeEvent,
  });
  const addressOf = callerAddress(config.trustedProxies);
  const threads = createThreadPool();
  const ksocket = new KsocketHub({ ...common, threads, addressOf });
  const krokerNotices = new KrokerNotices({ ...common, send: sender.send });
  const gatewayPresence = new GatewayPresence({ ...common, notices: krokerNotices });
  const gateways = new GatewayHub({
    ...common,
    addressOf,
    replicaUrl: config.replicaUrl ?? null,
    onPresence: () => gatewayPresence.runNow(),
  });
  const sessionStreams = new SessionStreams({
    ...common,
    addressOf,
    secret,
    logSpace:
      database.kind === 'embedded'
        ? new LogSpace(new FreeSpace(config.dataFolder, clock), logReserve * config.intake.reserveBytes, log)
        : undefined,
    onLogStored: (bytes) => options.metrics.addSessionLog(bytes),
  });
  const agentRequests = new AgentRequests({ ...common, hub: ksocket });
  const sendOnPremises = createOnPremisesSender({
    send: (at, { url, method, headers, body }, meta) =>
      agentRequests.send(at, { url, method, headers, body }, meta),
    isOpen: () => contract.allowsFeature(onPremisesFeature),
    clock,
    signing,
    userAgent: `Yagura/${version}`,
  });
  const deliveries = new Deliveries({
    ...common,
    lateAfterMs: config.failingNoticeAfterSeconds * 1000,
    onAttempt: (kind, outcome) => options.metrics.addAttempt(kind, outcome),
    send: (delivery) => {
      if (delivery.kind === 'pigeon') return pigeon.startFromDelivery(delivery);
      return delivery.kind === 'webhookOnPremises' ? sendOnPremises(delivery) : sender.send(delivery);
    },
  });
  const failureNotices = new FailureNotices({ ...common, sendMail: sender.sendNotice });
  const slotWatch = new InactivityMonitor(common);
  const pipeline = new Pipeline({
    ...common,
    deliveries,
    auditOf: (space) =>
      createAuditLog({
        ...{ database, clock, nextId, log, spaceId: space.spaceId },
        secret: deriveSecret(spaceSecret(options.secret, space)),
        retentionDays: config.auditDays,
      }),
    onDecided: (count) => options.metrics.addDecided(count),
  });
  const messageIndex = new MessageIndex({ ...common, waitingMessages: () => intake.waitingMessages });
  const intake = new Intake({
    ...common,
    onJournalEnded: options.onJournalEnded,
    onStored: (messages) => pipeline.addStored(messages),
    storeAndDecide: (rows, upcoming) => pipeline.storeAndDecide(rows, upcoming),
    journalWriter: options.journalWriter,
    journalFolder: options.journal?.folder,
    journalLimits: options.journal?.limits,
  });
  const tasks = new Tasks(common);
  const scheduler = new TaskScheduler({ ...common, tasks });
  const sessions = new SessionCleanup(common);
  const scans = new Scans({ ...common, agents: ksocket });
  const scanNotices = new ScanNotices({ ...common, send: sender.send });
  scans.listen(scanNotices);
  tasks.register(scanTaskName.namespace, scanTaskName.method, scanTask({ database, clock, log, scans }));
  tasks.register(
    replayTaskName.namespace,
    replayTaskName.method,
    createReplayTask({ database, clock, sealing }),
  );
  const abandonedLeases = new AbandonedLeases(common);
  const dueRowsAhead = new DueRowsAhead(common, async () => {
    await scheduler.correctNextRuns();
    scheduler.wake();
    pipeline.reschedule();
  });
  const bulkLeases = {
    imports: new RowLeases(common, 'bulk_import'),
    exports: new RowLeases(common, 'bulk_export'),
  };
  const directory = new SlotDirectory(common);

  const bodies = new BodyBudget();

  const shared = {
    database,
    clock,
    log,
    nextId,
    contract,
    secret,
    sealing,
    signing,
    changes,
    intake,
    messageIndex,
    pipeline,
    deliveries,
    tasks,
    ksocket,
    agentRequests,
    gateways,
    gatewayPresence,
    krokerNotices,
    sessionStreams,
    sessionRelay: sessionStreams.relay,
    scans,
    scanNotices,
    failureNotices,
    slotWatch,
    pigeon: pigeon.runner,
    pigeonNotifications: pigeon.notifications,
    speech: pigeon.speech,
    mockPhone: pigeon.mockPhone,
    bulkLeases,
    bodies,
    largeMessages: new LargeMessageLimiter(),
    threads,
  };

  return {
    /** Dependencies shared by the services of every space. */
    shared,
    directory,
    serverMails,
    fetchPage: sender.fetchPage,
    /** Subscribes to changes by other replicas. Call it first so that none is missed. */
    async listen() {
      await changes.start(() => {
        directory.reload();
        pipeline.config.forget();
        signing.reload();
        pipeline.wake();
        scheduler.wake();
      });
    },
    async start() {
      await abandonedLeases.start();
      await dueRowsAhead.start();
      for (const leases of Object.values(bulkLeases)) await leases.start();
      await recoverJobs(common);
      await serverMails.start();
      await pigeon.start();
      await deliveries.start();
      await failureNotices.start();
      slotWatch.start();
      pipeline.start();
      await intake.start();
      await directory.start(options.listSlots);
      messageIndex.start();
      await tasks.start();
      await scheduler.correctNextRuns();
      await scheduler.start();
      sessions.start();
      await agentRequests.start();
      await ksocket.start(agentListener(scans, agentRequests));
      await krokerNotices.start();
      gatewayPresence.start();
      await sessionStreams.start();
      await gateways.start(sessionStreams.relay);
      await scanNotices.start();
      await scans.start();
    },
    /** Stops producers before the services they feed: intake before delivery. */
    async close() {
      await abandonedLeases.close();
      await dueRowsAhead.close();
      await threads.close();
      for (const leases of Object.values(bulkLeases)) await leases.close();
      await scanNotices.close();
      await scans.close();
      await sessions.close();
      await scheduler.close();
      await tasks.close();
      directory.close();
      await intake.close();
      await messageIndex.close();
      await pipeline.close();
      await slotWatch.close();
      await failureNotices.close();
      await agentRequests.close();
      await deliveries.close();
      await ksocket.close();
      await gateways.close();
      await sessionStreams.close();
      await gatewayPresence.close();
      await krokerNotices.close();
      await pigeon.close();
      await serverMails.close();
      await sender.close();
      await changes.close();
    },
  };
}

/** Forwards agent responses to their requesters. */
function agentListener(scans: Scans, requests: AgentRequests): AgentListener {
  return {
    onMessage: (agent, message) =>
      message.type === 'answer' || message.type === 'unanswered' || message.type === 'estimated'
        ? requests.onAnswer(agent, message)
        : scans.onMessage(agent, message),
    compose: (order, protocol) =>
      order.type === 'request' ? requests.compose(order.requestId) : scans.compose(order, protocol),
  };
}
