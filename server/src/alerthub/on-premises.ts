// Webhooks on premises: the same request and verdict as any webhook, carried to its target by an on-site agent.
import type { OnPremisesRequest } from '@yagura/core/alerthub/decide/render-action';
import type { Clock } from '../clock.ts';
import { parseOutgoingUrl } from '../delivery/outgoing-url.ts';
import { type DeliveryMeta, failure, type SendResult } from '../delivery/send-result.ts';
import { refusedHeader, webhookHeaders } from '../delivery/webhook-headers.ts';
import type { Delivery } from './delivery-store.ts';
import { type SigningSecrets, sendSigned } from './signing-secret.ts';

export const onPremisesFeature = 'webhook-on-premises';

/** Gives the sender of this kind; it never rejects. */
export function createOnPremisesSender(parts: {
  /** Hands a request to the agent of a slot; never rejects. */
  send(
    at: { spaceId: string; ksocketSlotId: string },
    request: OnPremisesRequest,
    meta: DeliveryMeta,
  ): Promise<SendResult>;
  /** Whether the contract has the ticket. */
  isOpen(): boolean;
  clock: Clock;
  signing: Pick<SigningSecrets, 'of'>;
  userAgent: string;
}): (delivery: Delivery) => Promise<SendResult> {
  const { clock, signing, userAgent } = parts;
  return async ({ spaceId, actionId, request, deliveryId, attempt, runbookRecordId }) => {
    if (!parts.isOpen()) return failure('delivery.noTicket', {}, { retry: false });
    const webhook = request as OnPremisesRequest;
    const { ksocketSlotId } = webhook;
    const target = parseOutgoingUrl(webhook.url);
    if (typeof target === 'string')
      return failure('delivery.blockedUrl', { detail: target }, { retry: false });
    const refused = refusedHeader(webhook.headers);
    if (refused !== null) return failure('delivery.blockedHeader', { name: refused }, { retry: false });
    const meta: DeliveryMeta = {
      deliveryId,
      attempt,
      timestamp: clock.now(),
      ...(runbookRecordId ? { keepAnswer: true } : {}),
    };
    return sendSigned(signing, actionId, (secrets) => {
      const headers = webhookHeaders(webhook, meta, { secrets, userAgent });
      return parts.send({ spaceId, ksocketSlotId }, { ...webhook, headers }, meta);
    });
  };
}
