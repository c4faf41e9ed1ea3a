// The server's parts, made once at start and handed to whatever needs them.

import type { Deliveries } from './alerthub/deliveries.ts';
import type { FailureNotices } from './alerthub/failure-notices.ts';
import type { Intake } from './alerthub/intake.ts';
import type { LargeMessages } from './alerthub/message-bytes.ts';
import type { MessageIndex } from './alerthub/message-index.ts';
import type { Pipeline } from './alerthub/pipeline.ts';
import type { Retention } from './alerthub/retention.ts';
import type { SigningSecrets } from './alerthub/signing-secret.ts';
import type { SlotWatch } from './alerthub/slot-watch.ts';
import type { AuditLog } from './audit/audit-log.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Contract } from './contract/contract.ts';
import type { Database } from './db/database.ts';
import type { BodyBudget } from './http/body-budget.ts';
import type { NextId } from './id.ts';
import type { Identity } from './identity/identity.ts';
import type { ServerSecret } from './identity/server-secret.ts';
import type { Tasks } from './jobs/tasks.ts';
import type { KsocketHub } from './ksocket/hub.ts';
import type { Log } from './log.ts';
import type { MailOutbox } from './mail/mail-room.ts';
import type { ChainRunner } from './pigeon/engine.ts';
import type { Notifications } from './pigeon/notifications.ts';
import type { ChangeBus } from './resource/change-bus.ts';
import type { Sealing } from './resource/sealed-fields.ts';
import type { ScanNotices } from './sonar/scan-notices.ts';
import type { Scans } from './sonar/scans.ts';
import type { IpGuard } from './space/ip-guard.ts';
import type { ThreadPool } from './threads/pool.ts';

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
  slotWatch: SlotWatch;
  retention: Retention;
  /** Runs chains of calls. */
  pigeon: ChainRunner;
  pigeonNotifications: Notifications;
  /** Memory of all request bodies together. */
  bodies: BodyBudget;
  /** Turns for whole large messages in memory. */
  largeMessages: LargeMessages;
  /** For work that would hold up everybody else. */
  threads: ThreadPool;
  /** Adds work for the orderly stop; gives a function that takes it back. */
  onClose(work: () => void): () => void;
}
