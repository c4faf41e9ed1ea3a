// The server's parts, made once at start and handed to whatever needs them.

import type { Deliveries } from '../alerthub/deliveries/deliveries.ts';
import type { SigningSecrets } from '../alerthub/deliveries/signing-secrets.ts';
import type { Intake } from '../alerthub/intake/intake.ts';
import type { LargeMessageLimiter } from '../alerthub/messages/message-bytes.ts';
import type { MessageIndex } from '../alerthub/messages/message-index.ts';
import type { FailureNotices } from '../alerthub/notices/failure-notices.ts';
import type { Pipeline } from '../alerthub/pipeline/pipeline.ts';
import type { Retention } from '../alerthub/retention/retention.ts';
import type { SilenceMonitor } from '../alerthub/slots/silence-monitor.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Clock } from '../common/clock.ts';
import type { NextId } from '../common/id.ts';
import type { Log } from '../common/log.ts';
import type { Config } from '../config/config.ts';
import type { Contract } from '../contract/contract.ts';
import type { Database } from '../db/database.ts';
import type { BodyBudget } from '../http/body/body-budget.ts';
import type { Identity } from '../identity/identity.ts';
import type { ServerSecret } from '../identity/secrets/server-secret.ts';
import type { Tasks } from '../jobs/tasks.ts';
import type { KsocketHub } from '../ksocket/ksocket-hub.ts';
import type { MailOutbox } from '../mail-outbox/mail-outbox.ts';
import type { ChainRunner } from '../pigeon/chain-runner.ts';
import type { ChainNotifications } from '../pigeon/notifications.ts';
import type { ChangeBus } from '../resource/change-bus.ts';
import type { Sealing } from '../resource/sealing/sealed-fields.ts';
import type { ScanNotices } from '../sonar/scan-notices.ts';
import type { Scans } from '../sonar/scans.ts';
import type { IpGuard } from '../space/ip-guard.ts';
import type { ThreadPool } from '../threads/pool.ts';

export interface Services {
  config: Config;
  /** Origin under which the server is reached. */
  publicUrl: string;
  /** What stands behind the @ of the receive slots' mail addresses. */
  mailDomain: string;
  /** The space of this server. */
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
  /** Seals what is stored and must not be read there. */
  secret: Pick<ServerSecret, 'seal' | 'open' | 'keyedHash'>;
  /** Seals the secrets within settings and requests, and opens them for who may read them. */
  sealing: Sealing;
  /** The secrets that sign webhooks of actions. */
  signing: SigningSecrets;
  changes: ChangeBus;
  /** Asked by everything that does not come by `contextOf`, such as a socket of its own. */
  ipGuard: IpGuard;
  intake: Intake;
  messageIndex: MessageIndex;
  pipeline: Pipeline;
  deliveries: Deliveries;
  /** Modules register what runs their tasks before the server starts them. */
  tasks: Tasks;
  /** The connected on-site agents. */
  ksocket: KsocketHub;
  scans: Scans;
  scanNotices: ScanNotices;
  failureNotices: FailureNotices;
  slotWatch: SilenceMonitor;
  retention: Retention;
  /** Runs chains of calls. */
  pigeon: ChainRunner;
  pigeonNotifications: ChainNotifications;
  /** Memory of all request bodies together. */
  bodies: BodyBudget;
  /** Turns for whole large messages in memory. */
  largeMessages: LargeMessageLimiter;
  /** For work that would hold up everybody else. */
  threads: ThreadPool;
  /** Adds work for the orderly stop; gives a function that takes it back. */
  onClose(work: () => void): () => void;
}
