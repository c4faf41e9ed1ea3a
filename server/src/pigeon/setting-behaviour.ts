// Contacts, callflows and guidances: rules beyond their descriptors.

import type { FeatureGate } from '@yagura/core/access/features';
import { formatReason } from '@yagura/core/alerthub/engine/errors/decision-reason';
import { Problem } from '@yagura/core/http/problem';
import { callflow } from '@yagura/core/pigeon/callflow';
import { contact } from '@yagura/core/pigeon/contact';
import { guidance } from '@yagura/core/pigeon/guidance';
import { maskedPhone, phonePermission } from '@yagura/core/pigeon/masked-phone';
import type { Item } from '@yagura/core/resource/define-resource';
import { checkGuidance } from '@yagura/core/speech/spoken-text';
import type { Transaction } from '../db/database.ts';
import type { Behaviour } from '../resource/behaviour.ts';
import type { RequestContext, ResourceServices } from '../resource/request-context.ts';

export interface PigeonSettingServices extends ResourceServices {
  contract: FeatureGate;
}

type CallflowItem = Item<typeof callflow>;
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

export const callflowBehaviour: Behaviour<typeof callflow, PigeonSettingServices> = {
  resource: callflow,
  body(context, input, before) {
    const { transferTo } = input as CallflowItem;
    // A transfer saved while the ticket was held may stay when other fields are edited.
    const was = (before as CallflowItem | undefined)?.transferTo;
    const asBefore = was?.contactId === transferTo?.contactId && was?.phone === transferTo?.phone;
    if (transferTo && !asBefore) refuseWithoutTicket(context, 'transferTo');
    return input;
  },
  afterWrite: async (tx, context, _id, body) => {
    const stops = stopsOf(body as CallflowItem);
    const { rows } = await tx.query<{ id: string; phones: number }>(
      `select id, jsonb_array_length(body->'phones') as phones from resource
       where space_id = $1 and kind = 'contact' and id = any($2::uuid[])`,
      [context.spaceId, [...new Set(stops.map(({ stop }) => stop.contactId))]],
    );
    const known = new Map(rows.map((row) => [row.id, row.phones]));
    const invalidParams = stops
      .filter(({ stop }) => stop.phone > (known.get(stop.contactId) ?? 0))
      .map(({ path, stop }) => ({
        name: `${path}.phone`,
        reason: context.t('pigeon.no-such-phone', { count: known.get(stop.contactId) ?? 0 }),
      }));
    if (invalidParams.length > 0) throw new Problem('invalid', { invalidParams });
  },
};

export const guidanceBehaviour: Behaviour<typeof guidance, PigeonSettingServices> = {
  resource: guidance,
  body(context, input, before) {
    const { messageTemplate, reactions } = input as Item<typeof guidance>;
    const errors = checkGuidance({ messageTemplate, reactions });
    if (errors.length > 0) {
      const say = (error: (typeof errors)[number]) => ({
        name: error.path,
        reason: formatReason(error.reason, context.t),
      });
      throw new Problem('invalid', { invalidParams: errors.map(say) });
    }
    const earlier = (before as Item<typeof guidance> | undefined)?.reactions ?? {};
    for (const [digit, reaction] of Object.entries(reactions)) {
      const was = earlier[digit as keyof typeof earlier]?.behavior;
      if (reaction.behavior === 'transfer' && was !== 'transfer')
        refuseWithoutTicket(context, `reactions.${digit}.behavior`);
    }
    return input;
  },
};

function refuseWithoutTicket(context: RequestContext<PigeonSettingServices>, name: string): void {
  if (context.services.contract.allowsFeature('pigeon-transfer')) return;
  throw new Problem('invalid', {
    invalidParams: [{ name, reason: context.t('pigeon.transfer-ticket') }],
  });
}

/** Every phone that a callflow calls, with its path in the body. */
function stopsOf({ contacts, transferTo }: Pick<CallflowItem, 'contacts' | 'transferTo'>) {
  return [
    ...contacts.map((stop, at) => ({ path: `contacts.${at}`, stop })),
    ...(transferTo ? [{ path: 'transferTo', stop: transferTo }] : []),
  ];
}
