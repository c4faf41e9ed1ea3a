// Creates API clients from resource metadata.
import { foreignReply, hasFieldOf, type Transport } from '@yagura/core/http/transport';
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
      const fields = replyFields(meta.calls[name]!);
      if (fields.length > 0 && !hasFieldOf(reply, fields)) throw foreignReply(transport);
      return reply;
    },
  };
}

const replyFields = ({ reply, paged }: CallMeta) => (paged ? ['items'] : Object.keys(reply ?? {}));

/** Returns the metadata of a resource by name; throws when there is none. */
export function resourceNamed(name: string): ResourceMeta {
  const found = resources.find((meta) => meta.name === name);
  if (!found) throw new Error(`no resource is named ${name}`);
  return found;
}
