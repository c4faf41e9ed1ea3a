// Several values selected by one path.

/** A list as a step reads it, except that its text, number or time is that of its first value. */
export class SelectedList extends Array<unknown> {}

/** The value that stands for a selection of several ones. */
export function firstSelected(value: unknown): unknown {
  return value instanceof SelectedList ? value[0] : value;
}
