// Page for missing items and unknown URLs.
import { data } from '@remix-run/node';
import { LinkButton } from '../../ui/button.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { DocumentTitle } from '../navigation/document-title.tsx';

export const loader = () => data(null, { status: 404 });

export default function NotFound() {
  const { t } = useTranslation();
  return (
    <div className="space-y-3">
      <DocumentTitle text={t('page.not-found')} />
      <p className="font-mono text-sm text-muted">404</p>
      <h1 className="text-xl font-semibold">{t('page.not-found')}</h1>
      <p>{t('page.not-found-detail')}</p>
      <LinkButton to="/" variant="primary">
        {t('page.to-home')}
      </LinkButton>
    </div>
  );
}
