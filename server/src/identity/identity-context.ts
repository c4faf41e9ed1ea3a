// Dependencies shared by the identity modules.
import type { IncomingMessage } from 'node:http';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Clock } from '../common/clock.ts';
import type { NextId } from '../common/id.ts';
import type { Log } from '../common/log.ts';
import type { ServerSecret } from '../common/secrets/server-secret.ts';
import type { Database, Queryable } from '../db/database.ts';
import type { MailOutbox } from '../delivery/mail-outbox/mail-outbox.ts';
import type { Translators } from './pages/language.ts';

export interface IdentityContext {
  database: Database;
  clock: Clock;
  nextId: NextId;
  log: Log;
  /** Id of the space; every statement is scoped to it. */
  spaceId: string;
  /** Origin under which browsers reach the server, without a trailing slash. */
  publicUrl: string;
  secret: ServerSecret;
  /** Queue for outgoing mail. */
  mail: Pick<MailOutbox, 'queue' | 'wake' | 'canSend'>;
  audit: Pick<AuditLog, 'enqueue'>;
  translators: Translators;
  /** Current name of the space. */
  spaceName(db: Queryable): Promise<string>;
  /** False: only the external provider signs users in. */
  passwordsEnabled: boolean;
  /** Maximum number of users of the space; null for unlimited. */
  maxUsers: number | null;
  /** Records time and origin of a sign-in. */
  recordSignIn(
    req: IncomingMessage,
    options: { grantId: string; userId: string; clientId: string; externalToken?: Buffer | undefined },
  ): Promise<void>;
  /** Records that the user of a sign-in has just re-authenticated; `strong`: with a second factor. */
  recordProof(grantId: string, strong: boolean): Promise<void>;
  /** Clears this process's cache of verified credentials. */
  clearPrincipalCache(): void;
}
