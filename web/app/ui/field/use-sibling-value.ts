// Current value of another field in the same form, read from the DOM.
import { type RefObject, useEffect, useState } from 'react';

/**
 * `initial` is used during server rendering and until the form is mounted. The ref is any node in the form.
 */
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
