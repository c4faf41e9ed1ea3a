// The OpenAPI 3.1 document of the API, generated from the descriptors.
import { resources } from '@yagura/core/all';
import { problemKinds } from '@yagura/core/http/problem';
import {
  type AnyResource,
  acceptsIdempotencyKey,
  editMethods,
  pathParameters,
  periodField,
  permissionFor,
  type Verb,
} from '@yagura/core/resource/define-resource';
import { expandableRelations } from '@yagura/core/resource/relations';
import { type StandaloneCall, standaloneCalls } from '@yagura/core/standalone-calls';
import type { z } from 'zod';
import { fixedPaths, pathParameter } from './fixed-paths.ts';
import {
  content,
  emptyReply,
  headerParameters,
  type Json,
  jsonSchema,
  type OperationTraits,
  ref,
  responses,
  success,
} from './operation-parts.ts';

/** How bodies are read; the schemas say what is written. */
const tolerance =
  'Bodies are read tolerantly: an empty list may be written as `{}` or null, and a text as a number without exponent. Unknown members are ignored.';

export function openApiDocument(publicUrl: string, version: string): Json {
  const paths: Record<string, Json> = {};
  const schemas: Record<string, Json> = { Problem: problemSchema };
  for (const resource of resources) describe(resource, paths, schemas);
  for (const [name, call] of Object.entries(standaloneCalls)) describeFixed(name, call, paths);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Yagura API',
      version,
      description: tolerance,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl }],
    security: [{ bearer: [] }, { token: [] }],
    tags: [...new Set(resources.map((resource) => resource.app))].map((name) => ({ name })),
    paths: { ...paths, ...fixedPaths },
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An access token of a person, or an API token.',
        },
        token: { type: 'apiKey', in: 'header', name: 'X-Authorization', description: '`Token <API token>`' },
      },
      schemas,
      responses: {
        Problem: {
          description: 'A problem (RFC 9457)',
          content: { 'application/problem+json': { schema: ref('Problem') } },
        },
      },
    },
  };
}

