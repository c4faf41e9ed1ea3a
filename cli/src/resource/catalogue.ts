// Every resource as plain facts, without its schemas. The bundle carries the result, not the derivation.
import { all } from '@yagura/core/all';
import { type AnyResource, type Call, inputFacts, itemFacts } from '@yagura/core/resource/define-resource';
import { shapeFacts } from '@yagura/core/resource/field';
import type { CallEntry, Entry, Facts } from './entry.ts';

export const catalogue: readonly Entry[] = all.map(entryOf);

function entryOf(resource: AnyResource): Entry {
  const { shape: _shape, input, calls, types: _types, ...facts } = resource;
  return {
    ...facts,
    fields: itemFacts(resource),
    input: input ? inputFacts(resource) : null,
    calls: Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, callOf(call)])),
  };
}

function callOf(call: Call): CallEntry {
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

function factsOf(schema: Call['body']): Facts | null {
  return schema && 'shape' in schema ? shapeFacts(schema as Parameters<typeof shapeFacts>[0]) : null;
}
