// The OpenAPI 3.1 document of the API, generated from the descriptors.
import { resources } from '@yagura/core/all';
import { problemKinds } from '@yagura/core/http/problem';
import {
  checkInReply,
  collectReply,
  collectRequest,
  setupPaths,
  setupPollIntervalSeconds,
  setupRequest,
  setupStarted,
} from '@yagura/core/kroker/kroker-setup';
import {
  type AnyResource,
  editMethods,
  pathParameters,
  permissionFor,
  type Verb,
} from '@yagura/core/resource/define-resource';
import { type StandaloneCall, standaloneCalls } from '@yagura/core/standalone-calls';
import { z } from 'zod';

type Json = Record<string, unknown>;

const problemReply = { $ref: '#/components/responses/Problem' };

export function openApiDocument(publicUrl: string, version: string): Json {
  const paths: Record<string, Json> = {};
  const schemas: Record<string, Json> = { Problem: problemSchema };
  for (const resource of resources) describe(resource, paths, schemas);
  for (const [name, call] of Object.entries(standaloneCalls)) describeFixed(name, call, paths);
  return {
    openapi: '3.1.0',
    info: { title: 'Yagura API', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
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
  const [one, many] = resource.noun.en;
  const body = resource.input ? { requestBody: content(ref(`${name}Input`), true) } : {};
  const has = (verb: Verb) => resource.verbs.includes(verb);
  const operationMeta = (verb: Verb | string, summary: string) => ({
    operationId: `${resource.name}.${verb}`,
    summary,
    description: `Needs the permission \`${permissionFor(resource, verb)}\`.`,
  });
  if (has('list')) {
    at(resource.path, 'get', {
      ...operationMeta('list', `List ${many}`),
      parameters: listParameters(resource),
      responses: replies(200, pageOf(ref(name))),
    });
  }
  if (has('create'))
    at(resource.path, 'post', {
      ...operationMeta('create', `Create ${article(one)}`),
      ...body,
      responses: replies(201, ref(name)),
    });
  if (has('show'))
    at(resource.itemPath, 'get', {
      ...operationMeta('show', `Show ${article(one)}`),
      responses: replies(200, ref(name)),
    });
  for (const method of has('edit') ? editMethods(resource) : []) {
    const edit = operationMeta('edit', `Edit ${article(one)}`);
    at(resource.itemPath, method.toLowerCase(), {
      ...edit,
      ...(resource.update === 'both' && method === 'PUT' ? { operationId: `${resource.name}.replace` } : {}),
      ...(method === 'PATCH' ? { requestBody: content(partial(schemas[`${name}Input`]!), true) } : body),
      responses: replies(200, ref(name)),
    });
  }
  if (has('remove')) {
    at(resource.itemPath, 'delete', {
      ...operationMeta('remove', `Delete ${article(one)}`),
      responses: {
        200: { description: 'Deleted', content: { 'text/plain': { schema: { const: '' } } } },
        default: problemReply,
      },
    });
  }
  for (const [call, { method, path, on, body: input, query, reply, paged }] of Object.entries(
    resource.calls,
  )) {
    const schema = reply ? jsonSchema(reply, 'output') : undefined;
    at((on === 'item' ? resource.itemPath : resource.path) + path, method.toLowerCase(), {
      ...operationMeta(call, `${call} of ${on === 'item' ? article(one) : many}`),
      ...(query ? { parameters: queryParameters(query) } : {}),
      ...(input ? { requestBody: content(jsonSchema(input, 'input'), false) } : {}),
      responses: replies(200, paged && schema ? pageOf(schema) : (schema ?? {})),
    });
  }
}

function describeFixed(name: string, call: StandaloneCall, paths: Record<string, Json>): void {
  const { app, method, path, summary, permission, body, reply } = call;
  paths[path] ??= { parameters: pathParameters(path).map(pathParameter) };
  paths[path][method.toLowerCase()] = {
    operationId: name,
    summary,
    tags: [app],
    ...(permission === null ? { security: [] } : {}),
    ...(permission && !permission.startsWith('self:')
      ? { description: `Needs the permission \`${permission}\`.` }
      : {}),
    ...(body ? { requestBody: content(jsonSchema(body, 'input'), true) } : {}),
    responses: replies(200, jsonSchema(reply, 'output')),
  };
}

/** Paths that are neither a resource's calls nor JSON calls. */
/** Paths called by a machine while it is set up as a Kroker. */
const krokerPaths: Record<string, Json> = {
  [setupPaths.begin]: {
    post: {
      operationId: 'receive.kroker-setup',
      summary: 'Ask for a code that makes this machine a Kroker',
      description: 'A person approves the code in the console within ten minutes.',
      tags: ['kroker'],
      security: [],
      requestBody: content(jsonSchema(setupRequest, 'input'), true),
      responses: replies(201, jsonSchema(setupStarted, 'output')),
    },
  },
  [setupPaths.collect]: {
    post: {
      operationId: 'receive.kroker-token',
      summary: "Collect the Kroker's token once the code is approved",
      description: `Asked every ${setupPollIntervalSeconds} seconds while the answer is \`pending\`. The token is told once.`,
      tags: ['kroker'],
      security: [],
      requestBody: content(jsonSchema(collectRequest, 'input'), true),
      responses: replies(200, jsonSchema(collectReply, 'output')),
    },
  },
  [setupPaths.check]: {
    post: {
      operationId: 'receive.kroker-check-in',
      summary: 'Say that this Kroker is there',
      description: "Needs the Kroker's own token as a bearer token.",
      tags: ['kroker'],
      security: [{ bearer: [] }],
      responses: replies(200, jsonSchema(checkInReply, 'output')),
    },
  },
};

const fixedPaths: Record<string, Json> = {
  '/receive/webhook/{token}': {
    parameters: [pathParameter('token')],
    post: {
      operationId: 'receive.webhook',
      summary: 'Post a message to a receive slot',
      description:
        'Any body up to 10 MB. A 202 means that the message is on disk. The address is the secret.',
      tags: ['alerthub'],
      security: [],
      requestBody: { content: { '*/*': { schema: {} } } },
      responses: replies(202, {
        type: 'object',
        properties: { messageId: { type: 'string', format: 'uuid' } },
      }),
    },
  },
  ...krokerPaths,
  '/api/internal/changes': {
    get: {
      operationId: 'changes',
      summary: 'Live changes as server-sent events',
      tags: ['space'],
      responses: {
        200: {
          description: 'A stream of `change` events',
          content: { 'text/event-stream': { schema: { type: 'string' } } },
        },
        default: { $ref: '#/components/responses/Problem' },
      },
    },
  },
};

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

function listParameters(resource: AnyResource): Json[] {
  const query = (name: string, schema: Json, description: string) => ({
    name,
    in: 'query',
    schema,
    description,
  });
  return [
    query('limit', { type: 'integer', minimum: 1, maximum: 1000, default: 10 }, 'Items of a page'),
    query('offset', { type: 'integer', minimum: 0, default: 0 }, 'Items before the page'),
    query(
      'sort',
      { type: 'string', default: resource.defaultSort },
      `Fields, minus for descending: ${resource.sortable.join(', ')}`,
    ),
    query(
      'filter',
      { type: 'string' },
      `SCIM filter (RFC 7644, 3.4.2.2) over ${resource.filterable.join(', ')}`,
    ),
    ...(resource.searchable
      ? [query('search', { type: 'string', maxLength: 500 }, 'Words that an item is to say, all of them')]
      : []),
    ...(resource.time
      ? [
          query('sinceAt', { type: 'string', format: 'date-time' }, `From this ${resource.time} on`),
          query('untilAt', { type: 'string', format: 'date-time' }, `Before this ${resource.time}`),
        ]
      : []),
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

function replies(status: number, schema: Json): Json {
  return {
    [status]: { description: status === 201 ? 'Created' : 'Done', ...content(schema, false) },
    default: problemReply,
  };
}

function content(schema: Json, required: boolean): Json {
  return { ...(required ? { required } : {}), content: { 'application/json': { schema } } };
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
      limit: integer,
      offset: integer,
    },
  };
}

function pathParameter(name: string): Json {
  return { name, in: 'path', required: true, schema: { type: 'string' } };
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  return rest;
}

function partial(schema: Json): Json {
  const { required: _required, ...rest } = schema;
  return rest;
}

const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const pascal = (name: string) =>
  name.replace(/(^|-)(\w)/g, (_all, _dash, letter: string) => letter.toUpperCase());
const article = (noun: string) => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
