// What every part of identity is given.
import type { IncomingMessage } from 'node:http';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Clock } from '../common/clock.ts';
import type { NextId } from '../common/id.ts';
import type { Log } from '../common/log.ts';
import type { Database, Queryable } from '../db/database.ts';
import type { MailOutbox } from '../mail-outbox/mail-outbox.ts';
import type { Translators } from './pages/language.ts';
import type { ServerSecret } from './secrets/server-secret.ts';

export interface IdentityContext {
  database: Database;
  clock: Clock;
  nextId: NextId;
  log: Log;
  /** The space whose people these are; every statement is bound to it. */
  spaceId: string;
  /** Origin under which browsers reach the server, without a slash at the end. */
  publicUrl: string;
  secret: ServerSecret;
  /** Where mails are queued. */
  mail: Pick<MailOutbox, 'queue' | 'wake' | 'canSend'>;
  audit: Pick<AuditLog, 'enqueue'>;
  translators: Translators;
  /** Name of the space, as it is at this moment. */
  spaceName(db: Queryable): Promise<string>;
  /** False: only the external provider lets people in. */
  passwordsEnabled: boolean;
  /** Most people that the space may have; null for no limit. */
  maxUsers: number | null;
  /** Notes when and from where a sign-in was made. */
  recordSignIn(
    req: IncomingMessage,
    options: { grantId: string; userId: string; clientId: string; externalToken?: Buffer | undefined },
  ): Promise<void>;
  /** Notes that the person of a sign-in has just shown anew who they are; `strong`: by a second step as well. */
  recordProof(grantId: string, strong: boolean): Promise<void>;
  /** Makes this process forget every verified credential at once. */
  clearPrincipalCache(): void;
}
