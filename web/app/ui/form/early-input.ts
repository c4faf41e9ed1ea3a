// Keeps what is entered into forms before the page is hydrated, on a slow connection, or what the browser restores after
// a reload. React learns nothing of it: a controlled field would lose the value at its next render, and a text area that
// was not empty is reset by the hydration itself.
import { useEffect } from 'react';

type TextField = HTMLInputElement | HTMLTextAreaElement;
/** By this, React decides whether an event changed a field. */
type Tracked = TextField & { _valueTracker?: { setValue(value: string): void } };

const form = 'form[method=post]';
const textFields = `${form} :is(textarea, input:not([type=checkbox], [type=radio], [type=file], [type=hidden]))`;
const toggles = `${form} input:is([type=checkbox], [type=radio])`;

/** Follows the text fields of a page from before it is hydrated until `report` is called. */
export class EarlyInput {
  private readonly texts = new Map<TextField, string>();
  private readonly page: Document;

  constructor(page: Document) {
    this.page = page;
    for (const field of page.querySelectorAll<TextField>(textFields)) this.follow(field);
    page.addEventListener('input', this.onInput, true);
  }

  /** Reports to React what was entered; call it once when all is hydrated. */
  report(): void {
    const { page } = this;
    page.removeEventListener('input', this.onInput, true);
    // Collected first: an event makes React render, which resets all other controlled fields.
    const selects = [...page.querySelectorAll<HTMLSelectElement>(`${form} select`)]
      .filter(isChosenEarly)
      .map((select) => [select, select.value] as const);
    const changed = [...page.querySelectorAll<HTMLInputElement>(toggles)].filter(isToggledEarly);
    for (const [select, value] of selects) {
      select.value = value;
      select.dispatchEvent(new Event('change', { bubbles: true }));
    }
    for (const toggle of changed) {
      toggle.checked = toggle.defaultChecked;
      toggle.click();
    }
    for (const [field, text] of this.texts) if (field.isConnected) reportText(field, text);
  }

  private onInput = ({ target }: Event): void => {
    if (target instanceof Element && target.matches(textFields)) this.follow(target as TextField);
  };

  private follow(field: TextField): void {
    if (field.value !== field.defaultValue) this.texts.set(field, field.value);
    else this.texts.delete(field);
  }
}

/** For a component around the whole page. */
export function useEarlyInput(early: EarlyInput): void {
  useEffect(() => early.report(), [early]);
}

function isChosenEarly({ options, multiple }: HTMLSelectElement): boolean {
  if (multiple) return false;
  const index = [...options].findIndex(({ defaultSelected }) => defaultSelected);
  return options[Math.max(index, 0)]?.selected === false;
}

/** Of a group of radio buttons, only the chosen one is reported. */
function isToggledEarly({ type, checked, defaultChecked }: HTMLInputElement): boolean {
  return checked !== defaultChecked && (type === 'checkbox' || checked);
}

/** A value that is there already stays untouched: neither the cursor moves nor does a composition end. */
function reportText(field: Tracked, text: string): void {
  if (field.value !== text) field.value = text;
  field._valueTracker?.setValue(field.defaultValue);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
