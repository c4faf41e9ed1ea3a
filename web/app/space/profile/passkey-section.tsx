// Profile section for passkeys: the browser creates one, the server stores its public key.
import { useSubmit } from '@remix-run/react';
import type { Item } from '@yagura/core/resource/define-resource';
import type { passkey } from '@yagura/core/space/passkey';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Time } from '../../ui/text/time.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { createPasskey } from './create-passkey.ts';
import { ProfileField } from './profile-field.tsx';
import { IntentForm, ProfileSection } from './section.tsx';
import { resultFor, type SecurityResult } from './security-result.ts';

/** Maximum length of the name, as in the resource. */
const nameLength = 30;

export function PasskeySection(props: {
  passkeys: Item<typeof passkey>[];
  result: SecurityResult | undefined;
}) {
  const { passkeys, result } = props;
  const { t } = useTranslation();
  const submit = useSubmit();
  const form = useRef<HTMLDivElement>(null);
  const [fault, setFault] = useState<'known' | 'not-added'>();
  /** The form that is open, beside the passkey with this id. A result from before it was opened is of another form. */
  const [open, setOpen] = useState<{ id: string; form: 'rename' | 'remove'; before: typeof result }>();
  const ownResult = result === open?.before ? undefined : result;
  const prepared = resultFor(result, 'passkey-prepare');
  const registered = resultFor(result, 'passkey-register');
  const renamed = resultFor(ownResult, 'passkey-rename');
  const removed = resultFor(ownResult, 'passkey-remove');
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

  useEffect(() => {
    if (renamed && !renamed.errors) setOpen(undefined);
  }, [renamed]);

  const errors = prepared?.errors ?? registered?.errors;
  return (
    <ProfileSection title={t('factor.passkeys')} text={t('factor.passkeys-explain')}>
      <ul className="mb-4 grid gap-2 text-sm">
        {passkeys.length === 0 && <li className="text-muted">{t('factor.no-passkeys')}</li>}
        {passkeys.map((one) => (
          <PasskeyRow key={one.passkeyId} passkey={one}>
            {open?.id === one.passkeyId && open.form === 'rename' && (
              <IntentForm intent="passkey-rename" submit={t('verb.save')} error={renamed?.errors?.['']}>
                <input type="hidden" name="id" value={one.passkeyId} />
                <ProfileField
                  name="displayName"
                  label={t('label.displayName')}
                  autoComplete="off"
                  maxLength={nameLength}
                  value={one.displayName}
                  error={renamed?.errors?.displayName}
                />
              </IntentForm>
            )}
            {open?.id === one.passkeyId && open.form === 'remove' && (
              <IntentForm
                intent="passkey-remove"
                submit={t('verb.delete')}
                variant="danger"
                error={removed?.errors?.['']}
                proof={{ errors: removed?.errors, isAboutFactors: true }}
              >
                <input type="hidden" name="id" value={one.passkeyId} />
              </IntentForm>
            )}
            {open?.id === one.passkeyId ? (
              <Button onClick={() => setOpen(undefined)}>{t('verb.cancel')}</Button>
            ) : (
              <>
                <Button onClick={() => setOpen({ id: one.passkeyId, form: 'rename', before: result })}>
                  {t('factor.rename-passkey')}
                </Button>
                <Button onClick={() => setOpen({ id: one.passkeyId, form: 'remove', before: result })}>
                  {t('verb.delete')}
                </Button>
              </>
            )}
          </PasskeyRow>
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
            maxLength={nameLength}
            error={errors?.displayName}
          />
        </IntentForm>
      </div>
    </ProfileSection>
  );
}

/** A passkey with what is done to it. */
function PasskeyRow(props: { passkey: Item<typeof passkey>; children: ReactNode }) {
  const { displayName, synced, lastUsedAt, createdAt } = props.passkey;
  const { t } = useTranslation();
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line pb-2">
      <div className="min-w-56 flex-1">
        <p className="font-medium break-words">
          {displayName}
          {synced && <span className="ml-2 font-normal text-muted">{t('factor.synced')}</span>}
        </p>
        <p className="flex flex-wrap gap-x-3 text-xs text-muted">
          <span>
            {t('label.lastUsedAt')}: {lastUsedAt ? <Time value={lastUsedAt} /> : t('text.never')}
          </span>
          <span>
            {t('factor.passkey-created')}: <Time value={createdAt} age={false} />
          </span>
        </p>
      </div>
      {props.children}
    </li>
  );
}
