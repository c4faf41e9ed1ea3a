// Resource metadata: the descriptor of a resource as plain JSON.
import type { AnyResource, Call } from '@yagura/core/resource/define-resource';
import type { FieldMeta } from '@yagura/core/resource/field';

export type Fields = Record<string, FieldMeta>;

export interface CallMeta extends Pick<Call, 'method' | 'path' | 'on' | 'permission'> {
  danger: boolean;
  paged: boolean;
  body: Fields | null;
  query: Fields | null;
  reply: Fields | null;
}

export interface ResourceMeta extends Omit<AnyResource, 'shape' | 'input' | 'calls' | 'types'> {
  fields: Fields;
  input: Fields | null;
  calls: Record<string, CallMeta>;
}

/** An item as received from the API. */
export type Row = Record<string, unknown>;
