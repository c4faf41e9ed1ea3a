// Records sign-ins in the audit log and the server log.
import type { IncomingMessage } from 'node:http';
import { errorFields } from '../../common/log.ts';
import type { AccountChange } from '../external/resolve-account.ts';
import type { IdentityContext } from '../identity-context.ts';

export interface SignInLog {
  /** `methods` as defined in RFC 8176. */
  succeeded(req: IncomingMessage, entry: { userId: string; methods: readonly string[] }): Promise<void>;
  /**
   * `method` says what was refused, `userId` who passed the step before. The entered `email` is not recorded, since it
   * may be a password, but the account that has it is.
   */
  failed(req: IncomingMessage, method: string, userId: string | null, email?: string): void;
  /** The command line may act as this user from now on, also where a browser was signed in already. */
  cliAuthorized(req: IncomingMessage, userId: string): Promise<void>;
  /** What an external provider has changed at a sign-in. */
  accountChanged(req: IncomingMessage, provider: string, change: AccountChange): void;
}

export function createSignInLog(
  { database, spaceId, audit, log }: IdentityContext,
  clientAddress: (req: IncomingMessage) => string,
): SignInLog {
  async function writeAuditEntry(
    req: IncomingMessage,
    entry: {
      userId: string | null;
      email?: string | undefined;
      action?: string;
      outcome: 'done' | 'failed';
      detail?: string;
    },
  ): Promise<void> {
    const { userId, email = null } = entry;
    const { rows } = await database.query<{ userId: string; name: string }>(
      `select user_id as "userId", display_name as name from person
       where space_id = $1 and (user_id = $2 or lower(email) = lower($3))`,
      [spaceId, userId, email],
    );
    const [account] = rows;
    audit.enqueue({
      actor: userId
        ? { kind: 'person', userId, name: account?.name ?? '' }
        : { kind: 'guest', userId: null, name: '' },
      from: originOf(req),
      action: entry.action ?? 'sign-in',
      outcome: entry.outcome,
      resource: 'sign-in',
      resourceId: account?.userId,
      detail: entry.detail,
    });
  }

  const originOf = (req: IncomingMessage) => ({
    address: clientAddress(req),
    userAgent: req.headers['user-agent'] ?? '',
  });

  return {
    accountChanged(req, provider, { userId, action, before, after }) {
      audit.enqueue({
        ...{ actor: { kind: 'server', userId: null, name: provider }, from: originOf(req), outcome: 'done' },
        ...{ action, resource: action === 'link-account' ? 'sign-in' : 'user', resourceId: userId },
        ...{ before, after },
      });
    },
    async cliAuthorized(req, userId) {
      log({ level: 'info', message: 'Command line authorized', userId, address: clientAddress(req) });
      await writeAuditEntry(req, { userId, action: 'authorize-cli', outcome: 'done' });
    },
    async succeeded(req, { userId, methods }) {
      log({ level: 'info', message: 'Signed in', userId, methods, address: clientAddress(req) });
      await writeAuditEntry(req, { userId, outcome: 'done', detail: methods.join(' ') });
    },
    failed(req, method, userId, email) {
      void writeAuditEntry(req, { userId, email, outcome: 'failed', detail: method }).catch(
        (error: unknown) =>
          log({ level: 'error', message: 'Not written to the audit log', ...errorFields(error) }),
      );
      log({
        level: 'warn',
        message: 'Sign-in failed',
        way: method,
        ...(userId ? { userId } : {}),
        address: clientAddress(req),
      });
    },
  };
}
