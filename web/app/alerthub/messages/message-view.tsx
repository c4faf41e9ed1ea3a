// View of a received message: its body (as data if it has some) and how it arrived.
import { useMemo, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/text/copy-id.tsx';
import { JsonView } from '../../ui/text/json-view.tsx';
import { ScrollableText } from '../../ui/text/scrollable-text.tsx';
import { useTranslation } from '../../ui/translation.tsx';

export interface MessageContent {
  /** The body as text. */
  body?: string;
  /** The parsed body as JSON, if it is JSON, a form or XML. */
  dataJson?: string;
  /** Why the body could not be parsed. */
  dataError?: string;
  /** Lists the parts that were truncated. */
  cut?: string[];
}

export interface MessageMetadata {
  requestUrl?: string;
  headers?: Record<string, unknown>;
}

/** Characters of a body rendered at first; more slows the browser down. */
const initialCharacters = 20_000;

export function MessageView(props: {
  content: MessageContent | undefined;
  metadata: MessageMetadata | undefined;
}) {
  const { t } = useTranslation();
  const { content = {}, metadata = {} } = props;
  const headers = Object.entries(metadata.headers ?? {});
  return (
    <div className="grid grid-cols-1 gap-4">
      <Body content={content} />
      {metadata.requestUrl && (
        <section className="grid gap-1">
          <h3 className="text-sm font-medium">{t('alerthub.request-url')}</h3>
          <p className="flex items-center gap-1">
            <code className="font-mono text-xs break-all">{metadata.requestUrl}</code>
            <CopyButton
              text={metadata.requestUrl}
              label={t('ui.copy-of', { name: t('alerthub.request-url') })}
            />
          </p>
        </section>
      )}
      {headers.length > 0 && (
        <section className="grid gap-1">
          <h3 className="text-sm font-medium">{t('label.headers')}</h3>
          <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-3 gap-y-0.5 rounded-md border border-line bg-surface-sunken p-2 font-mono text-xs">
            {headers.map(([name, value]) => (
              <div key={name} className="contents">
                <dt className="text-muted">{name}</dt>
                <dd className="min-w-0 break-all">
                  {Array.isArray(value) ? value.join(', ') : String(value)}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </div>
  );
}

function Body({ content }: { content: MessageContent }) {
  const { t } = useTranslation();
  const { dataJson } = content;
  const structured = dataJson !== undefined;
  const data = useMemo((): unknown => (dataJson === undefined ? null : JSON.parse(dataJson)), [dataJson]);
  const [raw, setRaw] = useState(!structured);
  const [all, setAll] = useState(false);
  const body = content.body ?? '';
  const cut = body.length > initialCharacters && !all;
  return (
    <section className="grid gap-1">
      <div className="flex items-center gap-2">
        <h3 className="text-sm font-medium">{t(raw ? 'alerthub.body' : 'alerthub.data')}</h3>
        {body && <CopyButton text={body} label={t('ui.copy-of', { name: t('alerthub.body') })} />}
        {structured && (
          <Button size="small" variant="quiet" aria-pressed={raw} onClick={() => setRaw(!raw)}>
            {t('alerthub.raw')}
          </Button>
        )}
      </div>
      {content.dataError && (
        <p className="text-sm text-warning-fg">{t('alerthub.data-error', { reason: content.dataError })}</p>
      )}
      {!raw && <JsonView value={data} />}
      {raw && body === '' && <p className="text-sm text-muted">{t('alerthub.no-body')}</p>}
      {raw && body !== '' && (
        <ScrollableText className="max-h-[60dvh] border border-line p-2 break-all whitespace-pre-wrap">
          {cut ? `${body.slice(0, initialCharacters)}…` : body}
        </ScrollableText>
      )}
      {raw && cut && (
        <div>
          <Button size="small" onClick={() => setAll(true)}>
            {t('ui.show-all')}
          </Button>
        </div>
      )}
      {content.cut && <p className="text-sm text-muted">{t('alerthub.body-cut')}</p>}
    </section>
  );
}
