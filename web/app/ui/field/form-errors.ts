// Field errors by dotted name, for all inputs of a form.
import { createContext, useContext } from 'react';

export type FormErrors = Readonly<Record<string, string>>;

export const FormErrorsContext = createContext<FormErrors>({});

/**
 * Returns the error of one field, optionally also that of a nested field for inputs that do not render their
 * members individually.
 */
export function useFormError(name: string, includeNested = false): string | undefined {
  const errors = useContext(FormErrorsContext);
  if (errors[name]) return errors[name];
  if (!includeNested) return undefined;
  const inner = Object.keys(errors).find((key) => key.startsWith(`${name}.`));
  return inner && errors[inner];
}
