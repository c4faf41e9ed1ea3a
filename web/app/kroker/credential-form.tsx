// A credential as it is typed: encrypted here, in the browser; what was typed has no name in the form and is never sent.
import { useNavigation, useSubmit } from '@remix-run/react';
import type { PublicKey } from '@yagura/core/kroker/public-key';
import type { CredentialSecret } from '@yagura/core/kroker/seal';
import type { FieldMeta } from '@yagura/core/resource/field';
import { type FormEvent, useEffect, useState } from 'react';
import { asRefusal, useRefusalToast } from '../resource/use-refusal-toast.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { controlClass } from '../ui/field-frame.tsx';
import { FieldInput } from '../ui/field-input.tsx';
import { FormErrorsContext } from '../ui/form-errors.ts';
import { useTranslation } from '../ui/words.tsx';

export interface CredentialFormProps {
  form: Record<string, FieldMeta>;
  values?: Record<string, unknown>;
  hidden: Record<string, string>;
  refusal?: unknown;
  cancelHref: string;
  kroker: { krokerId: string; publicKey: PublicKey };
  /** What is stored already stays when nothing is typed. */
  kept?: boolean;
}

const secrets = { password: ['password'], 'private-key': ['privateKey', 'passphrase'] } as const;

export function CredentialForm(props: CredentialFormProps) {
  const { t, label } = useTranslation();
  const refusal = asRefusal(props.refusal);
  useRefusalToast(refusal && Object.keys(refusal.errors).length === 0 ? refusal : undefined);
  const values: Record<string, unknown> = { ...props.values, ...refusal?.values };
  const [type, setType] = useState(String(values.credentialType ?? 'password') as keyof typeof secrets);
  const [typed, setTyped] = useState<Record<string, string>>({});
  const [alive, setAlive] = useState(false);
  const [failed, setFailed] = useState(false);
  useEffect(() => setAlive(true), []);
  const submit = useSubmit();
  const busy = useNavigation().state !== 'idle';

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    try {
      const sealed = await sealTyped(type, typed, props.kroker);
      if (sealed) form.set('encryptedData', sealed);
    } catch {
      setFailed(true);
      return;
    }
    submit(form, { method: 'post' });
  }

  const needed = !props.kept;
  const errors = { ...refusal?.errors, ...(failed ? { encryptedData: t('kroker.cannot-encrypt') } : {}) };
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
            label={label(name)}
            value={values[name]}
          />
        ))}
        <fieldset className="grid gap-3 rounded-md border border-line p-3">
          <legend className="px-1 text-sm font-medium">{t('kroker.secret')}</legend>
          <p className="text-xs text-muted">{t(props.kept ? 'kroker.secret-kept' : 'kroker.secret-text')}</p>
          {errors.encryptedData && (
            <p role="alert" className="text-sm text-danger-fg">
              {errors.encryptedData}
            </p>
          )}
          <TypeChoice type={type} onChange={setType} />
          {['username', ...secrets[type]].map((name) => (
            <Typed
              key={name}
              name={name}
              value={typed[name] ?? ''}
              required={needed && name !== 'passphrase' && name !== 'username'}
              onChange={(value) => setTyped((before) => ({ ...before, [name]: value }))}
            />
          ))}
        </fieldset>
        <div className="flex justify-end gap-2 border-t border-line pt-3">
          <LinkButton to={props.cancelHref}>{t('verb.cancel')}</LinkButton>
          <Button type="submit" variant="primary" busy={busy} disabled={!alive}>
            {busy ? t('verb.saving') : t('verb.save')}
          </Button>
        </div>
      </form>
    </FormErrorsContext>
  );
}

/** Loads the encryption when it is first needed. Nothing typed gives nothing. */
async function sealTyped(
  type: keyof typeof secrets,
  typed: Record<string, string>,
  kroker: CredentialFormProps['kroker'],
): Promise<string | null> {
  if (!typed[secrets[type][0]]) return null;
  const { sealCredential } = await import('@yagura/core/kroker/seal');
  const { username = '', password = '', privateKey = '', passphrase = '' } = typed;
  const secret: CredentialSecret =
    type === 'password'
      ? { credentialType: type, username, password }
      : { credentialType: type, username, privateKey: privateKey.replace(/\r\n/g, '\n'), passphrase };
  return sealCredential(secret, kroker);
}

function TypeChoice(props: { type: keyof typeof secrets; onChange(type: keyof typeof secrets): void }) {
  const { label, value } = useTranslation();
  return (
    <label className="grid gap-1 text-sm font-medium">
      {label('credentialType')}
      <select
        value={props.type}
        onChange={(event) => props.onChange(event.target.value as keyof typeof secrets)}
        className={`${controlClass} h-8`}
      >
        {Object.keys(secrets).map((type) => (
          <option key={type} value={type}>
            {value(type)}
          </option>
        ))}
      </select>
    </label>
  );
}

function Typed(props: { name: string; value: string; required: boolean; onChange(value: string): void }) {
  const { label } = useTranslation();
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
      <label htmlFor={id}>{label(props.name)}</label>
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
