// The API document against the server: every operation replies as the document says, refuses what the document
// does not allow with the name of the field, and never fails. The inputs come from a seed.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '@yagura/fixtures/samples/seeded-random';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type ApiCall, type ApiReply, createApiCall, transportForAllCalls } from '../support/api-request.ts';
import { unknownId } from '../support/resource-calls.ts';
import { type Fixtures, seedFixtures } from '../support/seed-fixtures.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

type Json = Record<string, unknown>;
interface Parameter {
  name: string;
  in: string;
  schema: Json;
}
interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Json }> };
  responses: Record<string, { content?: Record<string, { schema: Json }> }>;
}
interface Call extends Operation {
  method: string;
  path: string;
}

/** Streams, and what a machine calls that is no part of the API. */
const separate = new Set(['/api/internal/changes']);

let server: TestServer;
let seeded: Fixtures['params'];
let document: Json;
let calls: Call[];
let callApi: ApiCall;

beforeAll(async () => {
  server = (await startTestServer())!;
  seeded = (await seedFixtures(server)).params;
  document = (await (await fetch(`${server.origin}/docs/api/openapi.json`)).json()) as Json;
  calls = Object.entries(document.paths as Record<string, Record<string, Operation>>)
    .filter(([path]) => path.startsWith('/api/') && !separate.has(path))
    .flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([method]) => method !== 'parameters')
        .map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
    );
  callApi = createApiCall(
    transportForAllCalls(server.transportAs('privileged'), () => server.signedIn('privileged')),
  );
}, 120_000);
afterAll(() => server?.stop());

/** Path with the ids of seeded items, or with ids that no item has. */
function pathOf({ path }: Call, isReal: boolean): string {
  return path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    if (name === 'kind') return 'scopes';
    if (name === 'identityProvider') return 'embedded';
    return encodeURIComponent((isReal && seeded[name]) || unknownId);
  });
}

const refs = new Map<string, z.ZodType>();
/** The schema with references replaced by what they lead to. */
function resolve(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(resolve);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, ...rest } = schema as Json;
  // zod compiles patterns without the u flag that JSON Schema asks for.
  if (/\\p\{/i.test(String(rest.pattern))) delete rest.pattern;
  if (typeof $ref === 'string')
    return resolve((document.components as { schemas: Json }).schemas[$ref.split('/').at(-1)!]);
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, resolve(value)]));
}

function matches(schema: Json, value: unknown): unknown {
  const key = JSON.stringify(schema);
  const found = refs.get(key) ?? z.fromJSONSchema(resolve(schema) as never);
  refs.set(key, found);
  const parsed = found.safeParse(value);
  return parsed.success ? [] : parsed.error.issues.slice(0, 3);
}

/** What is wrong with a reply according to the document; empty if nothing is. */
function faultsOf(call: Call, reply: ApiReply): unknown[] {
  if (reply.status >= 500) return [`status ${reply.status}`, reply.text.slice(0, 300)];
  const status = String(reply.status);
  if (!(status in call.responses)) return [`status ${status} is not in the document`];
  if (reply.status >= 400) {
    if (reply.type !== 'application/problem+json') return [`${status} as ${reply.type}`];
    return matches({ $ref: '#/components/schemas/Problem' }, reply.data) as unknown[];
  }
  const content = call.responses[status]!.content ?? {};
  const type = reply.type ?? '';
  const schema = content[type]?.schema ?? content['*/*']?.schema;
  if (!schema) return [`${type} is not in the document`];
  return reply.data === undefined ? [] : (matches(schema, reply.data) as unknown[]);
}

async function check(
  call: Call,
  send: () => Promise<ApiReply>,
  more: (reply: ApiReply) => unknown[] = () => [],
) {
  const reply = await send();
  const faults = [...faultsOf(call, reply), ...more(reply)];
  return faults.length > 0 ? [{ call: `${call.method} ${call.path}`, faults }] : [];
}

test('every read replies as the document says', { timeout: 120_000 }, async () => {
  const faults: unknown[] = [];
  for (const call of calls.filter(({ method }) => method === 'GET'))
    faults.push(...(await check(call, () => callApi('GET', pathOf(call, true)))));
  expect(faults).toEqual([]);
});

