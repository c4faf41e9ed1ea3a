// On-premises webhooks: the same request and result evaluation as any webhook, sent through an on-site agent.
import type { OnPremisesRequest } from '@yagura/core/alerthub/engine/template/render-action';
import type { Clock } from '../../common/clock.ts';
import { parseOutgoingUrl } from '../../delivery/outgoing-url.ts';
import { type DeliveryMeta, failedResult, type SendResult } from '../../delivery/send-result.ts';
import { buildWebhookHeaders, findForbiddenHeaders } from '../../delivery/webhook-headers.ts';
import type { Delivery } from './delivery-store.ts';
import { type SigningSecrets, sendSigned } from './signing-secrets.ts';

export const onPremisesFeature = 'webhook-on-premises';

/** Creates the sender of this kind; it never rejects. */
export function createOnPremisesSender(deps: {
  /** Passes a request to the agent of a slot; never rejects. */
  send(
    at: { spaceId: string; ksocketSlotId: string },
    request: OnPremisesRequest,
    meta: DeliveryMeta,
  ): Promise<SendResult>;
  /** Whether the contract includes the ticket. */
  isOpen(): boolean;
  clock: Clock;
  signing: Pick<SigningSecrets, 'activeSecrets'>;
  userAgent: string;
}): (delivery: Delivery) => Promise<SendResult> {
  const { clock, signing, userAgent } = deps;
  return async ({ spaceId, actionId, request, deliveryId, attempt, runbookRecordId }) => {
    if (!deps.isOpen()) return failedResult('delivery.noTicket', {}, { retry: false });
    const webhook = request as OnPremisesRequest;
    const { ksocketSlotId } = webhook;
    const target = parseOutgoingUrl(webhook.url);
    if (typeof target === 'string')
      return failedResult('delivery.blockedUrl', { detail: target }, { retry: false });
    const refused = findForbiddenHeaders(webhook.headers)[0];
    if (refused !== undefined)
      return failedResult('delivery.blockedHeader', { name: refused }, { retry: false });
    const meta: DeliveryMeta = {
      deliveryId,
      attempt,
      timestamp: clock.now(),
      ...(runbookRecordId ? { keepAnswer: true } : {}),
    };
    return sendSigned(signing, actionId, (secrets) => {
      const headers = buildWebhookHeaders(webhook, meta, { secrets, userAgent });
      return deps.send({ spaceId, ksocketSlotId }, { ...webhook, headers }, meta);
    });
  };
}
