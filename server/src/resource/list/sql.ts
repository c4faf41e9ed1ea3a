// Builds parameterized SQL; values never enter the text.
import { createHash } from 'node:crypto';
import type { Statement } from '../../db/database.ts';

export class Sql {
  readonly values: unknown[] = [];

  /** Adds a value and returns its placeholder, cast when a type is given. */
  value(value: unknown, cast?: string): string {
    this.values.push(value);
    return cast ? `$${this.values.length}::${cast}` : `$${this.values.length}`;
  }
}

/**
 * A statement that each connection prepares once, named by its text. Only for texts of which there are few,
 * such as those that depend on the resource alone: a connection keeps what it prepared.
 */
export function preparedStatement(text: string): Statement {
  return { name: createHash('sha1').update(text).digest('base64url'), text };
}
