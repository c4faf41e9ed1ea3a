// `create` and `edit` over a real connection: prompts, versions, and input rejected before anything is sent.
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listenOnLoopback } from '../../test/listen-on-loopback.ts';
import { type TestTerminalOptions, testTerminal } from '../../test/test-terminal.ts';
import { resourceNamed } from './meta/resource-client.ts';
import type { Row } from './meta/row.ts';
import { remove } from './remove.ts';
import { create, edit } from './write.ts';

const id = '01a1fea7-056f-700d-b199-539c2daf013a';

let server: Server;
let origin: string;
let asked: { line: string; ifMatch?: string; key?: string; body?: Row }[];
let version: number;
let item: Row;
/** Another client changes the item right after it was read. */
let isContested: boolean;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { method, url, headers } = request;
    const { 'if-match': ifMatch, 'idempotency-key': key } = headers as Record<string, string | undefined>;
    asked.push({
      line: `${method} ${url!.split('?')[0]}`,
      ...(ifMatch ? { ifMatch } : {}),
      ...(key ? { key } : {}),
      ...(text === '' ? {} : { body: JSON.parse(text) as Row }),
    });
    if (ifMatch !== undefined && ifMatch !== `"${version}"`) {
      response.writeHead(412, { 'content-type': 'application/problem+json' });
      return response.end(JSON.stringify({ type: 'urn:yagura:problem:changed', title: 'Changed' }));
    }
    response.writeHead(method === 'DELETE' ? 204 : 200, {
      'content-type': 'application/json',
      etag: `"${version}"`,
    });
    if (method === 'GET' && isContested) version += 1;
    response.end(method === 'DELETE' ? '' : JSON.stringify(item));
  });
  origin = await listenOnLoopback(server);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked = [];
  version = 7;
  isContested = false;
  item = {
    scopeId: id,
    displayName: 'Database',
    remarks: 'old',
    thresholds: { warning: 1, incident: 5 },
    recoveryTime: null,
    status: 'normal',
  };
});

const terminalFor = (options: TestTerminalOptions = {}) =>
  testTerminal({ ...options, env: { YAGURA_URL: origin, YAGURA_TOKEN: 't' } });

test('a copy sends the fields of the item with a new name, and flags take precedence', async () => {
  const { terminal } = await terminalFor();
  await create(terminal, resourceNamed('scope'), { copyOf: id, remarks: 'new' } as never);
  expect(asked).toMatchObject([
    { line: `GET /api/apps/alerthub/scopes/${id}` },
    {
      line: 'POST /api/apps/alerthub/scopes',
      body: {
        displayName: 'Database (copy)',
        remarks: 'new',
        thresholds: { warning: 1, incident: 5 },
        recoveryTime: null,
      },
    },
  ]);
  expect(asked[1]!.body).not.toHaveProperty('status');
});

describe('edit', () => {
  test('of a whole item sends what is there with the change, and the version that it was read at', async () => {
    const { terminal } = await terminalFor();
    await edit(terminal, resourceNamed('scope'), id, { displayName: 'Databases' } as never);
    expect(asked).toEqual([
      { line: `GET /api/apps/alerthub/scopes/${id}` },
      {
        line: `PUT /api/apps/alerthub/scopes/${id}`,
        ifMatch: '"7"',
        body: {
          displayName: 'Databases',
          remarks: 'old',
          thresholds: { warning: 1, incident: 5 },
          recoveryTime: null,
        },
      },
    ]);
  });

  test('does not overwrite what somebody else has changed meanwhile', async () => {
    isContested = true;
    const { terminal, out } = await terminalFor();
    await expect(
      edit(terminal, resourceNamed('scope'), id, { displayName: 'Databases' } as never),
    ).rejects.toMatchObject({ kind: 'changed', exitCode: 1 });
    expect(out()).toBe('');
    expect(asked).toHaveLength(2);
  });

  test('of one part of an object keeps its other parts, at the version they were read at', async () => {
    const entry = { ...resourceNamed('scope'), update: 'patch' as const };
    const { terminal } = await terminalFor();
    await edit(terminal, entry, id, { 'thresholds.incident': '9' } as never);
    expect(asked).toMatchObject([{}, { ifMatch: '"7"', body: { thresholds: { warning: 1, incident: 9 } } }]);
    expect(Object.keys(asked[1]!.body!)).toEqual(['thresholds']);
  });

  test('of whole fields that are sent by themselves reads nothing first', async () => {
    const entry = { ...resourceNamed('scope'), update: 'patch' as const };
    const { terminal } = await terminalFor();
    await edit(terminal, entry, id, { remarks: 'new' } as never);
    expect(asked).toMatchObject([{ body: { remarks: 'new' } }]);
    expect(asked[0]).not.toHaveProperty('ifMatch');
  });

  test('without a change asks for one, and sends nothing', async () => {
    const { terminal } = await terminalFor();
    await expect(edit(terminal, resourceNamed('scope'), id, {})).rejects.toMatchObject({
      messageKey: 'cli.usage.nothing-to-change',
    });
    expect(asked).toEqual([]);
  });
});

describe('create', () => {
  test('names what is missing before anything is sent', async () => {
    const { terminal } = await terminalFor();
    await expect(create(terminal, resourceNamed('scope'), {})).rejects.toMatchObject({
      messageKey: 'cli.usage.missing-flag',
      params: { flag: '--display-name' },
    });
    expect(asked).toEqual([]);
  });

  test('carries a key of its own, so that a repetition makes nothing twice', async () => {
    for (const displayName of ['a', 'b']) {
      const { terminal, out } = await terminalFor();
      await create(terminal, resourceNamed('scope'), { displayName } as never);
      expect(out()).toBe(`${id}\n`);
    }
    expect(asked.map(({ line }) => line)).toEqual(Array(2).fill('POST /api/apps/alerthub/scopes'));
    expect(new Set(asked.map(({ key }) => key)).size).toBe(2);
    expect(asked.every(({ key }) => /^[0-9a-f-]{36}$/.test(key ?? ''))).toBe(true);
  });
});

describe('delete', () => {
  const scope = () => resourceNamed('scope');
  const gone = () => asked.filter(({ line }) => line.startsWith('DELETE'));

  test('asks, and deletes nothing where nobody can answer', async () => {
    const { terminal } = await terminalFor();
    await expect(remove(terminal, scope(), [id], {})).rejects.toMatchObject({
      messageKey: 'cli.usage.confirm',
      params: { flag: '--yes' },
    });
    expect(asked).toEqual([]);
  });

  test.each(['', 'y', 'n\n', 'no\n', 'yess\n', 'delete\n'])('%j is no yes', async (input) => {
    const { terminal } = await terminalFor({ live: true, input });
    await expect(remove(terminal, scope(), [id], {})).rejects.toThrow('cli.cancelled');
    expect(asked).toEqual([]);
  });

  test.each(['y\n', 'YES\n', ' はい \n'])('%j is one', async (input) => {
    const { terminal } = await terminalFor({ live: true, input });
    await remove(terminal, scope(), [id], {});
    expect(gone()).toHaveLength(1);
  });

  test('with --yes nothing is asked', async () => {
    const { terminal } = await terminalFor();
    await remove(terminal, scope(), [id], { yes: true });
    expect(gone()).toHaveLength(1);
  });

  test('each of several is named when it is gone', async () => {
    const { terminal, err } = await terminalFor();
    await remove(terminal, scope(), [id, id], { yes: true });
    expect(String(err())).toBe(`Deleted scope ${id}\n`.repeat(2));
  });
});
