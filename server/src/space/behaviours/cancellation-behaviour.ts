// Cancels a space after a waiting period.
import { invalidField, Problem } from '@yagura/core/http/problem';
import type { Language } from '@yagura/core/i18n/translator';
import { cancellation } from '@yagura/core/space/cancellation';
import { isoTime } from '../../common/clock.ts';
import type { Queryable } from '../../db/database.ts';
import type { MailOutbox } from '../../delivery/mail-outbox/mail-outbox.ts';
import type { Identity } from '../../identity/identity.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { announce } from '../../resource/item-operations.ts';
import type { StoredItem } from '../../resource/item-store.ts';
import type { RequestContext, ResourceServices } from '../../resource/request-context.ts';

export interface CancellationServices extends ResourceServices {
  config: { cancelDays: number };
  contract: { maxUsers: number | null };
  identity: Identity;
  mail: MailOutbox;
  /** Public origin of the space. */
  publicUrl: string;
}

const day = 86_400_000;

interface Row {
  displayName: string;
  requestedAt: string | null;
  requestedBy: string | null;
  endsAt: string | null;
}

async function read(context: RequestContext, db: Queryable = context.services.database): Promise<Row> {
  const { rows } = await db.query<Row>(
    `select display_name as "displayName", cancel_requested_at as "requestedAt",
       cancel_requested_by as "requestedBy", cancel_ends_at as "endsAt" from space where space_id = $1`,
    [context.spaceId],
  );
  return rows[0]!;
}

async function show(context: RequestContext<CancellationServices>): Promise<StoredItem> {
  const { requestedAt, requestedBy, endsAt } = await read(context);
  const state = endsAt === null ? 'none' : 'waiting';
  const { cancelDays: waitingDays } = context.services.config;
  return {
    version: `${state} ${endsAt}`,
    item: { state, requestedAt, requestedBy, endsAt, waitingDays },
  };
}

/** Queues a mail to each privileged user; wake the mails after the commit. */
async function notifyMembers(
  tx: Queryable,
  context: RequestContext<CancellationServices>,
  kind: 'space-cancelled' | 'space-kept',
  endsAt: string,
): Promise<void> {
  const { mail } = context.services;
  const { rows } = await tx.query<{ email: string; name: string; language: Language | null }>(
    'select email, display_name as name, language from person where space_id = $1 and privileged and not disabled',
    [context.spaceId],
  );
  const { displayName } = await read(context, tx);
  for (const { email, name, language } of rows) {
    await mail.queue(tx, {
      kind,
      to: email,
      language: language ?? context.language,
      params: {
        name,
        space: displayName,
        who: context.principal.displayName,
        time: endsAt.slice(0, 16).replace('T', ' '),
        link: `${context.services.publicUrl}${cancellation.screen}`,
      },
    });
  }
}

export const cancellationBehaviour: Behaviour<typeof cancellation, CancellationServices> = {
  resource: cancellation,
  show,
  calls: {
    async request(context, body) {
      const { displayName, ...proof } = body;
      const { services, principal, spaceId, t } = context;
      const { displayName: name } = await read(context);
      if (displayName.normalize('NFKC').trim() !== name.normalize('NFKC').trim())
        throw invalidField('displayName', t('cancel.other-name', { name }));
      await services.identity.reauthenticate(principal, proof, t);
      const now = services.clock.now();
      const endsAt = isoTime(now + services.config.cancelDays * day);
      await context.transaction(async (tx) => {
        const { rowCount } = await tx.query(
          `update space set cancel_requested_at = $2, cancel_requested_by = $3, cancel_ends_at = $4
           where space_id = $1 and cancel_ends_at is null`,
          [spaceId, isoTime(now), principal.displayName, endsAt],
        );
        if (rowCount === 0) throw new Problem('conflict', { detail: t('cancel.already') });
        await notifyMembers(tx, context, 'space-cancelled', endsAt);
      });
      services.mail.wake();
      announce(context, cancellation, spaceId, 'update');
      return (await show(context)).item;
    },
    async withdraw(context) {
      const { services, spaceId, t } = context;
      const { endsAt } = await read(context);
      await context.transaction(async (tx) => {
        const { rowCount } = await tx.query(
          `update space set cancel_requested_at = null, cancel_requested_by = null, cancel_ends_at = null
           where space_id = $1 and cancel_ends_at is not null`,
          [spaceId],
        );
        if (rowCount === 0) throw new Problem('conflict', { detail: t('cancel.none') });
        await notifyMembers(tx, context, 'space-kept', endsAt ?? '');
      });
      services.mail.wake();
      announce(context, cancellation, spaceId, 'update');
      return (await show(context)).item;
    },
  },
};
