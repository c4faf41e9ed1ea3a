// Records sign-ins in the audit log and the server log.
import type { IncomingMessage } from 'node:http';
import { errorFields } from '../../common/log.ts';
import type { IdentityContext } from '../identity-context.ts';

export interface SignInLog {
  /** `methods` as defined in RFC 8176. */
  succeeded(req: IncomingMessage, entry: { userId: string; methods: readonly string[] }): Promise<void>;
  /** `way` says what was refused. The entered user name is not recorded, since it may be a password. */
  failed(req: IncomingMessage, method: string, userId: string | null): void;
}

export function createSignInLog(
  { database, spaceId, audit, log }: IdentityContext,
  clientAddress: (req: IncomingMessage) => string,
): SignInLog {
  async function writeAuditEntry(
    req: IncomingMessage,
    entry: { userId: string | null; outcome: 'done' | 'failed'; detail: string },
  ): Promise<void> {
    const { rows } = await database.query<{ name: string }>(
      'select display_name as name from person where space_id = $1 and user_id = $2',
      [spaceId, entry.userId],
    );
    audit.enqueue({
      actor: { kind: entry.userId ? 'person' : 'guest', userId: entry.userId, name: rows[0]?.name ?? '' },
      from: { address: clientAddress(req), userAgent: req.headers['user-agent'] ?? '' },
      action: 'sign-in',
      outcome: entry.outcome,
      resource: 'sign-in',
      detail: entry.detail,
    });
  }

  return {
    async succeeded(req, { userId, methods }) {
      log({ level: 'info', message: 'Signed in', userId, methods, address: clientAddress(req) });
      await writeAuditEntry(req, { userId, outcome: 'done', detail: methods.join(' ') });
    },
    failed(req, method, userId) {
      void writeAuditEntry(req, { userId, outcome: 'failed', detail: method }).catch((error: unknown) =>
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
