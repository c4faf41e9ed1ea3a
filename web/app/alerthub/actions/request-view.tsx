// What an action sent or would send: a mail or a webhook as its receiver reads it, anything else as data.
import type { EmailParameters, WebhookParameters } from '@yagura/core/alerthub/action';
import { useMemo } from 'react';
import { JsonView } from '../../ui/text/json-view.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { MailBody } from '../messages/mail-view.tsx';

type Mail = Pick<EmailParameters, 'to' | 'subject' | 'text'> & Partial<Pick<EmailParameters, 'cc' | 'bcc'>>;

/** `request` is that of an action record or of a test. */
export function RequestView({ request }: { request: unknown }) {
  const readable = isMail(request) ? (
    <MailRequest mail={request} />
  ) : isWebhook(request) ? (
    <WebhookRequest webhook={request} />
  ) : null;
  if (!readable) return <JsonView value={request} />;
  return (
    <div className="grid grid-cols-1 gap-4">
      {readable}
      <details className="text-sm">
        <summary className="min-h-6 cursor-pointer font-medium">JSON</summary>
        <JsonView value={request} />
      </details>
    </div>
  );
}

function MailRequest({ mail }: { mail: Mail }) {
  return (
    <>
      <Rows
        rows={{
          subject: mail.subject,
          to: mailboxes(mail.to),
          cc: mailboxes(mail.cc ?? []),
          bcc: mailboxes(mail.bcc ?? []),
        }}
      />
      <MailBody content={{ text: mail.text, html: '' }} page="" />
    </>
  );
}

function WebhookRequest({ webhook }: { webhook: WebhookParameters }) {
  const { fieldLabel } = useTranslation();
  const { method, url, headers, body } = webhook;
  const data = useMemo(() => parseJson(body), [body]);
  const headerLines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  return (
    <>
      <Rows rows={{ method, url, headers: headerLines.join('\n') }} />
      {data === undefined ? (
        <MailBody content={{ text: body, html: '' }} page="" />
      ) : (
        <section className="grid gap-1">
          <h3 className="text-sm font-medium">{fieldLabel('body')}</h3>
          <JsonView value={data} />
        </section>
      )}
    </>
  );
}

/** Fields by name; empty ones are left out. */
function Rows({ rows }: { rows: Record<string, string> }) {
  const { fieldLabel } = useTranslation();
  return (
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm">
      {Object.entries(rows).map(
        ([field, text]) =>
          text !== '' && (
            <div key={field} className="contents">
              <dt className="text-muted">{fieldLabel(field)}</dt>
              <dd className="min-w-0 wrap-anywhere whitespace-pre-wrap">{text}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** As in a header of the mail, which is one line. */
function mailboxes(list: Mail['to']): string {
  return list
    .map(({ name, email }) => (name ? `${name.replaceAll(/\s+/g, ' ')} <${email}>` : email))
    .join(', ');
}

function isMail(request: unknown): request is Mail {
  const { to, subject, text } = Object(request) as Record<string, unknown>;
  return Array.isArray(to) && typeof subject === 'string' && typeof text === 'string';
}

function isWebhook(request: unknown): request is WebhookParameters {
  const { url, method, body } = Object(request) as Record<string, unknown>;
  return typeof url === 'string' && typeof method === 'string' && typeof body === 'string';
}

/** The list or object that a body consists of; undefined for any other text. */
function parseJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