function describe(resource: AnyResource, paths: Record<string, Json>, schemas: Record<string, Json>): void {
  const name = pascal(resource.name);
  schemas[name] = jsonSchema(resource.shape, 'output');
  if (resource.input) schemas[`${name}Input`] = jsonSchema(resource.input, 'input');
  const at = (path: string, method: string, operation: Json) => {
    paths[path] ??= { parameters: pathParameters(path).map(pathParameter) };
    paths[path][method] = { tags: [resource.app], ...operation };
  };
  /** Adds the headers of the operation to its own parameters. */
  const parametersOf = (traits: OperationTraits, own: Json[] = []) => {
    const all = [...own, ...headerParameters(traits)];
    return all.length > 0 ? { parameters: all } : {};
  };
  const item = withRelations(resource, ref(name));
  const [one, many] = resource.noun.en;
  const body = resource.input ? { requestBody: content(ref(`${name}Input`), true) } : {};
  const has = (verb: Verb) => resource.verbs.includes(verb);
  const operationMeta = (verb: Verb | string, summary: string) => ({
    operationId: `${resource.name}.${verb}`,
    summary,
    description: `Needs the permission \`${permissionFor(resource, verb)}\`.`,
  });
  if (has('list')) {
    const traits = { method: 'GET', path: resource.path, isList: true, hasInput: true };
    at(resource.path, 'get', {
      ...operationMeta('list', `List ${many}`),
      ...parametersOf(traits, listParameters(resource)),
      responses: responses(traits, 200, success('Done', json, pageOf(item))),
    });
  }
  if (has('create')) {
    const traits: OperationTraits = { method: 'POST', path: resource.path, write: 'once', hasBody: true };
    at(resource.path, 'post', {
      ...operationMeta('create', `Create ${article(one)}`),
      ...parametersOf(traits),
      ...body,
      responses: responses(traits, 201, success('Created', json, ref(name))),
    });
  }
  if (has('show')) {
    const relations = expandParameter(resource);
    const traits = { method: 'GET', path: resource.itemPath, hasInput: relations.length > 0 };
    at(resource.itemPath, 'get', {
      ...operationMeta('show', `Show ${article(one)}`),
      ...parametersOf(traits, relations),
      responses: responses(traits, 200, success('Done', json, item, true)),
    });
  }
  for (const method of has('edit') ? editMethods(resource) : []) {
    const edit = operationMeta('edit', `Edit ${article(one)}`);
    const traits: OperationTraits = { method, path: resource.itemPath, write: 'item', hasBody: true };
    at(resource.itemPath, method.toLowerCase(), {
      ...edit,
      ...(resource.update === 'both' && method === 'PUT' ? { operationId: `${resource.name}.replace` } : {}),
      ...parametersOf(traits),
      ...(method === 'PATCH' ? { requestBody: content(partial(schemas[`${name}Input`]!), true) } : body),
      responses: responses(traits, 200, success('Done', json, ref(name), true)),
    });
  }
  if (has('remove')) {
    const traits: OperationTraits = { method: 'DELETE', path: resource.itemPath, write: 'item' };
    at(resource.itemPath, 'delete', {
      ...operationMeta('remove', `Delete ${article(one)}`),
      ...parametersOf(traits),
      responses: responses(traits, 200, emptyReply),
    });
  }
  for (const [call, meta] of Object.entries(resource.calls)) {
    const { method, path, on, body: input, query, reply, replyType, paged } = meta;
    const schema = reply ? jsonSchema(reply, 'output') : undefined;
    const whole = (on === 'item' ? resource.itemPath : resource.path) + path;
    const traits = {
      method,
      path: whole,
      ...(acceptsIdempotencyKey(meta) ? { write: 'once' } : {}),
      hasBody: input !== undefined,
      hasInput: query !== undefined || paged,
    };
    const own = [...(paged ? pageParameters : []), ...(query ? queryParameters(query) : [])];
    at(whole, method.toLowerCase(), {
      ...operationMeta(call, `${call} of ${on === 'item' ? article(one) : many}`),
      ...parametersOf(traits as OperationTraits, own),
      ...(input ? { requestBody: content(jsonSchema(input, 'input'), false) } : {}),
      responses: responses(
        traits as OperationTraits,
        200,
        schema
          ? success('Done', json, paged ? pageOf(schema) : schema)
          : replyType
            ? success('Done', replyType, replyType === '*/*' ? {} : { type: 'string' })
            : anyReply,
      ),
    });
  }
}

/** The reply of a call whose result has no schema: JSON, or nothing. */
const anyReply = {
  description: 'Done',
  content: { 'application/json': { schema: {} }, 'text/plain': { schema: { const: '' } } },
};

function describeFixed(name: string, call: StandaloneCall, paths: Record<string, Json>): void {
  const {
    app,
    method,
    path,
    summary,
    permission,
    body,
    upload,
    query,
    reply,
    replyType,
    status = 200,
  } = call;
  const isPage = 'items' in ((reply as z.ZodObject).shape ?? {});
  const traits: OperationTraits = {
    method,
    path,
    hasBody: body !== undefined || upload !== undefined,
    hasInput: isPage || query !== undefined,
    open: permission === null,
  };
  const parameters = [
    ...(isPage ? pageParameters : []),
    ...(query ? queryParameters(query) : []),
    ...headerParameters(traits),
  ];
  paths[path] ??= { parameters: pathParameters(path).map(pathParameter) };
  paths[path][method.toLowerCase()] = {
    operationId: name,
    summary,
    tags: [app],
    ...(permission === null ? { security: [] } : {}),
    ...(permission && !permission.startsWith('self:')
      ? { description: `Needs the permission \`${permission}\`.` }
      : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: content(jsonSchema(body, 'input'), false) } : {}),
    ...(upload ? { requestBody: uploadBody(upload) } : {}),
    responses: responses(traits, status, success('Done', replyType ?? json, jsonSchema(reply, 'output'))),
  };
}

