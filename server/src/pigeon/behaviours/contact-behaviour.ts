// Contacts: keeps the phones that callflows use, and masks numbers.
import { Problem } from '@yagura/core/http/problem';
import { contact } from '@yagura/core/pigeon/contact';
import { maskedPhone, phonePermission } from '@yagura/core/pigeon/masked-phone';
import type { Item } from '@yagura/core/resource/define-resource';
import type { Transaction } from '../../db/database.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import type { RequestContext } from '../../resource/request-context.ts';
import { type CallflowItem, stopsOf } from './callflow-behaviour.ts';

type Phones = Item<typeof contact>['phones'];

export const contactBehaviour: Behaviour<typeof contact> = {
  resource: contact,
  afterWrite: async (tx, context, id, body, before) => {
    const { length } = body.phones as Phones;
    if (before && length < (before.phones as Phones).length) await keepCalledPhones(tx, context, id, length);
  },
  present: (context, item) =>
    context.may(phonePermission)
      ? item
      : { ...item, phones: (item.phones as Phones).map(() => ({ phoneNumber: maskedPhone })) },
};

/** Refuses to remove a phone used by a callflow: the chain would skip the contact. */
async function keepCalledPhones(
  tx: Transaction,
  context: RequestContext,
  id: string,
  left: number,
): Promise<void> {
  const { rows } = await tx.query<{ body: CallflowItem }>(
    `select r.body from reference f join resource r on r.space_id = f.space_id and r.kind = f.from_kind and r.id = f.from_id
     where f.space_id = $1 and f.to_kind = 'contact' and f.to_id = $2 and f.from_kind = 'callflow' order by r.created_at`,
    [context.spaceId, id],
  );
  for (const { body } of rows) {
    const gone = stopsOf(body).find(({ stop }) => stop.contactId === id && stop.phone > left);
    if (!gone) continue;
    const reason = context.t('pigeon.phone-called', { phone: gone.stop.phone, name: body.displayName });
    throw new Problem('invalid', { invalidParams: [{ name: 'phones', reason }] });
  }
}
