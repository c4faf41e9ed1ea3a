/** Builds the SMTP message for an email; prevents header and recipient injection. */
import { cleanName } from '@yagura/core/validation/name-characters';
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

/** A text mail to plain addresses, without Cc. */
export function createPlainMail(
  emails: readonly string[],
  { subject, text }: Pick<MailRequest, 'subject' | 'text'>,
): MailRequest {
  return { to: emails.map((email) => ({ name: '', email })), cc: [], bcc: [], subject, text };
}

/**
 * An address that SMTP accepts without quoting: one @, no spaces, no characters that separate or group
 * addresses.
 */
const plainAddress = /^[^\s@<>()[\],;:\\"\x00-\x1f\x7f]{1,64}@[^\s@<>()[\],;:\\"\x00-\x1f\x7f]{1,255}$/;

export function isMailAddress(text: string): boolean {
  return plainAddress.test(text);
}

/** Parses `address` or `Name <address>`; null if it is neither. */
export function parseMailbox(text: string): Mailbox | null {
  const parts = /^\s*(?:"?([^"<>]*?)"?\s*<([^<>]*)>|(\S+))\s*$/.exec(text);
  const email = parts?.[2] ?? parts?.[3] ?? '';
  return isMailAddress(email) ? { name: cleanName(parts?.[1] ?? ''), email } : null;
}

/**
 * Builds the mail for the transport. Its Message-ID is the same for all attempts, so that duplicates can be
 * detected.
 */
export function toMailMessage(request: MailRequest, meta: DeliveryMeta, from: Mailbox): SendMailOptions {
  const domain = from.email.slice(from.email.lastIndexOf('@') + 1);
  return {
    from: { name: from.name, address: from.email },
    to: request.to.map(formatMailbox),
    cc: request.cc.map(formatMailbox),
    bcc: request.bcc.map(formatMailbox),
    subject: toSubject(request.subject),
    text: request.text,
    messageId: `<${meta.deliveryId}@${domain}>`,
    date: new Date(meta.timestamp),
    // RFC 3834: suppresses automatic replies.
    headers: { 'X-Yagura-Delivery': meta.deliveryId, 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function formatMailbox(mailbox: Mailbox): { name: string; address: string } {
  return { name: cleanName(mailbox.name), address: mailbox.email };
}

/** Mail servers refuse long headers; a template may insert a whole message. */
const maxSubject = 1000;

/** A subject of one line, cut to a length that mail servers accept. */
export function toSubject(text: string): string {
  const line = cleanName(text);
  if (line.length <= maxSubject) return line;
  return `${line.slice(0, maxSubject - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
