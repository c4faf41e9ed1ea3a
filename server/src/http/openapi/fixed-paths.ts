// Paths that are neither a resource's calls nor calls of the API with JSON.
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
  content,
  type Json,
  jsonSchema,
  type OperationTraits,
  responses,
  success,
} from './operation-parts.ts';

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
      responses: openReplies(201, jsonSchema(setupStarted, 'output')),
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
      responses: openReplies(200, jsonSchema(collectReply, 'output')),
    },
  },
  [setupPaths.check]: {
    post: {
      operationId: 'receive.kroker-check-in',
      summary: 'Say that this Kroker is there',
      description: "Needs the Kroker's own token as a bearer token.",
      tags: ['kroker'],
      security: [{ bearer: [] }],
      responses: openReplies(200, jsonSchema(checkInReply, 'output')),
    },
  },
};

export const fixedPaths: Record<string, Json> = {
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
      responses: openReplies(202, {
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

/** Replies of a call outside the API, which needs no sign-in. */
function openReplies(status: number, schema: Json): Json {
  const traits: OperationTraits = { method: 'POST', path: '/receive', hasBody: true, open: true };
  return responses(traits, status, success(status === 201 ? 'Created' : 'Done', 'application/json', schema));
}

export function pathParameter(name: string): Json {
  return { name, in: 'path', required: true, schema: { type: 'string' } };
}
