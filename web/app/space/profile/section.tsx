// Section of the profile: heading, description and forms.
import { Form } from '@remix-run/react';
import type { ReactNode } from 'react';
import { Button, type ButtonVariant } from '../../ui/button.tsx';
import { ProofField, useProofMethod } from './proof-field.tsx';

export function ProfileSection(props: { title: string; text?: string; children: ReactNode }) {
  return (
    <section className="max-w-3xl rounded-lg border border-line bg-surface p-5 shadow-raised">
      <h3 className="mb-1 font-semibold">{props.title}</h3>
      {props.text && <p className="mb-3 text-sm text-muted">{props.text}</p>}
      {props.children}
    </section>
  );
}

/** One-line form of an intent: fields and submit button. */
export function IntentForm(props: {
  intent: string;
  submit: string;
  variant?: ButtonVariant;
  error?: string | undefined;
  /** Requires reauthentication; `errors` by field name. */
  proof?: { errors?: Record<string, string> | undefined; isAboutFactors?: boolean };
  children?: ReactNode;
}) {
  const proofMethod = useProofMethod(props.proof?.isAboutFactors);
  return (
    <Form method="post" preventScrollReset className="flex flex-wrap items-end gap-2">
      <input type="hidden" name="intent" value={props.intent} />
      {props.children}
      {props.proof && <ProofField {...props.proof} />}
      {!(props.proof && proofMethod === 'sign-in') && (
        <Button type="submit" variant={props.variant ?? 'default'}>
          {props.submit}
        </Button>
      )}
      {props.error && (
        <p role="alert" className="w-full text-sm text-danger-fg">
          {props.error}
        </p>
      )}
    </Form>
  );
}
