// Profile section for the password; a user without one only gets the link by which one is set.
import { LinkButton } from '../../ui/button.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { ProfileField } from './profile-field.tsx';
import { IntentForm, ProfileSection } from './section.tsx';
import { resultFor, type SecurityResult } from './security-result.ts';

export function PasswordSection({
  hasPassword,
  result,
}: {
  hasPassword: boolean;
  result: SecurityResult | undefined;
}) {
  const { t } = useTranslation();
  const errors = resultFor(result, 'change-password')?.errors;
  return (
    <ProfileSection
      title={t('factor.own-password')}
      {...(hasPassword ? { text: t('factor.own-password-explain') } : {})}
    >
      {hasPassword && (
        <IntentForm
          intent="change-password"
          submit={t('factor.own-password')}
          error={errors?.['']}
          proof={{ errors, isAboutFactors: true }}
        >
          <ProfileField
            name="newPassword"
            type="password"
            label={t('factor.new-password')}
            autoComplete="new-password"
            error={errors?.newPassword}
            maxLength={256}
          />
          <ProfileField
            name="repeat"
            type="password"
            label={t('factor.repeat-password')}
            autoComplete="new-password"
            error={errors?.repeat}
            maxLength={256}
          />
        </IntentForm>
      )}
      <p className={hasPassword ? 'mt-4' : undefined}>
        <LinkButton to="/change-password" reloadDocument>
          {t(hasPassword ? 'factor.forgotten' : 'factor.change-password')}
        </LinkButton>
      </p>
    </ProfileSection>
  );
}
