// How the person shows that it is still they, before what guards their account, or the space, is changed.
import type { Item } from '@yagura/core/resource/define-resource';
import type { mfa } from '@yagura/core/space/mfa';
import { createContext, useContext } from 'react';
import { signInAgainPath } from '../../signin/sign-in-again-path.ts';
import { Button } from '../../ui/button.tsx';
import { useWords } from '../../ui/words.tsx';
import { Entry } from './entry.tsx';

const Factors = createContext<Item<typeof mfa> | null>(null);

/** Tells the forms below what the person can show. */
export const FactorsProvider = Factors.Provider;

type ProofWay = 'proved' | 'password' | 'code' | 'sign-in';

/** A sign-in just made counts before all else; whoever has neither password nor app has to make one. */
export function useProofWay(): ProofWay {
  const factors = useContext(Factors);
  if (factors?.provedUntil) return 'proved';
  if (!factors || factors.hasPassword) return 'password';
  return factors.enabled ? 'code' : 'sign-in';
}

/** Fields within a form; `errors` by the names of the API. */
export function ProofEntry({ errors = {} }: { errors?: Record<string, string> | undefined }) {
  const { t } = useWords();
  const way = useProofWay();
  if (way === 'password')
    return (
      <Entry
        name="password"
        type="password"
        label={t('factor.password')}
        autoComplete="current-password"
        error={errors.password}
        maxLength={256}
      />
    );
  // What the API says of the password is about the proof as a whole.
  const refused = errors.password && (
    <p role="alert" className="w-full text-sm text-danger-fg">
      {errors.password}
    </p>
  );
  if (way === 'proved')
    return (
      <>
        <p className="min-w-56 flex-1 self-center text-sm text-muted">{t('factor.proved')}</p>
        {refused}
      </>
    );
  return (
    <>
      {way === 'code' && (
        <Entry
          name="code"
          label={t('factor.code')}
          autoComplete="one-time-code"
          error={errors.code}
          maxLength={32}
        />
      )}
      {way === 'sign-in' && (
        <p className="min-w-56 flex-1 self-center text-sm text-muted">{t('factor.prove-again')}</p>
      )}
      <Button type="submit" formAction={signInAgainPath} formMethod="post" formNoValidate>
        {t('factor.sign-in-again')}
      </Button>
      {refused}
    </>
  );
}
