// Moves the focus to fields of a form by their dotted names.
import { controlId } from './field-frame.tsx';

/**
 * Focuses the first of the fields in document order; for a field without its own control, the nearest
 * enclosing one. `data-field` marks the part of a form that replaces the generic input of a field.
 */
export function focusFirstField(form: HTMLFormElement, names: readonly string[]): void {
  const nodes = names
    .map((name) => findControl(form, name))
    .filter((node) => node !== null)
    .sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
  const first = nodes[0];
  if (!first) return;
  const focusable = first.matches('input, select, textarea, button, [tabindex]')
    ? first
    : first.querySelector<HTMLElement>('input:not([type=hidden]), select, textarea, button');
  focusable?.focus();
}

function findControl(form: HTMLFormElement, name: string): HTMLElement | null {
  const control = form.elements.namedItem(name);
  if (control instanceof HTMLElement && control.getAttribute('type') !== 'hidden') return control;
  const invalidPart = [...form.elements].find(
    (part): part is HTMLInputElement =>
      part instanceof HTMLInputElement && part.dataset.name === name && !part.validity.valid,
  );
  if (invalidPart) return invalidPart;
  for (let path = name; path; path = path.slice(0, Math.max(0, path.lastIndexOf('.')))) {
    const node =
      form.querySelector<HTMLElement>(`[data-field="${CSS.escape(path)}"]`) ??
      document.getElementById(controlId(path, form.dataset.part));
    if (node && form.contains(node)) return node;
  }
  return null;
}
