// Invitation API: open invitations with the state of their link.

import { Problem } from '@yagura/core/http/problem';
import { invitation } from '@yagura/core/space/invitation';
import { isUuid } from '../../common/id.ts';
import type { Queryable } from '../../db/database.ts';
import type { MailOutbox } from '../../delivery/mail-outbox/mail-outbox.ts';
import type { Identity } from '../../identity/identity.ts';
import { type InviterRow, inviterColumns, mayStillInvite } from '../../identity/users/inviter.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { itemNotFound } from '../../resource/item-not-found.ts';
import { announce } from '../../resource/item-operations.ts';
import { findItem } from '../../resource/item-store.ts';
import { rowTable, type Table } from '../../resource/list/table.ts';
import type { RequestContext, ResourceServices } from '../../resource/request-context.ts';
import { assertMayGrant } from '../check-role-grants.ts';

export interface InvitationServices extends ResourceServices {
  identity: Identity;
  mail: MailOutbox;
}

const rows = rowTable(invitation, {
  from: 'invitation i left join person p on p.user_id = i.invited_by',
  alias: 'i',
  without: ['status', 'invitedBy'],
  select: `p.display_name as invited_by_name, ${inviterColumns('p')}`,
  item: (row) => ({
    invitedBy: row.invited_by_name ?? null,
    isInviterEntitled: mayStillInvite(row as unknown as InviterRow, row.roles as string[]),
  }),
});
const table: Table = { ...rows, where: `${rows.where} and i.accepted_at is null` };

export const invitationBehaviour: Behaviour<typeof invitation, InvitationServices> = {
  resource: invitation,
  table,
  present: withStatus,
  async create(tx, context, input) {
    const { identity, mail } = context.services;
    const { email, language } = input;
    const roles = [...new Set(input.roles)];
    assertMayGrant(context, roles);
    const id = await identity.invite(tx, context.principal, { email, roles, language });
    if (id === null)
      throw new Problem('conflict', {
        title: context.t('refusal.title.exists'),
        invalidParams: [{ name: 'email', reason: context.t('card.taken') }],
      });
    return {
      item: withStatus(context, (await show(context, id, tx)).item),
      onCommitted() {
        mail.wake();
        announce(context, invitation, id, 'create');
      },
    };
  },
  async remove(tx, context) {
    const id = context.params.invitationId;
    const { rowCount } = isUuid(id)
      ? await tx.query(
          'delete from invitation where space_id = $1 and invitation_id = $2 and accepted_at is null',
          [context.spaceId, id],
        )
      : { rowCount: 0 };
    if (rowCount === 0) throw itemNotFound(context, invitation);
    return () => announce(context, invitation, id!, 'delete');
  },
  calls: {
    async resend(context) {
      const { identity, mail } = context.services;
      const id = context.params.invitationId ?? '';
      // Renewing a link grants its roles again.
      assertMayGrant(context, ((isUuid(id) ? (await show(context, id)).item.roles : []) ?? []) as string[]);
      await context.transaction(async (tx) => {
        if (!isUuid(id) || !(await identity.resend(tx, context.principal, id)))
          throw itemNotFound(context, invitation);
      });
      mail.wake();
      announce(context, invitation, id, 'update');
      return withStatus(context, (await show(context, id)).item);
    },
  },
};

/** State of the link by the server's clock; it also ends when its inviter may no longer give its roles. */
function withStatus(
  context: RequestContext,
  { isInviterEntitled, ...item }: Record<string, unknown>,
): Record<string, unknown> {
  const expired =
    isInviterEntitled === false || Date.parse(String(item.expiresAt)) <= context.services.clock.now();
  return { ...item, status: expired ? 'expired' : 'pending' };
}

async function show(context: RequestContext, id: string, db: Queryable = context.services.database) {
  const found = await findItem(db, context, invitation, table, id);
  if (!found) throw itemNotFound(context, invitation);
  return found;
}
