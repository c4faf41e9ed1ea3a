// Every operation of the API with ids that are none: reads and deletions say not found, and nothing is an
// internal error.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiCall, createApiCall, transportForAllCalls } from '../support/api-request.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

interface Operation {
  method: Parameters<ApiCall>[0];
  path: string;
  parameters: string[];
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];
let server: TestServer;
let callApi: ApiCall;
let operations: Operation[] = [];

beforeAll(async () => {
  server = (await startTestServer())!;
  callApi = createApiCall(
    transportForAllCalls(server.transportAs('privileged'), () => server.signedIn('privileged')),
  );
  const { paths } = (await callApi('GET', '/docs/api/openapi.json')).data as {
    paths: Record<string, Record<string, unknown>>;
  };
  operations = Object.entries(paths).flatMap(([path, item]) =>
    methods
      .filter((method) => method in item)
      .map((method) => ({
        method: method.toUpperCase() as Operation['method'],
        path,
        parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
      })),
  );
});
afterAll(() => server?.stop());

const hostileIds = ['not-a-uuid', '0190a0a0-0000-7000-8000-00000000000', "'; select 1 --", '%00', '日本'];
/** Requests at once. */
const batchSize = 20;

async function inBatches<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < all.length; at += batchSize)
    results.push(...(await Promise.all(all.slice(at, at + batchSize).map(work))));
  return results;
}

test.each(hostileIds)('the id %s is never an internal error', async (id) => {
  const withParameters = operations.filter(({ parameters }) => parameters.length > 0);
  expect(withParameters.length).toBeGreaterThan(150);
  const statuses = await inBatches(withParameters, async ({ method, path }) => {
    const filled = path.replace(/\{\w+\}/g, id === '%00' ? id : encodeURIComponent(id));
    const body = method === 'GET' || method === 'DELETE' ? undefined : {};
    return `${(await callApi(method, filled, body)).status} ${method} ${path}`;
  });
  const failures = statuses.filter((line) => line >= '500');
  expect(failures).toEqual([]);
});

test('a single item with an id that is no UUID is not found', async () => {
  const items = operations.filter(
    ({ method, path, parameters }) =>
      ['GET', 'DELETE'].includes(method) && parameters.length === 1 && /Id\}$/.test(path),
  );
  expect(items.length).toBeGreaterThan(40);
  const statuses = await inBatches(items, async ({ method, path }) => {
    const { status } = await callApi(method, path.replace(/\{\w+\}/g, 'not-a-uuid'));
    return `${status} ${method} ${path}`;
  });
  const other = statuses.filter((line) => !line.startsWith('404 '));
  expect(other).toEqual([]);
});
