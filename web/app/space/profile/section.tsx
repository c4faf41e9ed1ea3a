// A part of the profile: a heading, what it is for, and its forms.
import { Form } from '@remix-run/react';
import { type ReactNode, useId } from 'react';
import { Button, type ButtonLook } from '../../ui/button.tsx';
import { useWords } from '../../ui/words.tsx';

export function Section(props: { title: string; text?: string; children: ReactNode }) {
  return (
    <section className="max-w-3xl rounded-lg border border-line bg-surface p-5 shadow-raised">
      <h3 className="mb-1 font-semibold">{props.title}</h3>
      {props.text && <p className="mb-3 text-sm text-muted">{props.text}</p>}
      {props.children}
    </section>
  );
}

/** A form of one intent in one line: its fields, then its button. */
export function IntentForm(props: {
  intent: string;
  submit: string;
  look?: ButtonLook;
  error?: string | undefined;
  children?: ReactNode;
}) {
  return (
    <Form method="post" preventScrollReset className="flex flex-wrap items-end gap-2">
      <input type="hidden" name="intent" value={props.intent} />
      {props.children}
      <Button type="submit" look={props.look ?? 'default'}>
        {props.submit}
      </Button>
      {props.error && (
        <p role="alert" className="w-full text-sm text-danger-fg">
          {props.error}
        </p>
      )}
    </Form>
  );
}

/** A labelled input with its reason when it was refused. */
export function Entry(props: {
  name: string;
  label: string;
  type?: 'text' | 'password' | 'email';
  autoComplete: string;
  error?: string | undefined;
  maxLength?: number;
}) {
  const id = useId();
  return (
    <div className="grid min-w-56 flex-1 gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {props.label}
      </label>
      <input
        id={id}
        name={props.name}
        type={props.type ?? 'text'}
        autoComplete={props.autoComplete}
        maxLength={props.maxLength ?? 254}
        required
        aria-invalid={props.error ? true : undefined}
        aria-describedby={props.error ? `${id}-error` : undefined}
        className="h-8 rounded-md border border-line-strong/60 bg-surface px-2 text-sm"
      />
      {props.error && (
        <p id={`${id}-error`} role="alert" className="text-sm text-danger-fg">
          {props.error}
        </p>
      )}
    </div>
  );
}

/** The password, asked for before the ways to sign in are changed. */
export function PasswordEntry({ error }: { error?: string | undefined }) {
  const { t } = useWords();
  return (
    <Entry
      name="password"
      type="password"
      label={t('factor.password')}
      autoComplete="current-password"
      error={error}
      maxLength={256}
    />
  );
}
