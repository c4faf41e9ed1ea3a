// Metadata of every resource without its schemas. The bundle contains the precomputed result.
import { resources as descriptors } from '@yagura/core/all';
import { type AnyResource, type Call, inputFields, itemFields } from '@yagura/core/resource/define-resource';
import { shapeFields } from '@yagura/core/resource/field';
import type { CallMeta, Fields, ResourceMeta } from './resource-meta.ts';

export const resources: readonly ResourceMeta[] = descriptors.map(toResourceMeta);

function toResourceMeta(resource: AnyResource): ResourceMeta {
  const { shape: _shape, input, calls, types: _types, ...meta } = resource;
  return {
    ...meta,
    fields: itemFields(resource),
    input: input ? inputFields(resource) : null,
    calls: Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, toCallMeta(call)])),
  };
}

function toCallMeta(call: Call): CallMeta {
  return {
    method: call.method,
    path: call.path,
    on: call.on,
    permission: call.permission,
    danger: call.danger ?? false,
    paged: call.paged ?? false,
    body: toFields(call.body),
    query: toFields(call.query),
    reply: toFields(call.reply),
  };
}

function toFields(schema: Call['body']): Fields | null {
  return schema && 'shape' in schema ? shapeFields(schema as Parameters<typeof shapeFields>[0]) : null;
}
