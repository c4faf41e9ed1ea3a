// Error boundary content: type, title and detail of a problem, else the error's name and message.
import { isRouteErrorResponse, useRevalidator, useRouteError } from '@remix-run/react';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { DocumentTitle } from '../navigation/document-title.tsx';

interface ErrorDetails {
  type: string | null;
  title: string;
  detail: string | null;
}

export function ErrorScreen() {
  const { t } = useTranslation();
  const error = useRouteError();
  const { revalidate, state } = useRevalidator();
  const { type, title, detail } = errorDetails(error, t('text.error'));
  return (
    <div role="alert" className="mx-auto my-[10vh] max-w-[580px] px-4">
      <DocumentTitle text={title} />
      <div className="rounded-lg border border-line bg-surface p-6">
        <h1 className="flex items-center gap-2 text-lg font-semibold">
          <Icon name="error" className="text-danger" />
          {title}
        </h1>
        {detail && <p className="mt-2 whitespace-pre-wrap text-muted">{detail}</p>}
        {type && <p className="mt-2 font-mono text-xs text-muted">{type}</p>}
        <div className="mt-5 flex gap-2">
          <Button variant="primary" icon="refresh" busy={state === 'loading'} onClick={revalidate}>
            {t('verb.reload')}
          </Button>
        </div>
      </div>
    </div>
  );
}

function errorDetails(error: unknown, fallback: string): ErrorDetails {
  if (isRouteErrorResponse(error)) {
    const body = (typeof error.data === 'object' && error.data) || {};
    const { type, title, detail } = body as Partial<Record<keyof ErrorDetails, unknown>>;
    return {
      type: typeof type === 'string' ? type : null,
      title: typeof title === 'string' ? title : error.statusText || `${fallback} ${error.status}`,
      detail: typeof detail === 'string' ? detail : null,
    };
  }
  if (error instanceof Error) return { type: null, title: error.name, detail: error.message };
  return { type: null, title: fallback, detail: null };
}
