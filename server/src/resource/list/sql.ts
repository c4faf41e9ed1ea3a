// Builds parameterized SQL; values never enter the text.

export class Sql {
  readonly values: unknown[] = [];

  /** Adds a value and returns its placeholder, cast when a type is given. */
  value(value: unknown, cast?: string): string {
    this.values.push(value);
    return cast ? `$${this.values.length}::${cast}` : `$${this.values.length}`;
  }
}
