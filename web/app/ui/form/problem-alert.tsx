// Alert that lists the server's validation errors of unsaved settings by field.
import { useEffect, useRef, useState } from 'react';
import { focusFirstField } from '../field/focus-field.ts';
import { useTranslation } from '../translation.tsx';

/** `errors` are by dotted name; inside a form, each leads to its field. */
export function ProblemAlert(props: { text: string; errors: Readonly<Record<string, string>> }) {
  const { t, fieldLabel } = useTranslation();
  const list = useRef<HTMLUListElement>(null);
  const labelOf = (name: string) =>
    name
      .split('.')
      .map((part) => (/^\d+$/.test(part) ? t('ui.row', { number: Number(part) + 1 }) : fieldLabel(part)))
      .join(' › ');
  const [form, setForm] = useState<HTMLFormElement | null>(null);
  useEffect(() => setForm(list.current?.closest('form') ?? null), []);
  return (
    <div role="alert" className="rounded-md bg-danger-bg px-3 py-2 text-sm text-danger-fg">
      {props.text}
      <ul ref={list} className="list-disc pl-5">
        {Object.entries(props.errors).map(([name, reason]) => (
          <li key={name}>
            {form ? (
              <button
                type="button"
                onClick={() => focusFirstField(form, [name])}
                className="text-left font-medium underline"
              >
                {labelOf(name)}
              </button>
            ) : (
              <span className="font-medium">{labelOf(name)}</span>
            )}{' '}
            {reason}
          </li>
        ))}
      </ul>
    </div>
  );
}
