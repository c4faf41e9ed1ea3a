// Sends mails through the email senders of a space; each has its own mailer, created on first use and
// recreated when it changes.
import {
  type SendgridParameters,
  type SmtpParameters,
  secretOf,
} from '@yagura/core/alerthub/email-action-sender-setting';
import type { ServerSecret } from '../../common/secrets/server-secret.ts';
import type { Queryable } from '../../db/database.ts';
import type { AddressGuard } from '../../delivery/address-guard.ts';
import type { Mailbox, MailRequest } from '../../delivery/mail-message.ts';
import { type DeliveryMeta, failedResult, type SendResult } from '../../delivery/send-result.ts';
import { toSendgridRequest } from '../../delivery/sendgrid.ts';
import { createSmtpMailer, type Mailer } from '../../delivery/smtp-mailer.ts';
import type { SmtpServerSettings } from '../../delivery/smtp-url.ts';
import type { WebhookSender } from '../../delivery/webhook-sender.ts';

/** A sender as stored: its parameters without the secret, and the sealed secret. */
export interface StoredSender {
  displayName: string;
  from: Mailbox;
  provider: 'smtp' | 'sendgrid';
  parameters: SmtpParameters | SendgridParameters;
  /** Base64. */
  sealed?: string;
}

/** Maximum number of senders tried for one system mail. */
const maxSendersTried = 5;
/** Maximum number of cached mailers; the least recently used is evicted. */
const maxMailers = 50;

/** Context that binds a sender's sealed secret to its space. */
export const sealLabel = (spaceId: string) => `email-action-sender ${spaceId}`;

export class EmailSenders {
  private readonly deps: {
    database: Queryable;
    secret: Pick<ServerSecret, 'open'>;
    guard: AddressGuard;
    webhooks: WebhookSender;
    sendgridUrl: string;
  };
  private readonly mailers = new Map<string, Mailer>();

  constructor(deps: EmailSenders['deps']) {
    this.deps = deps;
  }

  /** Never rejects. */
  async send(
    spaceId: string,
    senderId: string,
    request: MailRequest,
    meta: DeliveryMeta,
  ): Promise<SendResult> {
    try {
      return await this.attempt(spaceId, senderId, request, meta);
    } catch {
      // The database is unavailable; the sender may still exist.
      return failedResult('delivery.connection', { detail: 'STORE' }, { retry: true });
    }
  }

  /** Tries the senders of a space, oldest first, until one accepts the mail. Never rejects. */
  async sendByAny(spaceId: string, request: MailRequest, meta: DeliveryMeta): Promise<SendResult> {
    let result = failedResult('delivery.noSender', {}, { retry: false });
    try {
      const { rows } = await this.deps.database.query<{ id: string }>(
        {
          name: 'email-senders',
          text: `select id from resource where space_id = $1 and kind = 'email-action-sender-setting'
                 order by created_at, id limit ${maxSendersTried}`,
        },
        [spaceId],
      );
      let mayRetry = false;
      for (const { id } of rows) {
        result = await this.send(spaceId, id, request, meta);
        if (result.outcome === 'succeeded') return result;
        mayRetry ||= result.retry;
      }
      return { ...result, retry: mayRetry };
    } catch {
      return failedResult('delivery.connection', { detail: 'STORE' }, { retry: true });
    }
  }

  close(): void {
    for (const mailer of this.mailers.values()) mailer.close();
    this.mailers.clear();
  }

  private async attempt(
    spaceId: string,
    senderId: string,
    request: MailRequest,
    meta: DeliveryMeta,
  ): Promise<SendResult> {
    const { rows } = await this.deps.database.query<{ body: StoredSender; version: string }>(
      {
        name: 'email-sender',
        text: `select body, version::text as version from resource
               where space_id = $1 and kind = 'email-action-sender-setting' and id = $2`,
      },
      [spaceId, senderId],
    );
    const row = rows[0];
    if (!row) return failedResult('delivery.senderGone', {}, { retry: false });
    const secret = this.open(spaceId, row.body);
    if (secret === null && needsSecret(row.body)) {
      return failedResult('delivery.senderIncomplete', { name: row.body.displayName }, { retry: true });
    }
    if (row.body.provider === 'sendgrid') {
      const account = { baseUrl: this.deps.sendgridUrl, apiKey: secret!, from: row.body.from };
      const call = toSendgridRequest(request, meta, account);
      return 'outcome' in call ? call : this.deps.webhooks.sendWebhook(call, meta);
    }
    return this.mailerOf(`${senderId} ${row.version}`, senderId, row.body, secret).sendMail(request, meta);
  }

  private open(spaceId: string, sender: StoredSender): string | null {
    if (!sender.sealed) return null;
    return this.deps.secret.open(Buffer.from(sender.sealed, 'base64'), sealLabel(spaceId));
  }

  private mailerOf(key: string, senderId: string, sender: StoredSender, password: string | null): Mailer {
    const known = this.mailers.get(key);
    this.mailers.delete(key);
    for (const [other, mailer] of this.mailers) {
      if (!other.startsWith(senderId) && this.mailers.size < maxMailers) continue;
      mailer.close();
      this.mailers.delete(other);
    }
    const mailer =
      known ??
      createSmtpMailer({
        server: smtpServer(sender.parameters as SmtpParameters, password),
        from: sender.from,
        guard: this.deps.guard,
      });
    this.mailers.set(key, mailer);
    return mailer;
  }
}

/** Whether the sender needs a secret. */
export function needsSecret({
  provider,
  parameters,
}: Pick<StoredSender, 'provider' | 'parameters'>): boolean {
  return provider === 'sendgrid' || (parameters as SmtpParameters).authentication !== 'none';
}

/** Name of the field that holds the secret. */
export function secretField({ provider }: Pick<StoredSender, 'provider'>): 'password' | 'apiKey' {
  return secretOf[provider];
}

export function smtpServer(parameters: SmtpParameters, password: string | null): SmtpServerSettings {
  const { host, port, security, authentication, username } = parameters;
  return {
    host,
    port,
    secure: security === 'tls',
    starttls: security === 'starttls' ? 'required' : 'never',
    auth: authentication === 'none' ? null : { user: username, pass: password ?? '' },
    ...(authentication === 'none' ? {} : { method: authentication === 'plain' ? 'PLAIN' : 'CRAM-MD5' }),
  };
}
