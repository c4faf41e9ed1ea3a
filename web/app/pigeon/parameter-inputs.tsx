// Inputs for the values of a template's variables.
import { classNames } from '../ui/class-names.ts';
import { controlClass } from '../ui/field/field-frame.tsx';

export function ParameterInputs(props: {
  names: readonly string[];
  values: Readonly<Record<string, string>>;
  onChange: (values: Record<string, string>) => void;
}) {
  if (props.names.length === 0) return null;
  return (
    <div className="grid gap-2 sm:grid-cols-2">
      {props.names.map((name) => (
        <label key={name} className="grid min-w-0 grid-cols-1 gap-1 text-xs text-muted">
          <code className="font-mono break-all">{name}</code>
          <input
            value={props.values[name] ?? ''}
            onChange={(event) => props.onChange({ ...props.values, [name]: event.target.value })}
            className={classNames(controlClass, 'h-8 text-text')}
          />
        </label>
      ))}
    </div>
  );
}
