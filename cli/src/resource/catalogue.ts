// Every resource as plain facts, without its schemas. The bundle carries the result, not the derivation.
import { all } from '@yagura/core/all';
import { type AnyResource, type Call, inputFields, itemFields } from '@yagura/core/resource/define-resource';
import { shapeFields } from '@yagura/core/resource/field';
import type { CallMeta, Fields, ResourceMeta } from './entry.ts';

export const catalogue: readonly ResourceMeta[] = all.map(entryOf);

function entryOf(resource: AnyResource): ResourceMeta {
  const { shape: _shape, input, calls, types: _types, ...facts } = resource;
  return {
    ...facts,
    fields: itemFields(resource),
    input: input ? inputFields(resource) : null,
    calls: Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, callOf(call)])),
  };
}

function callOf(call: Call): CallMeta {
  return {
    method: call.method,
    path: call.path,
    on: call.on,
    permission: call.permission,
    danger: call.danger ?? false,
    paged: call.paged ?? false,
    body: factsOf(call.body),
    query: factsOf(call.query),
    reply: factsOf(call.reply),
  };
}

function factsOf(schema: Call['body']): Fields | null {
  return schema && 'shape' in schema ? shapeFields(schema as Parameters<typeof shapeFields>[0]) : null;
}
