// The descriptor of a resource as plain JSON, for programs that must not load the schemas.
import type { AnyResource, Call } from './define-resource.ts';
import { inputFields, itemFields } from './define-resource.ts';
import { type FieldMeta, shapeFields } from './field.ts';

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

export function resourceMeta(resource: AnyResource): ResourceMeta {
  const { shape: _shape, input, calls, types: _types, ...meta } = resource;
  return {
    ...meta,
    fields: itemFields(resource),
    input: input ? inputFields(resource) : null,
    calls: Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, callMeta(call)])),
  };
}

function callMeta(call: Call): CallMeta {
  return {
    method: call.method,
    path: call.path,
    on: call.on,
    permission: call.permission,
    danger: call.danger ?? false,
    paged: call.paged ?? false,
    body: fieldsOf(call.body),
    query: fieldsOf(call.query),
    reply: fieldsOf(call.reply),
  };
}

function fieldsOf(schema: Call['body']): Fields | null {
  return schema && 'shape' in schema ? shapeFields(schema as Parameters<typeof shapeFields>[0]) : null;
}
