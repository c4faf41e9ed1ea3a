// The current value of another field of the same form, read where it lives.
import { type RefObject, useEffect, useState } from 'react';

/** `initial` is used until the form is there, and by the server. `inside` is any node of the form. */
export function useSiblingValue(
  containerRef: RefObject<HTMLElement | null>,
  name: string,
  initial: string,
): string {
  const [value, setValue] = useState(initial);
  useEffect(() => {
    const form = containerRef.current?.closest('form');
    if (!form) return;
    const read = () => {
      const control = form.elements.namedItem(name);
      if (control && 'value' in control) setValue(String(control.value));
    };
    const changed = (event: Event) => {
      if ((event.target as { name?: string }).name === name) read();
    };
    read();
    form.addEventListener('input', changed);
    form.addEventListener('change', changed);
    return () => {
      form.removeEventListener('input', changed);
      form.removeEventListener('change', changed);
    };
  }, [containerRef, name]);
  return value;
}
