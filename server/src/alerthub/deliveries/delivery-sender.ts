// Sends a delivery through the sender of its kind.
import type { Clock } from '../../common/clock.ts';
import type { ServerSecret } from '../../common/secrets/server-secret.ts';
import type { Queryable } from '../../db/database.ts';
import { createAddressGuard } from '../../delivery/address-guard.ts';
import type { MailRequest } from '../../delivery/mail-message.ts';
import type { DeliveryMeta, SendResult } from '../../delivery/send-result.ts';
import { createSmtpMailer, type Mailer } from '../../delivery/smtp-mailer.ts';
import {
  createWebhookSender,
  type WebhookRequest,
  type WebhookTimeouts,
} from '../../delivery/webhook-sender.ts';
import { EmailSenders } from './email-senders.ts';
import { type SigningSecrets, sendSigned } from './signing-secrets.ts';

/** A delivery of any module; `kind` selects the sender. */
export interface OutgoingDelivery {
  kind: string;
  request: unknown;
  deliveryId: string;
  /** Starts at 1. */
  attempt: number;
  /** Action whose secrets sign a webhook. */
  actionId?: string;
  /** Space whose email senders a mail may use; without it, the mailer of the server is used. */
  spaceId?: string;
  /** Set if a runbook may read the response. */
  runbookRecordId?: string | null;
}

export interface DeliveryConfig {
  /** Private addresses that deliveries may reach. */
  outboundAllow: string[];
  smtpUrl: string | undefined;
  mailFrom: string | undefined;
  sendgridUrl: string;
}

export interface DeliverySenderDeps {
  config: DeliveryConfig;
  version: string;
  clock: Clock;
  database: Queryable;
  secret: Pick<ServerSecret, 'open' | 'keyedHash'>;
  signing: Pick<SigningSecrets, 'activeSecrets'>;
  webhookTimeouts: WebhookTimeouts | undefined;
}

/** `mailer` is the server's own, for mails that are not an action of a space. */
export function createDeliverySender(deps: DeliverySenderDeps): {
  send(outgoing: OutgoingDelivery): Promise<SendResult>;
  mailer: Mailer;
  /** Requests a URL through the address guard; the result contains the response. */
  fetchPage(url: string): Promise<SendResult>;
  /**
   * Sends a system mail to addresses of a space: with the mailer of the server, or the space's senders if
   * there is none.
   */
  sendNotice(spaceId: string, request: MailRequest, meta: DeliveryMeta): Promise<SendResult>;
  close(): Promise<void>;
} {
  const { config, version, clock, database, secret, signing, webhookTimeouts: timeouts } = deps;
  const guard = createAddressGuard({ allow: config.outboundAllow });
  const webhooks = createWebhookSender({ guard, userAgent: `Yagura/${version}`, timeouts });
  const mailer = createSmtpMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom });
  const senders = new EmailSenders({ database, secret, guard, webhooks, sendgridUrl: config.sendgridUrl });
  return {
    mailer,
    fetchPage: (url) =>
      webhooks.sendWebhook(
        { url, method: 'GET', headers: {}, body: '' },
        { deliveryId: 'fetch', attempt: 1, timestamp: clock.now(), keepAnswer: true },
      ),
    sendNotice: (spaceId, request, meta) =>
      config.smtpUrl && config.mailFrom
        ? mailer.sendMail(request, meta)
        : senders.sendByAny(spaceId, request, meta),
    async send({ kind, spaceId, actionId, request, deliveryId, attempt, runbookRecordId }) {
      const meta = {
        deliveryId,
        attempt,
        timestamp: clock.now(),
        ...(runbookRecordId ? { keepAnswer: true } : {}),
      };
      if (kind !== 'email')
        return sendSigned(signing, actionId, (secrets) =>
          webhooks.sendWebhook(request as WebhookRequest, meta, { secrets }),
        );
      const { emailActionSenderSettingId, ...mail } = request as MailRequest & {
        emailActionSenderSettingId?: string;
      };
      return spaceId && emailActionSenderSettingId
        ? senders.send(spaceId, emailActionSenderSettingId, mail, meta)
        : mailer.sendMail(mail, meta);
    },
    async close() {
      senders.close();
      await Promise.all([webhooks.close(), mailer.close()]);
    },
  };
}
