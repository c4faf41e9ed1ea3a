// Credential form that encrypts in the browser; the plaintext inputs have no name and are never submitted.
import { useNavigation, useSubmit } from '@remix-run/react';
import type { CredentialSecret } from '@yagura/core/kroker/open-credential';
import {
  type PrivateKeyFault,
  privateKeyFault,
  privateKeyFaultTexts,
} from '@yagura/core/kroker/private-key-fault';
import type { PublicKey } from '@yagura/core/kroker/public-key';
import type { FieldMeta } from '@yagura/core/resource/field';
import { type FormEvent, useState } from 'react';
import { toActionProblem, useProblemToast } from '../resource/write/use-problem-toast.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { controlClass } from '../ui/field/field-frame.tsx';
import { FormErrorsContext } from '../ui/field/form-errors.ts';
import { FieldInput } from '../ui/input/field-input.tsx';
import { useTranslation } from '../ui/translation.tsx';
import { useIsHydrated } from '../ui/use-is-hydrated.ts';

export interface CredentialFormProps {
  form: Record<string, FieldMeta>;
  values?: Record<string, unknown>;
  hidden: Record<string, string>;
  actionData?: unknown;
  cancelHref: string;
  kroker: { krokerId: string; publicKey: PublicKey };
  /** An empty input keeps the stored value. */
  hasStoredSecret?: boolean;
}

const secretFieldsByType = { password: ['password'], 'private-key': ['privateKey', 'passphrase'] } as const;

// Texts of core: 'stream.*'.
const faultTexts = { ...privateKeyFaultTexts, 'not-encrypted': 'kroker.cannot-encrypt' } as const;

export function CredentialForm(props: CredentialFormProps) {
  const { t, fieldLabel } = useTranslation();
  const actionProblem = toActionProblem(props.actionData);
  useProblemToast(
    actionProblem && Object.keys(actionProblem.errors).length === 0 ? actionProblem : undefined,
  );
  const values: Record<string, unknown> = { ...props.values, ...actionProblem?.values };
  const [type, setType] = useState(
    String(values.credentialType ?? 'password') as keyof typeof secretFieldsByType,
  );
  const [secretFields, setSecretFields] = useState<Record<string, string>>({});
  const isHydrated = useIsHydrated();
  const [fault, setFault] = useState<PrivateKeyFault | 'not-encrypted' | null>(null);
  const submit = useSubmit();
  const busy = useNavigation().state !== 'idle';

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { privateKey = '' } = secretFields;
    const found = type === 'private-key' && privateKey !== '' ? privateKeyFault(privateKey) : null;
    setFault(found);
    if (found) return;
    const form = new FormData(event.currentTarget);
    try {
      const sealed = await encryptSecrets(type, secretFields, props.kroker);
      if (sealed) form.set('encryptedData', sealed);
    } catch {
      setFault('not-encrypted');
      return;
    }
    submit(form, { method: 'post' });
  }

  // The secret is encrypted as a whole: a new user name alone, or another type, cannot be put into the stored one.
  const isTyped = ['username', ...secretFieldsByType[type]].some((name) => secretFields[name]);
  const isOtherType = props.values !== undefined && type !== props.values.credentialType;
  const needed = !props.hasStoredSecret || isTyped || isOtherType;
  const errors = {
    ...actionProblem?.errors,
    ...(fault ? { encryptedData: t(faultTexts[fault]) } : {}),
  };
  return (
    <FormErrorsContext value={errors}>
      <form
        method="post"
        onSubmit={onSubmit}
        className="grid max-w-3xl gap-4 rounded-lg border border-line bg-surface p-4 shadow-raised sm:p-5"
      >
        {Object.entries(props.hidden).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <input type="hidden" name="credentialType" value={type} />
        {['displayName', 'remarks'].map((name) => (
          <FieldInput
            key={name}
            name={name}
            meta={props.form[name]!}
            label={fieldLabel(name)}
            value={values[name]}
          />
        ))}
        <fieldset className="grid gap-3 rounded-md border border-line p-3">
          <legend className="px-1 text-sm font-medium">{t('kroker.secret')}</legend>
          <p className="text-xs text-muted">
            {t(props.hasStoredSecret ? 'kroker.secret-kept' : 'kroker.secret-text')}
          </p>
          {errors.encryptedData && (
            <p role="alert" className="text-sm text-danger-fg">
              {errors.encryptedData}
            </p>
          )}
          <TypeChoice type={type} onChange={setType} />
          {['username', ...secretFieldsByType[type]].map((name) => (
            <SecretInput
              key={name}
              name={name}
              value={secretFields[name] ?? ''}
              required={needed && name !== 'passphrase' && name !== 'username'}
              onChange={(value) => setSecretFields((before) => ({ ...before, [name]: value }))}
            />
          ))}
        </fieldset>
        <div className="flex justify-end gap-2 border-t border-line pt-3">
          <LinkButton to={props.cancelHref}>{t('verb.cancel')}</LinkButton>
          <Button type="submit" variant="primary" busy={busy} disabled={!isHydrated}>
            {busy ? t('verb.saving') : t('verb.save')}
          </Button>
        </div>
      </form>
    </FormErrorsContext>
  );
}

/**
 * Encrypts the typed values, loading the encryption code on first use. Returns null if no secret was typed.
 */
async function encryptSecrets(
  type: keyof typeof secretFieldsByType,
  secretFields: Record<string, string>,
  kroker: CredentialFormProps['kroker'],
): Promise<string | null> {
  if (!secretFields[secretFieldsByType[type][0]]) return null;
  const { encryptCredential } = await import('@yagura/core/kroker/encrypt-credential');
  const { username = '', password = '', privateKey = '', passphrase = '' } = secretFields;
  const secret: CredentialSecret =
    type === 'password'
      ? { credentialType: type, username, password }
      : { credentialType: type, username, privateKey: privateKey.replace(/\r\n/g, '\n'), passphrase };
  return encryptCredential(secret, kroker);
}

function TypeChoice(props: {
  type: keyof typeof secretFieldsByType;
  onChange(type: keyof typeof secretFieldsByType): void;
}) {
  const { fieldLabel, choiceLabel } = useTranslation();
  return (
    <label className="grid gap-1 text-sm font-medium">
      {fieldLabel('credentialType')}
      <select
        value={props.type}
        onChange={(event) => props.onChange(event.target.value as keyof typeof secretFieldsByType)}
        className={`${controlClass} h-8`}
      >
        {Object.keys(secretFieldsByType).map((type) => (
          <option key={type} value={type}>
            {choiceLabel(type)}
          </option>
        ))}
      </select>
    </label>
  );
}

function SecretInput(props: {
  name: string;
  value: string;
  required: boolean;
  onChange(value: string): void;
}) {
  const { fieldLabel } = useTranslation();
  const common = {
    value: props.value,
    required: props.required,
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: { target: { value: string } }) => props.onChange(event.target.value),
  };
  const id = `secret-${props.name}`;
  return (
    <div className="grid gap-1 text-sm font-medium">
      <label htmlFor={id}>{fieldLabel(props.name)}</label>
      {props.name === 'privateKey' ? (
        <textarea {...common} id={id} rows={6} className={`${controlClass} py-1.5 font-mono text-xs`} />
      ) : (
        <input
          {...common}
          id={id}
          type={props.name === 'username' ? 'text' : 'password'}
          autoComplete={props.name === 'username' ? 'off' : 'new-password'}
          className={`${controlClass} h-8`}
        />
      )}
    </div>
  );
}
