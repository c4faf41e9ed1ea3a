// Creates API clients from resource metadata.
import { foreignReply, type Transport } from '@yagura/core/http/transport';
import { type CallRequest, type Client, createClient } from '@yagura/core/resource/client';
import type { Resource } from '@yagura/core/resource/define-resource';
import type { CallMeta, ResourceMeta } from '@yagura/core/resource/resource-meta';
import { resources } from './resources.ts';
import type { Row } from './row.ts';

export type ResourceClient = Client<Row, Row>;

/** The client uses only paths and calls, never the schemas that the metadata lacks. */
export function resourceClient(meta: ResourceMeta, transport: Transport): ResourceClient {
  const client = createClient(meta as unknown as Resource<Row, Row>, transport);
  return {
    ...client,
    async call<R>(name: string, request?: CallRequest): Promise<R> {
      const reply = await client.call<R>(name, request);
      if (!isReplyOf(meta.calls[name]!, reply)) throw foreignReply(transport);
      return reply;
    },
  };
}

/** Not a full check, so that a server of another version may reply with other fields. */
function isReplyOf({ reply, paged }: CallMeta, data: unknown): boolean {
  const names = paged ? ['items'] : Object.keys(reply ?? {});
  if (names.length === 0) return true;
  return typeof data === 'object' && data !== null && names.some((name) => Object.hasOwn(data, name));
}

/** Returns the metadata of a resource by name; throws when there is none. */
export function resourceNamed(name: string): ResourceMeta {
  const found = resources.find((meta) => meta.name === name);
  if (!found) throw new Error(`no resource is named ${name}`);
  return found;
}
