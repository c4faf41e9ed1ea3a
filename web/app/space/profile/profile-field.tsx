// Input of a profile form.
import { useId } from 'react';

/** Labeled input with its error message. */
export function ProfileField(props: {
  name: string;
  label: string;
  type?: 'text' | 'password' | 'email';
  autoComplete: string;
  error?: string | undefined;
  maxLength?: number;
  /** What is in the input at first. */
  value?: string;
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
        defaultValue={props.value}
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
