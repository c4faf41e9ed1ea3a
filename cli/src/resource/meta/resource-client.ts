// The client of a resource that is known by its facts.
import type { Transport } from '@yagura/core/http/transport';
import { type Client, createClient } from '@yagura/core/resource/client';
import type { Resource } from '@yagura/core/resource/define-resource';
import type { ResourceMeta, Row } from './resource-meta.ts';
import { resources } from './resources.ts';

export type ResourceClient = Client<Row, Row>;

/** The client reads paths and calls only, never the schemas that an entry lacks. */
export function resourceClient(meta: ResourceMeta, transport: Transport): ResourceClient {
  return createClient(meta as unknown as Resource<Row, Row>, transport);
}

/** The entry of that name; throws when there is none. */
export function resourceNamed(name: string): ResourceMeta {
  const found = resources.find((meta) => meta.name === name);
  if (!found) throw new Error(`no resource is named ${name}`);
  return found;
}
