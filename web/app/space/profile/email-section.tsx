// Profile section for the email address.
import { useTranslation } from '../../ui/translation.tsx';
import { ProfileField } from './profile-field.tsx';
import { IntentForm, ProfileSection } from './section.tsx';
import { resultFor, type SecurityResult } from './security-result.ts';

export function EmailSection({ result }: { result: SecurityResult | undefined }) {
  const { t } = useTranslation();
  const own = resultFor(result, 'change-email');
  return (
    <ProfileSection title={t('factor.change-email')}>
      {own && !own.errors && (
        <p role="status" className="mb-3 text-sm text-success-fg">
          {t('factor.email-sent')}
        </p>
      )}
      <IntentForm
        intent="change-email"
        submit={t('factor.change-email')}
        error={own?.errors?.['']}
        proof={{ errors: own?.errors }}
      >
        <ProfileField
          name="email"
          type="email"
          label={t('factor.new-email')}
          autoComplete="email"
          error={own?.errors?.email}
        />
      </IntentForm>
    </ProfileSection>
  );
}
