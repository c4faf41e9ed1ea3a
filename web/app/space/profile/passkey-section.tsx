// Profile section for passkeys: the browser creates one, the server stores its public key.
import { useSubmit } from '@remix-run/react';
import type { Item } from '@yagura/core/resource/define-resource';
import type { passkey } from '@yagura/core/space/passkey';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Time } from '../../ui/text/time.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { createPasskey } from './create-passkey.ts';
import { ProfileField } from './profile-field.tsx';
import { IntentForm, ProfileSection } from './section.tsx';
import { resultFor, type SecurityResult } from './security-result.ts';

export function PasskeySection(props: {
  passkeys: Item<typeof passkey>[];
  result: SecurityResult | undefined;
}) {
  const { passkeys, result } = props;
  const { t } = useTranslation();
  const submit = useSubmit();
  const form = useRef<HTMLDivElement>(null);
  const [fault, setFault] = useState<'known' | 'not-added'>();
  const [removing, setRemoving] = useState<string>();
  const prepared = resultFor(result, 'passkey-prepare');
  const registered = resultFor(result, 'passkey-register');
  const removed = resultFor(result, 'passkey-remove');
  const options = prepared?.options;

  useEffect(() => {
    setFault(undefined);
    if (!options) return;
    // From the input itself, which may have been filled before the page was hydrated.
    const name = form.current?.querySelector<HTMLInputElement>('input[name=displayName]')?.value ?? '';
    createPasskey(options).then(
      (response) =>
        submit(
          { intent: 'passkey-register', displayName: name, response: JSON.stringify(response) },
          { method: 'post', preventScrollReset: true },
        ),
      // The browser refuses with this error when the device has one of the passkeys to exclude.
      (error: unknown) =>
        setFault(error instanceof DOMException && error.name === 'InvalidStateError' ? 'known' : 'not-added'),
    );
  }, [options]);

  const errors = prepared?.errors ?? registered?.errors;
  return (
    <ProfileSection title={t('factor.passkeys')} text={t('factor.passkeys-explain')}>
      <ul className="mb-4 grid gap-2 text-sm">
        {passkeys.length === 0 && <li className="text-muted">{t('factor.no-passkeys')}</li>}
        {passkeys.map((one) => (
          <li key={one.passkeyId} className="flex flex-wrap items-center gap-3 border-b border-line pb-2">
            <span className="font-medium">{one.displayName}</span>
            {one.synced && <span className="text-muted">{t('factor.synced')}</span>}
            <span className="text-muted">
              {one.lastUsedAt ? <Time value={one.lastUsedAt} /> : t('text.never')}
            </span>
            <span className="flex-1" />
            {removing === one.passkeyId ? (
              <IntentForm
                intent="passkey-remove"
                submit={t('verb.delete')}
                variant="danger"
                error={removed?.errors?.['']}
                proof={{ errors: removed?.errors, isAboutFactors: true }}
              >
                <input type="hidden" name="id" value={one.passkeyId} />
              </IntentForm>
            ) : (
              <Button onClick={() => setRemoving(one.passkeyId)}>{t('verb.delete')}</Button>
            )}
          </li>
        ))}
      </ul>
      <div ref={form}>
        <IntentForm
          intent="passkey-prepare"
          submit={t('factor.add-passkey')}
          error={
            fault
              ? t(fault === 'known' ? 'factor.passkey-known' : 'factor.passkey-not-added')
              : (errors?.[''] ?? errors?.response)
          }
          proof={{ errors, isAboutFactors: true }}
        >
          <ProfileField
            name="displayName"
            label={t('label.displayName')}
            autoComplete="off"
            maxLength={30}
            error={errors?.displayName}
          />
        </IntentForm>
      </div>
    </ProfileSection>
  );
}
