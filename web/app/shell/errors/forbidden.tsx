// Page for 403 responses; `error-type` and `error-detail` come from the problem. Anyone can write such a link, so
// it only selects texts and shows none of its own.
import { data, type LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { ipBlockedDetail, isProblemType } from '@yagura/core/http/problem';
import { LinkButton } from '../../ui/button.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { DocumentTitle } from '../navigation/document-title.tsx';

export async function loader({ request }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  const type = query.get('error-type');
  return data(
    {
      type: type !== null && isProblemType(type) ? type : null,
      ipBlocked: query.get('error-detail')?.includes(ipBlockedDetail) ?? false,
    },
    { status: 403 },
  );
}

export default function Forbidden() {
  const { type, ipBlocked } = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  return (
    <div className="space-y-3">
      <DocumentTitle text={t('text.forbidden')} />
      <p className="font-mono text-sm text-muted">403</p>
      <h1 className="text-xl font-semibold">{t('text.forbidden')}</h1>
      <p>{ipBlocked ? t('page.ip-blocked') : t('text.forbidden-detail')}</p>
      {type && <p className="font-mono text-xs text-muted">{type}</p>}
      <LinkButton to="/" variant="primary">
        {t('page.to-home')}
      </LinkButton>
    </div>
  );
}
