// The client of a resource that is known by its facts.
import type { Transport } from '@yagura/core/http/transport';
import { type Client, clientFor } from '@yagura/core/resource/client';
import type { Resource } from '@yagura/core/resource/define-resource';
import { catalogue } from './catalogue.ts';
import type { ResourceMeta, Row } from './entry.ts';

export type EntryClient = Client<Row, Row>;

/** The client reads paths and calls only, never the schemas that an entry lacks. */
export function entryClient(meta: ResourceMeta, transport: Transport): EntryClient {
  return clientFor(meta as unknown as Resource<Row, Row>, transport);
}

/** The entry of that name; throws when there is none. */
export function entryNamed(name: string): ResourceMeta {
  const found = catalogue.find((meta) => meta.name === name);
  if (!found) throw new Error(`no resource is named ${name}`);
  return found;
}