test('a list refuses each parameter that the document does not allow, by name', {
  timeout: 120_000,
}, async () => {
  const faults: unknown[] = [];
  const wrong: Record<string, string[]> = {
    limit: ['0', '1001', 'ten'],
    offset: ['-1', '1.5'],
    sort: ['nonsense', '-'],
    filter: ['nonsense', 'nonsense eq 1'],
    sinceAt: ['yesterday'],
    untilAt: ['2026-02-30'],
    $expand: ['nonsense'],
  };
  for (const call of calls.filter(({ method }) => method === 'GET')) {
    // A list inside an item that the seed does not have.
    if ((await callApi('GET', pathOf(call, true))).status === 404) continue;
    for (const { name } of call.parameters?.filter((one) => one.in === 'query') ?? []) {
      for (const value of wrong[name] ?? []) {
        const path = `${pathOf(call, true)}?${new URLSearchParams({ [name]: value })}`;
        faults.push(...(await check(call, () => callApi('GET', path), named(name, value))));
      }
    }
  }
  expect(faults).toEqual([]);
});

/** A 400 that names the field or a field inside it. */
const named = (field: string, value: unknown) => (reply: ApiReply) => {
  const { invalidParams = [] } = (reply.data ?? {}) as { invalidParams?: { name: string }[] };
  const found = invalidParams.some(({ name }) => name === field || name.startsWith(`${field}.`));
  return reply.status === 400 && found
    ? []
    : [`${field} = ${JSON.stringify(value)}: ${reply.status} ${reply.text.slice(0, 200)}`];
};

/** Values of every JSON type. */
const values = [
  true,
  -1.5,
  12,
  'x\u0000',
  'text',
  [],
  ['a'],
  {},
  { a: [{ b: null }] },
  null,
  'x'.repeat(70_000),
];

test('a body that the document does not allow is refused by the name of its field', {
  timeout: 180_000,
}, async () => {
  const random = seededRandom(20260401);
  const faults: unknown[] = [];
  for (const call of calls) {
    const schema = call.requestBody?.content['application/json']?.schema;
    if (!schema) continue;
    const { properties = {}, required = [] } = resolve(schema) as {
      properties?: Record<string, Json>;
      required?: string[];
    };
    // An item that does not exist: what is accepted changes nothing.
    const path = pathOf(call, call.method === 'POST' && /create$/.test(call.operationId));
    const isCreate = /\.create$/.test(call.operationId);
    for (const [name, property] of Object.entries(properties)) {
      const value = values[Math.floor(random() * values.length)];
      const isAllowed = z.fromJSONSchema(property as never).safeParse(value).success;
      const refused = isCreate && property.type === 'string' && typeof value === 'boolean' && !isAllowed;
      const send = () => callApi(call.method, path, { [name]: value });
      faults.push(...(await check(call, send, refused ? named(name, value) : undefined)));
    }
    if (isCreate)
      for (const name of required)
        faults.push(...(await check(call, () => callApi(call.method, path, {}), named(name, undefined))));
    for (const value of values) faults.push(...(await check(call, () => callApi(call.method, path, value))));
    faults.push(...(await check(call, () => callApi(call.method, path, undefined, { raw: '{"a":' }))));
  }
  expect(faults).toEqual([]);
});

test('a strict client is generated from it', { timeout: 120_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'yagura-openapi-'));
  try {
    writeFileSync(
      join(folder, 'schema.d.ts'),
      astToString(await openapiTS(document as never, { defaultNonNullable: false })),
    );
    writeFileSync(
      join(folder, 'client.ts'),
      `import type { components, paths } from './schema';
type Created = paths['/api/apps/alerthub/scopes']['post']['responses'][201]['content']['application/json'];
export const body: components['schemas']['ScopeInput'] = { displayName: 'a', thresholds: { warning: 1, incident: 2 } };
export const idOf = (created: Created): string => created.scopeId;
// @ts-expect-error a scope has no such field
export const missing = (created: Created) => created.nonsense;
export type Key = NonNullable<paths['/api/apps/alerthub/scopes']['post']['parameters']['header']>['Idempotency-Key'];
export const key: Key = 'once';
`,
    );
    const program = ts.createProgram([join(folder, 'client.ts'), join(folder, 'schema.d.ts')], {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: false,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      types: [],
    });
    const messages = ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
    expect(messages).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
