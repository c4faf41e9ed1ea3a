// Why fields were refused, by dotted name, for every input below a form.
import { createContext, useContext } from 'react';

export type FormErrors = Readonly<Record<string, string>>;

export const FormErrorsContext = createContext<FormErrors>({});

/**
 * The reason for one field. With `below`, also that of a field below it, for inputs that do not draw their members
 * one by one.
 */
export function useFormError(name: string, includeNested = false): string | undefined {
  const errors = useContext(FormErrorsContext);
  if (errors[name]) return errors[name];
  if (!includeNested) return undefined;
  const inner = Object.keys(errors).find((key) => key.startsWith(`${name}.`));
  return inner && errors[inner];
}
