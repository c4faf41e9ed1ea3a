// Builds parameterised SQL piece by piece: values never enter the text.

export class Sql {
  readonly values: unknown[] = [];

  /** Adds a value and gives its placeholder, cast when a type is named. */
  value(value: unknown, cast?: string): string {
    this.values.push(value);
    return cast ? `$${this.values.length}::${cast}` : `$${this.values.length}`;
  }
}
