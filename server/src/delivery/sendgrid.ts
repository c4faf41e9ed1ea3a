/** Converts a mail to a SendGrid API request (POST /v3/mail/send), which is then sent like a webhook. */
import { cleanName } from '@yagura/core/validation/name-characters';
import { isMailAddress, type Mailbox, type MailRequest, toSubject } from './mail-message.ts';
import { type DeliveryMeta, failedResult, type SendResult } from './send-result.ts';
import type { WebhookRequest } from './webhook-sender.ts';

export interface SendgridAccount {
  /** For example `https://api.sendgrid.com`. */
  baseUrl: string;
  apiKey: string;
  from: Mailbox;
}

/**
 * Returns the request, or the failure of a mail that can't be sent at all. Recipients are deduplicated, since
 * SendGrid rejects duplicates.
 */
export function toSendgridRequest(
  request: MailRequest,
  meta: DeliveryMeta,
  account: SendgridAccount,
): WebhookRequest | SendResult {
  const seen = new Set<string>();
  const fresh = (list: readonly Mailbox[]) =>
    list.filter(({ email }) => {
      const known = seen.has(email.toLowerCase());
      seen.add(email.toLowerCase());
      return !known;
    });
  const people = { to: fresh(request.to), cc: fresh(request.cc), bcc: fresh(request.bcc) };
  const every = [...people.to, ...people.cc, ...people.bcc];
  if (people.to.length === 0) return failedResult('delivery.noRecipient', {}, { retry: false });
  const unreadable = every.find(({ email }) => !isMailAddress(email));
  if (unreadable) {
    return failedResult(
      'delivery.invalidRecipient',
      { address: unreadable.email.slice(0, 300) },
      { retry: false },
    );
  }
  const named = Object.entries(people).filter(([, list]) => list.length > 0);
  return {
    url: `${account.baseUrl.replace(/\/$/, '')}/v3/mail/send`,
    method: 'POST',
    headers: { authorization: `Bearer ${account.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      personalizations: [Object.fromEntries(named.map(([name, list]) => [name, list.map(mailbox)]))],
      from: mailbox(account.from),
      // Neither may be empty.
      subject: toSubject(request.subject) || '-',
      content: [{ type: 'text/plain', value: request.text || ' ' }],
      headers: { 'X-Yagura-Delivery': meta.deliveryId, 'Auto-Submitted': 'auto-generated' },
      custom_args: { delivery: meta.deliveryId },
    }),
  };
}

function mailbox({ name, email }: Mailbox): { email: string; name?: string } {
  const plain = cleanName(name);
  return plain ? { email, name: plain } : { email };
}
