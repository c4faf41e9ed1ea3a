// Line that sends each call to an HTTP telephony provider and receives its status, both signed
// (docs/pigeon-lines.md).
import { type Clock, isoTime } from '../../common/clock.ts';
import type { WebhookSender } from '../../delivery/webhook-sender.ts';
import { type CallReport, chainTimeoutsMs } from '../chain-state.ts';
import { type CallOrder, type PhoneLine, readingPlan } from '../line.ts';

export interface WebhookLineDeps {
  url: string;
  /** Signs requests and verifies callbacks. */
  secret: Uint8Array;
  /** Public origin of a space and its receivers. */
  originOf(spaceId: string): string;
  sender: Pick<WebhookSender, 'sendWebhook'>;
  clock: Clock;
}

/** Path of the provider's status callbacks. */
export const callbackPath = '/receive/pigeon/calls';

export function createWebhookLine({ url, secret, originOf, sender, clock }: WebhookLineDeps): PhoneLine {
  const post = (deliveryId: string, body: Record<string, unknown>) =>
    sender.sendWebhook(
      { url, method: 'POST', headers: {}, body: JSON.stringify({ ...body, sentAt: isoTime(clock.now()) }) },
      { deliveryId, attempt: 1, timestamp: clock.now() },
      { secrets: [secret] },
    );
  return {
    kind: 'webhook',
    outlives: true,
    dial(order, onReport) {
      void post(order.callId, startOf(order, originOf(order.spaceId))).then(({ outcome, reason }) => {
        // The provider reports all further progress itself.
        const report: CallReport =
          outcome === 'succeeded'
            ? { kind: 'accepted' }
            : { kind: 'ended', reason: 'lineFailed', detail: reason };
        onReport(report);
      });
    },
    hangUp({ callId, resultId }) {
      void post(`${callId}-hangup`, { type: 'call.hangUp', callId, resultId });
    },
    close() {
      // Calls continue at the provider, which sends its reports to the public URL.
    },
  };
}

function startOf(order: CallOrder, origin: string): Record<string, unknown> {
  const { callId, resultId, phoneNumber, language, message, reactions, noReplyMessage, transferTo } = order;
  return {
    type: transferTo === null ? 'call.start' : 'call.transfer',
    callId,
    resultId,
    phoneNumber,
    transferTo,
    language,
    message,
    reactions,
    noReplyMessage,
    readings: readingPlan,
    ringSeconds: chainTimeoutsMs.ring / 1000,
    mostSeconds: chainTimeoutsMs.call / 1000,
    callbackUrl: `${origin}${callbackPath}/${resultId}/${callId}`,
  };
}
