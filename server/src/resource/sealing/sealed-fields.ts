// Encrypts URLs and headers with credentials at rest; readers get them decrypted.

import { onPremisesParameters } from '@yagura/core/alerthub/action';
import { resourceNamed } from '@yagura/core/all';
import { type AnyResource, inputFields } from '@yagura/core/resource/define-resource';
import { type FieldMeta, shapeFields } from '@yagura/core/resource/field';
import { containsSecret, isSafeHeader } from '../../audit/mask-request.ts';
import type { ServerSecret } from '../../common/secrets/server-secret.ts';

type Body = Record<string, unknown>;
type Fields = Record<string, FieldMeta>;

/** Encrypts texts per space, with the installation secret. */
export interface Sealing {
  seal(spaceId: string, text: string): string;
  /** Returns a text that was never encrypted unchanged; one that cannot be decrypted becomes empty. */
  open(spaceId: string, text: string): string;
}

const prefix = 'sealed:1:';

export function createSealing(secret: Pick<ServerSecret, 'seal' | 'open'>): Sealing {
  const labelOf = (spaceId: string) => `field of space ${spaceId}`;
  return {
    seal: (spaceId, text) => prefix + secret.seal(text, labelOf(spaceId)).toString('base64url'),
    open(spaceId, text) {
      if (!text.startsWith(prefix)) return text;
      return secret.open(Buffer.from(text.slice(prefix.length), 'base64url'), labelOf(spaceId)) ?? '';
    },
  };
}

/** Encrypts a text unless it already is encrypted. */
export function sealOnce(sealing: Sealing, spaceId: string, text: string): string {
  return text.startsWith(prefix) ? text : sealing.seal(spaceId, text);
}

/** Returns the body as stored. Values already encrypted stay unchanged. */
export function sealBody(sealing: Sealing, spaceId: string, resource: AnyResource, body: Body): Body {
  const fields = sealedFieldsOf(resource);
  if (!fields) return body;
  return mapSealed(body, fields, (text) => sealOnce(sealing, spaceId, text)) as Body;
}

/** Returns the decrypted body. */
export function openBody<T>(sealing: Sealing, spaceId: string, resource: AnyResource, body: T): T {
  return sealedFieldsOf(resource) ? (openValue(body, (text) => sealing.open(spaceId, text)) as T) : body;
}

/** Decrypts every encrypted value within a value. */
export function openAll(sealing: Sealing, spaceId: string, value: unknown): unknown {
  return openValue(value, (text) => sealing.open(spaceId, text));
}

const requestFields = shapeFields(onPremisesParameters);

/** The request of a delivery as stored in its record. */
export function sealRequest<T>(sealing: Sealing, spaceId: string, request: T): T {
  return mapSealed(request, requestFields, (text) => sealOnce(sealing, spaceId, text)) as T;
}

export function openRequest<T>(sealing: Sealing, spaceId: string, request: T): T {
  if (typeof request !== 'object' || request === null) return request;
  const { url, headers } = request as { url?: unknown; headers?: unknown };
  const open = (value: unknown) => openAll(sealing, spaceId, value);
  return {
    ...request,
    ...(url === undefined ? {} : { url: open(url) }),
    ...(headers === undefined ? {} : { headers: open(headers) }),
  };
}

/** Names of the resources whose bodies contain fields to encrypt. */
export function sealedKinds(all: readonly AnyResource[]): string[] {
  return all.filter((resource) => sealedFieldsOf(resource)).map(({ name }) => name);
}

/** Same, by the kind of the stored row. */
export function sealStored(sealing: Sealing, spaceId: string, kind: string, body: Body): Body {
  return sealBody(sealing, spaceId, resourceNamed(kind), body);
}

const known = new WeakMap<AnyResource, Fields | null>();

/** The fields of the body when they contain a URL or headers at any depth; otherwise null. */
function sealedFieldsOf(resource: AnyResource): Fields | null {
  const found = known.get(resource);
  if (found !== undefined) return found;
  const fields = inputFields(resource);
  const has = hasSealedField(fields) ? fields : null;
  known.set(resource, has);
  return has;
}

function hasSealedField(fields: Fields): boolean {
  return Object.entries(fields).some(
    ([name, fact]) =>
      fact.kind === 'url' ||
      (name === 'headers' && fact.kind === 'key-values') ||
      hasSealedField(fact.fields ?? fact.item?.fields ?? {}) ||
      Object.values(fact.variants ?? {}).some(hasSealedField),
  );
}

function mapSealed(value: unknown, fields: Fields, seal: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => mapSealed(one, fields, seal));
  if (typeof value !== 'object' || value === null) return value;
  const body = value as Body;
  return Object.fromEntries(
    Object.entries(body).map(([name, one]) => {
      const field = fields[name];
      if (field?.kind === 'url' && typeof one === 'string')
        return [name, one !== '' && containsSecret(one) ? seal(one) : one];
      if (name === 'headers' && field?.kind === 'key-values') return [name, sealedHeaders(one, seal)];
      const inner = field?.by
        ? (field.variants?.[String(body[field.by])] ?? {})
        : (field?.fields ?? field?.item?.fields);
      return [name, inner ? mapSealed(one, inner, seal) : one];
    }),
  );
}

function sealedHeaders(headers: unknown, seal: (text: string) => string): unknown {
  if (typeof headers !== 'object' || headers === null) return headers;
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string' && value !== '' && !isSafeHeader(name) ? seal(value) : value,
    ]),
  );
}

function openValue(value: unknown, open: (text: string) => string): unknown {
  if (typeof value === 'string') return open(value);
  if (Array.isArray(value)) return value.map((one) => openValue(one, open));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, openValue(one, open)]));
}
