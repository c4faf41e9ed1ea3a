// Creates API clients from resource metadata.
import type { Transport } from '@yagura/core/http/transport';
import { type Client, createClient } from '@yagura/core/resource/client';
import type { Resource } from '@yagura/core/resource/define-resource';
import type { ResourceMeta } from '@yagura/core/resource/resource-meta';
import { resources } from './resources.ts';
import type { Row } from './row.ts';

export type ResourceClient = Client<Row, Row>;

/** The client uses only paths and calls, never the schemas that the metadata lacks. */
export function resourceClient(meta: ResourceMeta, transport: Transport): ResourceClient {
  return createClient(meta as unknown as Resource<Row, Row>, transport);
}

/** Returns the metadata of a resource by name; throws when there is none. */
export function resourceNamed(name: string): ResourceMeta {
  const found = resources.find((meta) => meta.name === name);
  if (!found) throw new Error(`no resource is named ${name}`);
  return found;
}
