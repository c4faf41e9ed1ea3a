/** Turns a mail to send into what goes over the wire, so that nothing in it can become a header or a further recipient. */
import type { SendMailOptions } from 'nodemailer';
import type { DeliveryMeta } from './send-result.ts';

export interface Mailbox {
  name: string;
  email: string;
}

export interface MailRequest {
  to: Mailbox[];
  cc: Mailbox[];
  bcc: Mailbox[];
  subject: string;
  text: string;
}

/** A mail of text to addresses without names, nobody in copy. */
export function createPlainMail(
  emails: readonly string[],
  { subject, text }: Pick<MailRequest, 'subject' | 'text'>,
): MailRequest {
  return { to: emails.map((email) => ({ name: '', email })), cc: [], bcc: [], subject, text };
}

/** An address as SMTP takes it without quoting: one @, no spaces, no signs that part or group addresses. */
const plainAddress = /^[^\s@<>()[\],;:\\"\x00-\x1f\x7f]{1,64}@[^\s@<>()[\],;:\\"\x00-\x1f\x7f]{1,255}$/;

export function isMailAddress(text: string): boolean {
  return plainAddress.test(text);
}

/** The mailbox of `address` or `Name <address>`; null when it is neither. */
export function parseMailbox(text: string): Mailbox | null {
  const parts = /^\s*(?:"?([^"<>]*?)"?\s*<([^<>]*)>|(\S+))\s*$/.exec(text);
  const email = parts?.[2] ?? parts?.[3] ?? '';
  return isMailAddress(email) ? { name: toOneLine(parts?.[1] ?? ''), email } : null;
}

/** The mail for the transport. Its Message-ID is the same over all attempts, so that a repeat can be told. */
export function toMailMessage(request: MailRequest, meta: DeliveryMeta, from: Mailbox): SendMailOptions {
  const domain = from.email.slice(from.email.lastIndexOf('@') + 1);
  return {
    from: { name: from.name, address: from.email },
    to: request.to.map(formatMailbox),
    cc: request.cc.map(formatMailbox),
    bcc: request.bcc.map(formatMailbox),
    subject: toOneLine(request.subject),
    text: request.text,
    messageId: `<${meta.deliveryId}@${domain}>`,
    date: new Date(meta.timestamp),
    // RFC 3834: asks automatic answerers to stay silent.
    headers: { 'X-Yagura-Delivery': meta.deliveryId, 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function formatMailbox(mailbox: Mailbox): { name: string; address: string } {
  return { name: toOneLine(mailbox.name), address: mailbox.email };
}

/** Text without signs that could end a header. */
export function toOneLine(text: string): string {
  return text.replace(/[\x00-\x1f\x7f\u0085\u2028\u2029]+/g, ' ').trim();
}