function uploadBody(name: string): Json {
  const properties = { [name]: { type: 'string', contentMediaType: 'application/octet-stream' } };
  return {
    required: true,
    content: { 'multipart/form-data': { schema: { type: 'object', required: [name], properties } } },
  };
}

const problemSchema: Json = {
  type: 'object',
  required: ['type', 'title'],
  properties: {
    type: { type: 'string', examples: Object.keys(problemKinds).map((kind) => `urn:yagura:problem:${kind}`) },
    title: { type: 'string' },
    detail: { type: 'string' },
    status: { type: 'integer' },
    instance: { type: 'string' },
    invalidParams: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'reason'],
        properties: { name: { type: 'string' }, reason: { type: 'string' } },
      },
    },
  },
};

const queryParameter = (name: string, schema: Json, description: string): Json => ({
  name,
  in: 'query',
  schema,
  description,
});

const pageParameters = [
  queryParameter('limit', { type: 'integer', minimum: 1, maximum: 1000, default: 10 }, 'Items of a page'),
  queryParameter('offset', { type: 'integer', minimum: 0, default: 0 }, 'Items before the page'),
];

function expandParameter(resource: AnyResource): Json[] {
  const names = Object.keys(expandableRelations(resource));
  if (names.length === 0) return [];
  return [
    queryParameter(
      '$expand',
      { type: 'string' },
      `Relations to include, comma-separated: ${names.join(', ')}`,
    ),
  ];
}

/** The item with the relations that `$expand` includes. */
function withRelations(resource: AnyResource, item: Json): Json {
  const relations = Object.entries(expandableRelations(resource));
  if (relations.length === 0) return item;
  const included = relations.map(([name, target]) => [
    name,
    { anyOf: [ref(pascal(target)), { type: 'null' }] },
  ]);
  return { allOf: [item, { type: 'object', properties: Object.fromEntries(included) }] };
}

function listParameters(resource: AnyResource): Json[] {
  const period = periodField(resource);
  return [
    ...pageParameters,
    queryParameter(
      'sort',
      { type: 'string', default: resource.defaultSort },
      `Fields, minus for descending: ${resource.sortable.join(', ')}`,
    ),
    queryParameter(
      'filter',
      { type: 'string' },
      `SCIM filter (RFC 7644, 3.4.2.2) over ${resource.filterable.join(', ')}`,
    ),
    ...(resource.searchable
      ? [
          queryParameter(
            'search',
            { type: 'string', maxLength: 500 },
            'Words that an item is to say, all of them',
          ),
        ]
      : []),
    ...(period
      ? [
          queryParameter('sinceAt', { type: 'string', format: 'date-time' }, `From this ${period} on`),
          queryParameter('untilAt', { type: 'string', format: 'date-time' }, `Before this ${period}`),
        ]
      : []),
    ...expandParameter(resource),
  ];
}

function queryParameters(query: z.ZodObject): Json[] {
  const { properties, required = [] } = jsonSchema(query, 'input') as {
    properties: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    schema,
    ...(required.includes(name) ? { required: true } : {}),
  }));
}

function pageOf(items: Json): Json {
  const integer = { type: 'integer' };
  return {
    type: 'object',
    required: ['items', 'total', 'limit', 'offset'],
    properties: {
      items: { type: 'array', items },
      total: integer,
      totalIsLeast: { const: true, description: 'There are more than were counted' },
      incompleteSince: {
        ...{ type: 'string', format: 'date-time' },
        description: 'A search may lack items since then, which are still being indexed',
      },
      limit: integer,
      offset: integer,
    },
  };
}

function partial(schema: Json): Json {
  const { required: _required, ...rest } = schema;
  return rest;
}

const json = 'application/json';
const pascal = (name: string) =>
  name.replace(/(^|-)(\w)/g, (_all, _dash, letter: string) => letter.toUpperCase());
const article = (noun: string) => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
