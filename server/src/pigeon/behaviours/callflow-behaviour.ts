// Callflows: the phones that they call exist, and a transfer needs a ticket.
import type { FeatureGate } from '@yagura/core/access/features';
import { Problem } from '@yagura/core/http/problem';
import { callflow } from '@yagura/core/pigeon/callflow';
import type { Item } from '@yagura/core/resource/define-resource';
import type { Behaviour } from '../../resource/behaviour.ts';
import type { RequestContext, ResourceServices } from '../../resource/request-context.ts';

export interface PigeonSettingServices extends ResourceServices {
  contract: FeatureGate;
}

export type CallflowItem = Item<typeof callflow>;

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

export function refuseWithoutTicket(context: RequestContext<PigeonSettingServices>, name: string): void {
  if (context.services.contract.allowsFeature('pigeon-transfer')) return;
  throw new Problem('invalid', {
    invalidParams: [{ name, reason: context.t('pigeon.transfer-ticket') }],
  });
}

/** Every phone that a callflow calls, with its path in the body. */
export function stopsOf({ contacts, transferTo }: Pick<CallflowItem, 'contacts' | 'transferTo'>) {
  return [
    ...contacts.map((stop, at) => ({ path: `contacts.${at}`, stop })),
    ...(transferTo ? [{ path: 'transferTo', stop: transferTo }] : []),
  ];
}
