// How tables treat the values of a field kind.
import type { FieldKind } from '@yagura/core/resource/field';

interface KindLayout {
  /** Wraps, because users decide how long it is; a value that stays on one line pushes the next columns away. */
  wraps?: true;
  /** Identifies a row; statuses and numbers do not. */
  identifies?: true;
}

const kindLayouts: Record<FieldKind, KindLayout> = {
  id: { identifies: true },
  text: { identifies: true, wraps: true },
  'long-text': { wraps: true },
  template: {},
  email: { identifies: true, wraps: true },
  url: {},
  integer: {},
  number: {},
  boolean: {},
  choice: {},
  date: { identifies: true },
  'date-time': { identifies: true },
  seconds: {},
  bytes: {},
  reference: { identifies: true, wraps: true },
  list: { wraps: true },
  'key-values': {},
  object: { wraps: true },
  variant: { wraps: true },
  json: { wraps: true },
  secret: {},
  rrule: {},
  'time-zone': {},
};

/** Whether a cell may break the line. */
export const isWrapping = (kind: FieldKind) => kindLayouts[kind].wraps ?? false;
/** Whether a table can link its rows by this column. */
export const identifiesRow = (kind: FieldKind) => kindLayouts[kind].identifies ?? false;
