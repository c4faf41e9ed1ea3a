// Rejects actions that no delivery could send, when they are saved; stored ones stay readable.
import type { EmailParameters, WebhookParameters } from '@yagura/core/alerthub/action';
import { type InvalidParam, invalidField, Problem } from '@yagura/core/http/problem';
import type { Queryable } from '../../db/database.ts';
import { parseOutgoingUrl } from '../../delivery/outgoing-url.ts';
import { findForbiddenHeaders } from '../../delivery/webhook-headers.ts';
import type { RequestContext, ResourceServices } from '../../resource/request-context.ts';

/** The mail server of this server, if one is configured. */
export interface MailServerServices extends ResourceServices {
  config: { smtpUrl: string | undefined; mailFrom: string | undefined };
}

type ActionBody = Record<string, unknown>;

/** Names the URL and the headers that a webhook cannot have. */
export function rejectUndeliverableWebhook({ t }: RequestContext, { kind, parameters }: ActionBody): void {
  if (kind !== 'webhook' && kind !== 'webhookOnPremises') return;
  const { url, headers } = parameters as WebhookParameters;
  const invalidParams: InvalidParam[] = [];
  const target = hasTemplateInHost(url) ? 'template' : parseOutgoingUrl(url);
  if (typeof target === 'string')
    invalidParams.push({ name: 'parameters.url', reason: t(`action.url.${target}`) });
  for (const name of findForbiddenHeaders(headers ?? {}))
    invalidParams.push({
      name: `parameters.headers.${name}`,
      reason: t('action.reserved-header', { name }),
    });
  if (invalidParams.length > 0) throw new Problem('invalid', { invalidParams });
}

/** URLs are not templates: in the path braces are sent as they are, but a host with them never resolves. */
function hasTemplateInHost(url: string): boolean {
  const authority = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? '';
  return /[{}]|%7[bd]/i.test(authority);
}

/**
 * An email without a sender goes to the mail server of this server. Without that, a space with senders of its own
 * needs to choose one; in a space without any, one may still be configured, and the action record says so.
 */
export async function rejectEmailWithoutSender(
  tx: Queryable,
  { services, spaceId, t }: RequestContext<MailServerServices>,
  { kind, parameters }: ActionBody,
): Promise<void> {
  if (kind !== 'email') return;
  const { emailActionSenderSettingId } = parameters as EmailParameters;
  const { smtpUrl, mailFrom } = services.config;
  if (emailActionSenderSettingId !== null || (smtpUrl && mailFrom)) return;
  const { rows } = await tx.query(
    "select 1 from resource where space_id = $1 and kind = 'email-action-sender-setting' limit 1",
    [spaceId],
  );
  if (rows[0]) throw invalidField('parameters.emailActionSenderSettingId', t('action.choose-sender'));
}
