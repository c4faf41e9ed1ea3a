// View of a received mail: headers, text or HTML in a sandboxed frame, and attachments.
import { formatBytes } from '@yagura/core/format/bytes';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/text/copy-id.tsx';
import { ScrollableText } from '../../ui/text/scrollable-text.tsx';
import { useTranslation } from '../../ui/translation.tsx';

export interface MailContent {
  subject: string;
  text: string;
  html: string;
  attachments: { index: number; filename: string; contentType: string; size: number }[];
  /** Parts over a parser limit; they are complete only in the raw message. */
  cut: ('header' | 'parts' | 'depth' | 'text' | 'html' | 'attachments')[];
}

export interface MailMetadata {
  from: { name: string; email: string };
  recipient: string;
  headers: Record<string, string>;
}

export function MailView(props: { messageId: string; content: MailContent; metadata: MailMetadata }) {
  const { t } = useTranslation();
  const { content, metadata } = props;
  const files = `/apps/alerthub/messages/${encodeURIComponent(props.messageId)}/files`;
  const { name, email } = metadata.from;
  return (
    <div className="grid grid-cols-1 gap-4">
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm">
        <dt className="text-muted">{t('label.subject')}</dt>
        <dd className="min-w-0 font-medium wrap-anywhere">{content.subject || t('mail-in.no-subject')}</dd>
        <dt className="text-muted">{t('mail-in.from')}</dt>
        <dd className="min-w-0 wrap-anywhere">
          {name && email ? `${name} <${email}>` : name || email || t('text.none')}
        </dd>
        <dt className="text-muted">{t('mail-in.recipient')}</dt>
        <dd className="flex min-w-0 items-center gap-1">
          <code className="min-w-0 font-mono text-xs break-all">{metadata.recipient}</code>
          <CopyButton text={metadata.recipient} label={t('ui.copy-of', { name: t('mail-in.recipient') })} />
        </dd>
      </dl>
      {content.cut.length > 0 && (
        <ul className="rounded-md border border-line bg-surface-sunken p-2 text-sm">
          {content.cut.map((what) => (
            <li key={what}>{t(`mail-in.cut-${what}`)}</li>
          ))}
        </ul>
      )}
      <MailBody content={content} page={`${files}/html`} />
      {content.attachments.length > 0 && (
        <section className="grid gap-1">
          <h3 className="text-sm font-medium">{t('mail-in.attachments')}</h3>
          <ul className="grid gap-1 text-sm">
            {content.attachments.map(({ index, filename, contentType, size }) => (
              <li key={index} className="flex flex-wrap items-baseline gap-x-3">
                <a
                  href={`${files}/attachment?index=${index}`}
                  download
                  className="inline-flex min-h-6 min-w-0 items-center break-all"
                >
                  {filename}
                </a>
                <span className="text-xs text-muted">
                  {contentType}, <span className="tabular-nums">{formatBytes(size)}</span>
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <details className="grid gap-1">
        <summary className="min-h-6 cursor-pointer text-sm font-medium">{t('label.headers')}</summary>
        <dl className="mt-1 grid grid-cols-[minmax(6rem,max-content)_minmax(0,1fr)] gap-x-3 gap-y-0.5 rounded-md border border-line bg-surface-sunken p-2 font-mono text-xs">
          {Object.entries(metadata.headers).map(([header, value]) => (
            <div key={header} className="contents">
              <dt className="break-all text-muted">{header}</dt>
              <dd className="min-w-0 break-all whitespace-pre-wrap">{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}

/** Characters of text rendered at first; more slows the browser down. */
const initialCharacters = 20_000;

/** `page` is the address of the HTML. */
export function MailBody({ content, page }: { content: Pick<MailContent, 'text' | 'html'>; page: string }) {
  const { t } = useTranslation();
  const [asPage, setAsPage] = useState(false);
  const [all, setAll] = useState(false);
  const { text, html } = content;
  const cut = text.length > initialCharacters && !all;
  return (
    <section className="grid gap-1">
      <div className="flex items-center gap-2">
        <h3 className="text-sm font-medium">{t(asPage ? 'mail-in.html' : 'mail-in.text')}</h3>
        {!asPage && text && <CopyButton text={text} label={t('ui.copy-of', { name: t('mail-in.text') })} />}
        {html !== '' && (
          <Button size="small" variant="quiet" aria-pressed={asPage} onClick={() => setAsPage(!asPage)}>
            {t('mail-in.show-html')}
          </Button>
        )}
      </div>
      {asPage && (
        <>
          {/* No permission at all: an origin of its own, no scripts, no forms, no windows. */}
          <iframe
            sandbox=""
            src={page}
            title={t('mail-in.html')}
            referrerPolicy="no-referrer"
            className="h-[60dvh] w-full rounded-md border border-line bg-white"
          />
          <p className="text-xs text-muted">{t('mail-in.html-note')}</p>
        </>
      )}
      {!asPage && text === '' && <p className="text-sm text-muted">{t('alerthub.no-body')}</p>}
      {!asPage && text !== '' && (
        <ScrollableText className="max-h-[60dvh] border border-line p-2 whitespace-pre-wrap wrap-anywhere">
          {cut ? `${text.slice(0, initialCharacters)}…` : text}
        </ScrollableText>
      )}
      {!asPage && cut && (
        <div>
          <Button size="small" onClick={() => setAll(true)}>
            {t('ui.show-all')}
          </Button>
        </div>
      )}
    </section>
  );
}
