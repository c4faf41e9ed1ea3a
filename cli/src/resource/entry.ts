// What a command knows of a resource: its descriptor as plain JSON.
import type { AnyResource, Call } from '@yagura/core/resource/define-resource';
import type { FieldFacts } from '@yagura/core/resource/field';

export type Facts = Record<string, FieldFacts>;

export interface CallEntry extends Pick<Call, 'method' | 'path' | 'on' | 'permission'> {
  danger: boolean;
  paged: boolean;
  body: Facts | null;
  query: Facts | null;
  reply: Facts | null;
}

export interface Entry extends Omit<AnyResource, 'shape' | 'input' | 'calls' | 'types'> {
  fields: Facts;
  input: Facts | null;
  calls: Record<string, CallEntry>;
}

/** An item as it came over the wire. */
export type Row = Record<string, unknown>;
