// API client of any resource, derived from its descriptor.

import { nullIfNotFound } from '../http/null-if-not-found.ts';
import type { ListQuery, Page, PageQuery } from '../http/page.ts';
import { fetchAllPages, pageCountPreference, timeOrder } from '../http/page.ts';
import { foreignReply, send, type Transport } from '../http/transport.ts';
import type { Resource } from './define-resource.ts';
import { editMethods, expandPath } from './path.ts';

/** Values of path parameters: ids of the parents by field name. */
export type PathParams = Record<string, string | undefined>;

export interface WriteOptions {
  /** Reject with 412 if the item has changed since this ETag. */
  ifMatch?: string;
  /** A repeated create with this key returns the first reply (for 24 hours). */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

export interface Client<T, N> {
  list(query?: PageQuery, params?: PathParams, signal?: AbortSignal): Promise<Page<T>>;
  fetchAll(query?: ListQuery, params?: PathParams, signal?: AbortSignal): AsyncGenerator<T>;
  show(id?: string, params?: PathParams, signal?: AbortSignal): Promise<T>;
  /** Like show, but returns null if the item does not exist. */
  find(id: string, params?: PathParams, signal?: AbortSignal): Promise<T | null>;
  create(input: N, params?: PathParams, options?: WriteOptions): Promise<T>;
  edit(id: string | undefined, input: Partial<N>, params?: PathParams, options?: WriteOptions): Promise<T>;
  remove(id: string, params?: PathParams, options?: WriteOptions): Promise<void>;
  call<R = unknown>(name: string, request?: CallRequest): Promise<R>;
}

export interface CallRequest {
  id?: string;
  params?: PathParams;
  query?: ListQuery & Record<string, string | number | undefined>;
  body?: unknown;
  signal?: AbortSignal;
}

export function createClient<T, N>(resource: Resource<T, N>, transport: Transport): Client<T, N> {
  const itemPath = (id: string | undefined, params: PathParams = {}) =>
    expandPath(resource.itemPath, { ...params, [resource.id]: id ?? params[resource.id] });
  const list: Client<T, N>['list'] = async ({ countsAll, ...query } = {}, place = {}, signal) => {
    const { data } = await send<Page<T>>(transport, {
      method: 'GET',
      path: expandPath(resource.path, place),
      query,
      ...(countsAll === false ? { headers: { prefer: pageCountPreference } } : {}),
      signal,
    });
    if (!Array.isArray(data?.items)) throw foreignReply(transport);
    return data;
  };
  /** Without the id, another server would seem to have shown or created an item. */
  const withId = (item: T): T => {
    const isKnown =
      !resource.verbs.includes('list') || (item as Record<string, unknown>)?.[resource.id] !== undefined;
    if (!isKnown) throw foreignReply(transport);
    return item;
  };
  const show: Client<T, N>['show'] = async (id, place, signal) =>
    withId((await send<T>(transport, { method: 'GET', path: itemPath(id, place), signal })).data);
  return {
    list,
    fetchAll: (query = {}, place, signal) =>
      fetchAllPages(
        (page) => list(page, place, signal),
        query,
        (item) => (item as Record<string, unknown>)[resource.id],
        timeOrder(resource, query.sort),
      ),
    show,
    find: (id, place, signal) => show(id, place, signal).catch(nullIfNotFound),
    async create(input, place = {}, options = {}) {
      const path = expandPath(resource.path, place);
      return withId(
        (await send<T>(transport, { method: 'POST', path, body: input, ...writeRequestOptions(options) }))
          .data,
      );
    },
    async edit(id, input, place, options = {}) {
      const method = editMethods(resource)[0];
      return (
        await send<T>(transport, {
          method,
          path: itemPath(id, place),
          body: input,
          ...writeRequestOptions(options),
        })
      ).data;
    },
    async remove(id, place, options = {}) {
      const { data } = await send(transport, {
        method: 'DELETE',
        path: itemPath(id, place),
        ...writeRequestOptions(options),
      });
      if (data) throw foreignReply(transport);
    },
    async call<R>(name: string, request: CallRequest = {}) {
      const call = resource.calls[name];
      if (!call) throw new Error(`${resource.name} has no call ${name}`);
      const base =
        call.on === 'item'
          ? itemPath(request.id, request.params)
          : expandPath(resource.path, request.params ?? {});
      const { data } = await send<R>(transport, {
        method: call.method,
        path: base + call.path,
        query: request.query,
        signal: request.signal,
        // A retry after a lost reply must not do it twice.
        ...(call.method === 'POST' ? { headers: { 'idempotency-key': crypto.randomUUID() } } : {}),
        ...(call.body ? { body: request.body ?? {} } : {}),
      });
      return data;
    },
  };
}

function writeRequestOptions(options: WriteOptions): {
  headers: Record<string, string>;
  signal?: AbortSignal;
} {
  return {
    signal: options.signal,
    headers: {
      ...(options.ifMatch ? { 'if-match': options.ifMatch } : {}),
      ...(options.idempotencyKey ? { 'idempotency-key': options.idempotencyKey } : {}),
    },
  };
}
