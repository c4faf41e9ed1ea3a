// Fields of a form as an object; a field that occurs several times is a list.
import { JsonError } from '../../../../http/exact-json.ts';
import { reason } from '../../errors/decision-reason.ts';
import { parseJsonData } from './json-data.ts';
import { UnreadableBodyError } from './unreadable-body-error.ts';

/** Maximum fields of a form. */
export const maxFormFields = 20_000;

/** Parses `a=1&b=2`. Throws UnreadableBodyError if there are too many fields. */
export function parseFormFields(text: string): Record<string, unknown> {
  const fields = new FormFields();
  // Before all of them are split and decoded.
  for (let at = text.indexOf('&'), count = 1; at >= 0; at = text.indexOf('&', at + 1), count += 1)
    if (count > maxFormFields) throw tooManyFields();
  new URLSearchParams(text.trim()).forEach((value, name) => {
    fields.add(name, value);
  });
  return fields.toObject();
}

export class FormFields {
  private readonly fields = new Map<string, unknown[]>();
  private count = 0;

  /** Throws UnreadableBodyError if there are too many. */
  add(name: string, value: unknown): void {
    this.count += 1;
    if (this.count > maxFormFields) throw tooManyFields();
    const values = this.fields.get(name);
    if (values) values.push(value);
    else this.fields.set(name, [value]);
  }

  /** A field `payload` that contains JSON, as chat tools send it, becomes its data. */
  toObject(): Record<string, unknown> {
    return Object.fromEntries(
      [...this.fields].map(([name, values]) => {
        const read = name === 'payload' ? values.map(jsonOrSame) : values;
        return [name, read.length === 1 ? read[0] : read];
      }),
    );
  }
}

const tooManyFields = () =>
  new UnreadableBodyError(reason('why.data.tooManyFields', { most: maxFormFields }));

function jsonOrSame(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return parseJsonData(value);
  } catch (error) {
    if (error instanceof JsonError) return value;
    throw error;
  }
}
