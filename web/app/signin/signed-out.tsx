// Page after sign-out, shown when the provider redirects back or has no sign-out endpoint.
import { LinkButton } from '../ui/button.tsx';
import { useTranslation } from '../ui/translation.tsx';

export default function SignedOut() {
  const { t } = useTranslation();
  return (
    <div className="space-y-3">
      <h1 className="text-xl font-semibold">{t('page.signed-out')}</h1>
      <LinkButton to="/" reloadDocument variant="primary">
        {t('verb.sign-in')}
      </LinkButton>
    </div>
  );
}
