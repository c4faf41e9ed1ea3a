// Frame of an input: label with a required mark, hint and error message.
import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { Icon } from '../icon.tsx';
import { useTranslation } from '../translation.tsx';

export interface FrameProps {
  name: string;
  label: string;
  required: boolean;
  hint?: string;
  error?: string;
  /** Name of the form, if the page has several. */
  part?: string;
}

/** Attributes that associate an input with its frame. */
export interface ControlProps {
  id: string;
  name: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
  'aria-required': true | undefined;
}

/** Id of a field's control; dots are valid in ids, but selectors must escape them. */
export const controlId = (name: string, part?: string) => `field-${part ? `${part}-` : ''}${name}`;
const hintId = ({ name, part }: IdSource) => `${controlId(name, part)}-hint`;
const errorId = ({ name, part }: IdSource) => `${controlId(name, part)}-error`;

type IdSource = Pick<FrameProps, 'name' | 'part'>;

export function controlProps(frame: FrameProps): ControlProps {
  const about = [frame.error && errorId(frame), frame.hint && hintId(frame)].filter(Boolean).join(' ');
  return {
    id: controlId(frame.name, frame.part),
    name: frame.name,
    'aria-invalid': frame.error ? true : undefined,
    'aria-describedby': about || undefined,
    'aria-required': frame.required || undefined,
  };
}

/** Classes of all text-like controls. */
export const controlClass =
  'w-full rounded-md border border-line-strong/60 bg-surface px-2.5 text-sm aria-invalid:border-danger disabled:opacity-60';

/** Frame of a single control with its label. */
export function FieldFrame(props: FrameProps & { children: ReactNode; className?: string }) {
  return (
    <div
      className={classNames('grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-1', props.className)}
    >
      <label htmlFor={controlId(props.name, props.part)} className="text-sm font-medium">
        {props.label}
        <RequiredMark required={props.required} />
      </label>
      {props.children}
      <FieldNotes {...props} />
    </div>
  );
}

/** Frame of several controls with a legend. */
export function FieldGroup(props: FrameProps & { children: ReactNode; className?: string }) {
  return (
    <fieldset
      id={controlId(props.name, props.part)}
      aria-describedby={controlProps(props)['aria-describedby']}
      className={classNames('grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-2', props.className)}
    >
      <legend className="mb-1 text-sm font-medium">
        {props.label}
        <RequiredMark required={props.required} />
      </legend>
      {props.children}
      <FieldNotes {...props} />
    </fieldset>
  );
}

function RequiredMark({ required }: { required: boolean }) {
  const { t } = useTranslation();
  if (!required) return null;
  return (
    <span className="ml-1 text-danger-fg" title={t('ui.required')}>
      <span aria-hidden="true">*</span>
      <span className="sr-only">{t('ui.required')}</span>
    </span>
  );
}

/** Hint and error of a control that has its own label. */
export function FieldNotes(props: Pick<FrameProps, 'name' | 'hint' | 'error' | 'part'>) {
  const { hint, error } = props;
  return (
    <>
      {hint && (
        <p id={hintId(props)} className="text-xs text-muted">
          {hint}
        </p>
      )}
      {error && (
        <p id={errorId(props)} className="flex items-start gap-1 text-xs text-danger-fg">
          <Icon name="error" size={13} className="mt-0.5" />
          {error}
        </p>
      )}
    </>
  );
}
