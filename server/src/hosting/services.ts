// Services created at start and passed to all modules of a space.

import type { Deliveries } from '../alerthub/deliveries/deliveries.ts';
import type { SigningSecrets } from '../alerthub/deliveries/signing-secrets.ts';
import type { Intake } from '../alerthub/intake/intake.ts';
import type { LargeMessageLimiter } from '../alerthub/messages/message-bytes.ts';
import type { MessageIndex } from '../alerthub/messages/message-index.ts';
import type { FailureNotices } from '../alerthub/notices/failure-notices.ts';
import type { Pipeline } from '../alerthub/pipeline/pipeline.ts';
import type { Retention } from '../alerthub/retention/retention.ts';
import type { InactivityMonitor } from '../alerthub/slots/inactivity-monitor.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Clock } from '../common/clock.ts';
import type { NextId } from '../common/id.ts';
import type { Log } from '../common/log.ts';
import type { Encryption, KeyedHash } from '../common/secrets/server-secret.ts';
import type { Config } from '../config/config.ts';
import type { Contract } from '../contract/contract.ts';
import type { ChangeBus } from '../db/change-bus.ts';
import type { Database } from '../db/database.ts';
import type { MailOutbox } from '../delivery/mail-outbox/mail-outbox.ts';
import type { SessionRelay } from '../greac/stream/session-relay.ts';
import type { SessionStreams } from '../greac/stream/session-streams.ts';
import type { BodyBudget } from '../http/body/body-budget.ts';
import type { Identity } from '../identity/identity.ts';
import type { RowLeases } from '../jobs/leases/row-leases.ts';
import type { PeriodicJob } from '../jobs/periodic-job.ts';
import type { Tasks } from '../jobs/tasks.ts';
import type { GatewayHub } from '../kroker/gateway-hub.ts';
import type { GatewayPresence } from '../kroker/gateway-presence.ts';
import type { KrokerNotices } from '../kroker/kroker-notices.ts';
import type { AgentRequests } from '../ksocket/agent-requests.ts';
import type { KsocketHub } from '../ksocket/ksocket-hub.ts';
import type { ChainRunner } from '../pigeon/chain-runner.ts';
import type { MockPhone } from '../pigeon/mock-phone/mock-phone.ts';
import type { ChainNotifications } from '../pigeon/notifications.ts';
import type { SpeechRenderer } from '../pigeon/voice/speech-renderer.ts';
import type { ItemVisibility } from '../resource/request-context.ts';
import type { Sealing } from '../resource/sealing/sealed-fields.ts';
import type { ScanNotices } from '../sonar/scan-notices.ts';
import type { Scans } from '../sonar/scans.ts';
import type { IpGuard } from '../space/ip-guard.ts';
import type { ServerThreads } from './create-thread-pool.ts';

export interface Services {
  config: Config;
  /** Public origin of the server. */
  publicUrl: string;
  /** Domain of the receive slots' mail addresses. */
  mailDomain: string;
  /** Id of this server's space. */
  spaceId: string;
  /** Price plan and tickets of the space. */
  contract: Contract;
  clock: Clock;
  nextId: NextId;
  log: Log;
  database: Database;
  identity: Identity;
  mail: MailOutbox;
  audit: AuditLog;
  /** Encrypts stored values that must not be readable in the database. */
  secret: KeyedHash & Encryption;
  /** Encrypts secrets in settings and requests, and decrypts them for permitted readers. */
  sealing: Sealing;
  /** Secrets that sign action webhooks. */
  signing: SigningSecrets;
  /** Which items a caller sees, of resources with row-level conditions. */
  visibility: ItemVisibility;
  changes: ChangeBus;
  /** To be checked by everything that does not use `contextOf`, such as a separate socket. */
  ipGuard: IpGuard;
  intake: Intake;
  messageIndex: MessageIndex;
  pipeline: Pipeline;
  deliveries: Deliveries;
  /** Modules register their task runners before the server starts them. */
  tasks: Tasks;
  /** Connected on-site agents. */
  ksocket: KsocketHub;
  agentRequests: AgentRequests;
  /** Connected gateways of remote sessions. */
  gateways: GatewayHub;
  gatewayPresence: GatewayPresence;
  krokerNotices: KrokerNotices;
  sessionStreams: SessionStreams;
  sessionRelay: SessionRelay;
  scans: Scans;
  scanNotices: ScanNotices;
  failureNotices: FailureNotices;
  slotWatch: InactivityMonitor;
  retention: Retention;
  logRetention: PeriodicJob;
  snapshotRetention: PeriodicJob;
  resultRetention: PeriodicJob;
  /** Runs call chains. */
  pigeon: ChainRunner;
  pigeonNotifications: ChainNotifications;
  /** Speaks texts for phone lines. */
  speech: SpeechRenderer;
  /** For developers; null if none is configured. */
  mockPhone: MockPhone | null;
  /** Leases of imports and exports that this process works on. */
  bulkLeases: Record<'imports' | 'exports', RowLeases>;
  /** Memory budget of all request bodies. */
  bodies: BodyBudget;
  /** Limits concurrent large messages in memory. */
  largeMessages: LargeMessageLimiter;
  /** For work that would block the event loop. */
  threads: ServerThreads;
  /** Adds work to the graceful shutdown; returns a function that removes it. */
  onClose(work: () => void): () => void;
}
