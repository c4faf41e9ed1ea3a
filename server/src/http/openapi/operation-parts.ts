// Parts of an OpenAPI operation that follow from its method, path and body: headers, statuses, media types.
import { pageCountPreference } from '@yagura/core/http/page';
import { variantSchemas } from '@yagura/core/resource/field';
import { z } from 'zod';

export type Json = Record<string, unknown>;

export const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const problemReply = { $ref: '#/components/responses/Problem' };

/** What determines the headers and statuses of an operation. */
export interface OperationTraits {
  method: string;
  path: string;
  /** Is done once per idempotency key, or writes one item with a version. */
  write?: 'once' | 'item';
  hasBody?: boolean;
  /** Lists items, and counts them. */
  isList?: boolean;
  /** Parameters or a body can be invalid. */
  hasInput?: boolean;
  /** Anyone may call it. */
  open?: boolean;
}

const header = (name: string, schema: Json, description: string, required = false): Json => ({
  name,
  in: 'header',
  ...(required ? { required } : {}),
  schema,
  description,
});

export function headerParameters({ path, write, isList }: OperationTraits): Json[] {
  return [
    ...(path.startsWith('/api/internal/')
      ? [
          header(
            'X-Requested-With',
            { const: 'XMLHttpRequest' },
            'Internal calls need it, and do not accept API tokens',
            true,
          ),
        ]
      : []),
    ...(write === 'once'
      ? [
          header(
            'Idempotency-Key',
            { type: 'string', maxLength: 255 },
            'For 24 hours a repeated key returns the first reply, and nothing is done again',
          ),
        ]
      : []),
    ...(isList
      ? [
          header(
            'Prefer',
            { const: pageCountPreference },
            'Faster where there are many items: `total` need not count those beyond the page',
          ),
        ]
      : []),
    ...(write === 'item'
      ? [header('If-Match', { type: 'string' }, 'An ETag of the item; 412 if it has changed since')]
      : []),
  ];
}

/** The success reply and the problems that the operation can reply with. */
export function responses(traits: OperationTraits, status: number, success: Json): Json {
  const statuses = [
    ...(traits.hasInput || traits.hasBody ? [400] : []),
    ...(traits.open ? [] : [401, 403]),
    ...(traits.path.includes('{') ? [404] : []),
    ...(traits.write || traits.hasBody ? [409] : []),
    ...(traits.write === 'item' ? [412] : []),
    ...(traits.hasBody ? [413, 415] : []),
    429,
    503,
  ];
  return {
    [status]: success,
    ...Object.fromEntries(statuses.map((one) => [one, problemReply])),
    default: problemReply,
  };
}

/** A reply with a body; an item has an ETag. */
export function success(description: string, type: string, schema: Json, hasEtag = false): Json {
  return {
    description,
    ...(hasEtag
      ? { headers: { ETag: { schema: { type: 'string' }, description: 'Version for If-Match' } } }
      : {}),
    content: { [type]: { schema } },
  };
}

/** The reply of a call without a result. */
export const emptyReply = success('Done, without a body', 'text/plain', { const: '' });

export function content(schema: Json, required: boolean): Json {
  return { ...(required ? { required } : {}), content: { 'application/json': { schema } } };
}

export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: target }) => {
      if (io === 'input' && zodSchema instanceof z.ZodObject)
        Object.assign(target, conditions(zodSchema, target.allOf ?? []));
    },
  }) as Json;
  return rest;
}

/** The schema of a variant depends on its sibling: `parameters` of an action on its `kind`. */
function conditions(schema: z.ZodObject, before: unknown[]): Json {
  const found = Object.entries(schema.shape).flatMap(([name, piece]) => {
    const { by, variants = {} } = variantSchemas(piece as z.ZodType) ?? {};
    return Object.entries(variants).map(([value, variant]) => ({
      if: { properties: { [by!]: { const: value } }, required: [by!] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { [name]: jsonSchema(variant, 'input') } },
    }));
  });
  return found.length > 0 ? { allOf: [...before, ...found] } : {};
}
