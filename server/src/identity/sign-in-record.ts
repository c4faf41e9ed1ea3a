// Sign-ins for the audit log and the log of the server.
import type { IncomingMessage } from 'node:http';
import { errorFacts } from '../log.ts';
import type { IdentityContext } from './context.ts';

export interface SignInRecord {
  /** `methods` in the words of RFC 8176. */
  done(req: IncomingMessage, facts: { userId: string; methods: readonly string[] }): Promise<void>;
  /** `way` tells what was refused; what was typed as a name is not kept, for it may be a password. */
  refused(req: IncomingMessage, way: string, userId: string | null): void;
}

export function createSignInRecord(
  { database, spaceId, audit, log }: IdentityContext,
  clientAddress: (req: IncomingMessage) => string,
): SignInRecord {
  async function note(
    req: IncomingMessage,
    facts: { userId: string | null; outcome: 'done' | 'failed'; detail: string },
  ): Promise<void> {
    const { rows } = await database.query<{ name: string }>(
      'select display_name as name from person where space_id = $1 and user_id = $2',
      [spaceId, facts.userId],
    );
    audit.later({
      actor: { kind: facts.userId ? 'person' : 'guest', userId: facts.userId, name: rows[0]?.name ?? '' },
      from: { address: clientAddress(req), userAgent: req.headers['user-agent'] ?? '' },
      action: 'sign-in',
      outcome: facts.outcome,
      resource: 'sign-in',
      detail: facts.detail,
    });
  }

  return {
    async done(req, { userId, methods }) {
      log({ level: 'info', message: 'Signed in', userId, methods, address: clientAddress(req) });
      await note(req, { userId, outcome: 'done', detail: methods.join(' ') });
    },
    refused(req, way, userId) {
      void note(req, { userId, outcome: 'failed', detail: way }).catch((error: unknown) =>
        log({ level: 'error', message: 'Not written to the audit log', ...errorFacts(error) }),
      );
      log({
        level: 'warn',
        message: 'Sign-in failed',
        way,
        ...(userId ? { userId } : {}),
        address: clientAddress(req),
      });
    },
  };
}
