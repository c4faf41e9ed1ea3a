// Recognizes browsers that a user has signed in with before by a cookie, so that failed guesses elsewhere do
// not lock them out.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isoTime } from '../../common/clock.ts';
import { sha256 } from '../../common/secrets/server-secret.ts';
import type { Queryable } from '../../db/database.ts';
import type { IdentityContext } from '../identity-context.ts';
import { newLinkToken } from '../tokens/one-time-tokens.ts';

export const knownDeviceRetentionDays = 180;
/** Maximum devices per user; a new one replaces the one that would expire first. */
const maxDevices = 20;

export interface KnownDevices {
  /**
   * The device of this request when it is known for the user; `secondStep`: only if it also passed the second
   * step.
   */
  findForUser(
    req: IncomingMessage,
    userId: string,
    options?: { secondStep: boolean },
  ): Promise<string | undefined>;
  /** Same, by the email address entered. */
  findForEmail(req: IncomingMessage, email: string): Promise<string | undefined>;
  /** Remembers the browser for the user, who has just authenticated. */
  remember(
    exchange: { req: IncomingMessage; res: ServerResponse },
    userId: string,
    options: { secondStep: boolean },
    db?: Queryable,
  ): Promise<void>;
  sweep(): Promise<void>;
}

export function createKnownDevices(context: IdentityContext): KnownDevices {
  const { database, clock, spaceId, publicUrl } = context;
  const secure = publicUrl.startsWith('https:');
  const cookieName = secure ? '__Host-yagura_device' : 'yagura_device';

  function tokenOf(req: IncomingMessage): string | undefined {
    for (const part of (req.headers.cookie ?? '').split(';')) {
      const [name, value = ''] = part.split('=', 2).map((text) => text.trim());
      if (name === cookieName && /^[\w-]{43}$/.test(value)) return value;
    }
    return undefined;
  }

  async function find(
    req: IncomingMessage,
    condition: string,
    value: string,
    secondStep: boolean,
  ): Promise<string | undefined> {
    const token = tokenOf(req);
    if (token === undefined) return undefined;
    const hash = sha256(token);
    const { rows } = await database.query(
      `select 1 from known_device d join person p on p.space_id = d.space_id and p.user_id = d.user_id
       where d.space_id = $1 and d.token_hash = $2 and d.expires_at > $3 and (d.second_step or not $4::boolean)
         and ${condition}`,
      [spaceId, hash, isoTime(clock.now()), secondStep, value],
    );
    return rows.length > 0 ? hash.toString('hex') : undefined;
  }

  async function isKnown(db: Queryable, token: string): Promise<boolean> {
    const { rows } = await db.query(
      'select 1 from known_device where space_id = $1 and token_hash = $2 and expires_at > $3 limit 1',
      [spaceId, sha256(token), isoTime(clock.now())],
    );
    return rows.length > 0;
  }

  return {
    findForUser: (req, userId, { secondStep } = { secondStep: false }) =>
      find(req, 'p.user_id = $5::uuid', userId, secondStep),
    findForEmail: (req, email) => find(req, 'lower(p.email) = lower($5::text)', email.trim(), false),

    async remember({ req, res }, userId, { secondStep }, db = database) {
      // One token for all users of a browser. A token not issued here may have been planted, so it is
      // replaced.
      const shown = tokenOf(req);
      const token = shown !== undefined && (await isKnown(db, shown)) ? shown : newLinkToken();
      const now = clock.now();
      const expiresAt = isoTime(now + knownDeviceRetentionDays * 86_400_000);
      await db.query(
        `insert into known_device (space_id, user_id, token_hash, second_step, expires_at, created_at)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (space_id, user_id, token_hash) do update
           set second_step = known_device.second_step or excluded.second_step, expires_at = excluded.expires_at`,
        [spaceId, userId, sha256(token), secondStep, expiresAt, isoTime(now)],
      );
      await db.query(
        `delete from known_device where space_id = $1 and user_id = $2 and token_hash not in (
           select token_hash from known_device where space_id = $1 and user_id = $2
           order by expires_at desc, created_at desc limit ${maxDevices})`,
        [spaceId, userId],
      );
      res.appendHeader(
        'set-cookie',
        `${cookieName}=${token}; Path=/; Max-Age=${knownDeviceRetentionDays * 86_400}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`,
      );
    },

    async sweep() {
      await database.query('delete from known_device where space_id = $1 and expires_at < $2', [
        spaceId,
        isoTime(clock.now()),
      ]);
    },
  };
}
