// Generic form: a grid of inputs, Cancel, and a submit button that is disabled while the form is being
// processed.
import { Form as PlainForm, useNavigation } from '@remix-run/react';
import type { FieldMeta } from '@yagura/core/resource/field';
import { type FormEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Button, LinkButton } from '../button.tsx';
import { focusFirstField } from '../field/focus-field.ts';
import { type FormErrors, FormErrorsContext } from '../field/form-errors.ts';
import { FormPartContext } from '../field/form-part.ts';
import { controlName, validationMessages } from '../field/validation-messages.ts';
import { Icon } from '../icon.tsx';
import { FieldInput } from '../input/field-input.tsx';
import type { ReferenceOptions } from '../references.ts';
import { useTranslation } from '../translation.tsx';
import { discardUnsavedChanges, useUnsavedChanges } from './unsaved-changes.tsx';

export interface FormProps {
  meta: Record<string, FieldMeta>;
  values?: Record<string, unknown>;
  /** Error messages by dotted name, as in `invalidParams` of a 400 response. */
  errors?: FormErrors;
  references?: ReferenceOptions;
  hints?: Record<string, string>;
  /** Replaces the generic input of a field. */
  fields?: Record<string, ReactNode>;
  /** Rendered below the fields. */
  children?: ReactNode;
  submitLabel?: string;
  busyLabel?: string;
  /** The form is being processed; derived from the page's navigation if absent. */
  busy?: boolean;
  cancelHref?: string;
  onCancel?: () => void;
  action?: string;
  /** Id of the form element, for buttons outside of it. */
  id?: string;
  /** Name of the form, if its page has several with fields of the same name. */
  part?: string;
  /** Hidden inputs, e.g. the intent or the version that is edited. */
  hidden?: Record<string, string>;
}

export function Form(props: FormProps) {
  const { t, fieldLabel } = useTranslation();
  const navigation = useNavigation();
  const form = useRef<HTMLFormElement>(null);
  const [clientErrors, setClientErrors] = useState<FormErrors>({});
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const busy = props.busy ?? (navigation.state !== 'idle' && navigation.formMethod === 'POST');
  const { errors: replied } = props;
  const unsaved = useUnsavedChanges(form, replied);

  // A new response resets the touched state and local errors of all fields.
  useEffect(() => {
    setTouched(new Set());
    setClientErrors({});
    if (replied && Object.keys(replied).length > 0) focusFirstField(form.current!, Object.keys(replied));
  }, [replied]);

  const errors = useMemo(() => {
    const left = Object.entries(replied ?? {}).filter(([name]) => !touched.has(name));
    return { ...Object.fromEntries(left), ...clientErrors };
  }, [replied, clientErrors, touched]);

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    const reasons = validationMessages(event.currentTarget, t);
    if (busy || Object.keys(reasons).length > 0) event.preventDefault();
    else unsaved.onSubmit();
    setClientErrors(reasons);
    if (Object.keys(reasons).length > 0) focusFirstField(event.currentTarget, Object.keys(reasons));
  }

  function onInput(event: FormEvent<HTMLFormElement>) {
    const name = controlName(event.target as HTMLElement);
    if (!name || !errors[name]) return;
    setTouched((names) => new Set([...names, name]));
    setClientErrors(({ [name]: _gone, ...rest }) => rest);
  }

  const count = Object.keys(errors).length;
  return (
    <FormErrorsContext value={errors}>
      <FormPartContext value={props.part}>
        <PlainForm
          ref={form}
          id={props.id}
          data-part={props.part}
          method="post"
          action={props.action}
          noValidate
          onSubmit={onSubmit}
          onInput={onInput}
          className="grid max-w-3xl grid-cols-1 gap-4"
        >
          {Object.entries(props.hidden ?? {}).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          {count > 0 && (
            <p
              role="alert"
              className="flex items-center gap-2 rounded-md bg-danger-bg px-3 py-2 text-sm text-danger-fg"
            >
              <Icon name="error" />
              {count === 1 ? t('ui.fix-field') : t('ui.fix-fields', { count })}
              {errors[''] && <span>{errors['']}</span>}
            </p>
          )}
          {Object.entries(props.meta).map(([name, field]) =>
            props.fields && name in props.fields ? (
              <div key={name} data-field={name} tabIndex={-1}>
                {props.fields[name]}
              </div>
            ) : (
              <FieldInput
                key={name}
                name={name}
                meta={field}
                label={fieldLabel(name)}
                value={props.values?.[name]}
                hint={props.hints?.[name]}
                references={props.references}
                siblings={props.values}
              />
            ),
          )}
          {props.children}
          <div className="flex flex-wrap justify-end gap-2 border-t border-line pt-3">
            {props.cancelHref && (
              <LinkButton to={props.cancelHref} onClick={discardUnsavedChanges}>
                {t('verb.cancel')}
              </LinkButton>
            )}
            {!props.cancelHref && props.onCancel && (
              <Button onClick={props.onCancel}>{t('verb.cancel')}</Button>
            )}
            <Button type="submit" variant="primary" busy={busy}>
              {busy ? (props.busyLabel ?? t('verb.saving')) : (props.submitLabel ?? t('verb.save'))}
            </Button>
          </div>
        </PlainForm>
      </FormPartContext>
      {unsaved.prompt}
    </FormErrorsContext>
  );
}
