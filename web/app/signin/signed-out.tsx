// The last page of a session: where a provider sends people back, or what is shown when it cannot be told to end its own.
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
