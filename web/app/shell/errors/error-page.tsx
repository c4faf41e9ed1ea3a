// Error page to which other systems redirect users.
import { LinkButton } from '../../ui/button.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { DocumentTitle } from '../navigation/document-title.tsx';

export default function ErrorPage() {
  const { t } = useTranslation();
  return (
    <div className="space-y-3">
      <DocumentTitle text={t('text.error')} />
      <h1 className="text-xl font-semibold">{t('text.error')}</h1>
      <p>{t('text.error-detail')}</p>
      <LinkButton to="/" variant="primary">
        {t('page.to-home')}
      </LinkButton>
    </div>
  );
}
