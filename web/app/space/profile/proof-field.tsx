// Reauthentication fields, required before account or space security settings are changed.
import type { Item } from '@yagura/core/resource/define-resource';
import type { mfa } from '@yagura/core/space/mfa';
import { createContext, useContext } from 'react';
import { signInAgainPath } from '../../signin/sign-in-again-path.ts';
import { Button } from '../../ui/button.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { ProfileField } from './profile-field.tsx';

const FactorsContext = createContext<Item<typeof mfa> | null>(null);

/** Tells the forms below which factors the user has. */
export const FactorsProvider = FactorsContext.Provider;

type ProofMethod = 'proved' | 'password' | 'code' | 'both' | 'proved-and-code' | 'sign-in';

/**
 * A recent sign-in is sufficient; a user with neither password nor authenticator app has to sign in again.
 * Changes to two-step verification also require a code.
 */
export function useProofMethod(isAboutFactors = false): ProofMethod {
  const factors = useContext(FactorsContext);
  if (isAboutFactors && factors?.enabled) {
    if (factors.provedUntil) return factors.provedBySecondStep ? 'proved' : 'proved-and-code';
    return factors.hasPassword ? 'both' : 'sign-in';
  }
  if (factors?.provedUntil) return 'proved';
  if (!factors || factors.hasPassword) return 'password';
  return factors.enabled ? 'code' : 'sign-in';
}

/** Fields within a form; `errors` by API field name. */
export function ProofField({
  errors = {},
  isAboutFactors = false,
}: {
  errors?: Record<string, string> | undefined;
  isAboutFactors?: boolean | undefined;
}) {
  const { t } = useTranslation();
  const proofMethod = useProofMethod(isAboutFactors);
  const codeEntry = (
    <ProfileField
      name="code"
      label={t('factor.code')}
      autoComplete="one-time-code"
      error={errors.code}
      maxLength={32}
    />
  );
  if (proofMethod === 'password' || proofMethod === 'both')
    return (
      <>
        <ProfileField
          name="password"
          type="password"
          label={t('factor.password')}
          autoComplete="current-password"
          error={errors.password}
          maxLength={256}
        />
        {proofMethod === 'both' && codeEntry}
      </>
    );
  // The API reports errors of the whole proof under the password.
  const refused = errors.password && (
    <p role="alert" className="w-full text-sm text-danger-fg">
      {errors.password}
    </p>
  );
  if (proofMethod === 'proved' || proofMethod === 'proved-and-code')
    return (
      <>
        {proofMethod === 'proved-and-code' && codeEntry}
        <p className="min-w-56 flex-1 self-center text-sm text-muted">{t('factor.proved')}</p>
        {refused}
      </>
    );
  return (
    <>
      {proofMethod === 'code' && codeEntry}
      {proofMethod === 'sign-in' && (
        <p className="min-w-56 flex-1 self-center text-sm text-muted">{t('factor.prove-again')}</p>
      )}
      <Button type="submit" formAction={signInAgainPath} formMethod="post" formNoValidate>
        {t('factor.sign-in-again')}
      </Button>
      {refused}
    </>
  );
}
