// Sends a delivery of any kind by the sender of its kind.
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { createAddressGuard } from '../delivery/address-guard.ts';
import { createMailer } from '../delivery/mail.ts';
import type { MailRequest } from '../delivery/mail-message.ts';
import type { SendResult } from '../delivery/send-result.ts';
import { createWebhookSender, type WebhookRequest } from '../delivery/webhook.ts';

/** What is sent, of whatever room: its kind picks the sender. */
export interface Outgoing {
  kind: string;
  request: unknown;
  deliveryId: string;
  /** From 1. */
  attempt: number;
}

export function createSender(
  config: Config,
  version: string,
  clock: Clock,
): { send(outgoing: Outgoing): Promise<SendResult>; close(): Promise<void> } {
  const guard = createAddressGuard({ allow: config.outboundAllow });
  const webhooks = createWebhookSender({ guard, userAgent: `Yagura/${version}` });
  const mailer = createMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom });
  return {
    send({ kind, request, deliveryId, attempt }) {
      const meta = { deliveryId, attempt, timestamp: clock.now() };
      return kind === 'email'
        ? mailer.sendMail(request as MailRequest, meta)
        : webhooks.sendWebhook(request as WebhookRequest, meta);
    },
    async close() {
      await Promise.all([webhooks.close(), mailer.close()]);
    },
  };
}
