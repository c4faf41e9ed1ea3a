import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Problem } from '@yagura/core/http/problem';
import { send } from '@yagura/core/http/transport';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { listenOnLoopback } from '../../test/listen-on-loopback.ts';
import { testTerminal } from '../../test/test-terminal.ts';
import { version } from '../version.ts';
import { openSession } from './session.ts';

const folder = mkdtempSync(join(tmpdir(), 'yagura-cli-'));
writeFileSync(
  join(folder, 'profiles.json'),
  JSON.stringify({
    current: 'home',
    profiles: {
      home: { url: 'https://home.example', credential: { kind: 'token', token: 'home-token' } },
      work: { url: 'https://work.example', credential: { kind: 'token', token: 'work-token' } },
      bare: { url: 'https://bare.example' },
    },
  }),
);
afterAll(() => rmSync(folder, { recursive: true }));

async function headers(env: NodeJS.ProcessEnv, profile?: string) {
  const { terminal, err } = await testTerminal({ env: { YAGURA_CONFIG_DIR: folder, ...env } });
  const session = openSession({ ...terminal, profile });
  return { ...(await session.transport.headers!()), origin: session.origin, told: err() };
}

describe('openSession', () => {
  test.each([
    [{}, undefined, 'https://home.example', 'Token home-token'],
    [{ YAGURA_PROFILE: 'work' }, undefined, 'https://work.example', 'Token work-token'],
    [{ YAGURA_PROFILE: 'home' }, 'work', 'https://work.example', 'Token work-token'],
    [{ YAGURA_TOKEN: 't' }, undefined, 'https://home.example', 'Token t'],
    [{ YAGURA_URL: 'https://home.example/apps' }, undefined, 'https://home.example', 'Token home-token'],
    [{ YAGURA_URL: 'https://x.example', YAGURA_TOKEN: 't' }, undefined, 'https://x.example', 'Token t'],
  ])('%j and %s', async (env, profile, origin, authorization) => {
    expect(await headers(env, profile)).toMatchObject({ origin, 'x-authorization': authorization });
  });

  test('a call names the program and its version, which the audit log keeps', async () => {
    expect(await headers({})).toMatchObject({ 'user-agent': `yagura/${version}` });
  });

  test('a credential goes to the space of its profile only', async () => {
    await expect(headers({ YAGURA_URL: 'https://evil.example' })).rejects.toMatchObject({
      kind: 'sign-in-required',
    });
    await expect(headers({ YAGURA_URL: 'http://home.example' })).rejects.toMatchObject({
      kind: 'sign-in-required',
    });
    await expect(headers({ YAGURA_URL: 'https://evil.example' }, 'work')).rejects.toMatchObject({
      kind: 'sign-in-required',
    });
  });

  test.each([
    [{}, 'bare', { kind: 'sign-in-required' }],
    [{}, 'nobody', { messageKey: 'cli.usage.unknown-profile' }],
    [{ YAGURA_CONFIG_DIR: '/nowhere' }, undefined, { kind: 'sign-in-required' }],
    [
      { YAGURA_CONFIG_DIR: '/nowhere', YAGURA_TOKEN: 't' },
      undefined,
      { messageKey: 'cli.usage.token-without-url' },
    ],
    [{ YAGURA_TOKEN: '日本語' }, undefined, { messageKey: 'cli.usage.token-characters' }],
    [{ YAGURA_TOKEN: 'abc\n' }, undefined, { messageKey: 'cli.usage.token-characters' }],
  ])('%j and %s is refused', async (env, profile, failure) => {
    await expect(headers(env, profile)).rejects.toMatchObject(failure);
  });

  test('with everything given, no file is looked at', async () => {
    writeFileSync(join(folder, 'broken.json'), '');
    const env = { YAGURA_CONFIG_DIR: '/dev/null', YAGURA_URL: 'https://x.example', YAGURA_TOKEN: 't' };
    expect(await headers(env)).toMatchObject({ 'x-authorization': 'Token t' });
  });

  test('warns where others can read along', async () => {
    const { told } = await headers({ YAGURA_URL: 'http://x.example', YAGURA_TOKEN: 't' });
    expect(told).toContain('http://x.example is not encrypted');
    expect(told).not.toContain('Token');
  });
});

describe('a failed connection names the address, its source and the proxy', () => {
  afterEach(() => vi.unstubAllEnvs());

  async function detailOf(origin: string, timeoutMs: number, language: 'en' | 'ja' = 'en') {
    const { terminal } = await testTerminal({ language, env: { YAGURA_URL: origin, YAGURA_TOKEN: 't' } });
    const transport = { ...openSession(terminal).transport, timeoutMs };
    const error: unknown = await send(transport, { method: 'GET', path: '/' }).catch((cause) => cause);
    expect(error).toMatchObject({ kind: 'unreachable' });
    return (error as Problem).detail;
  }

  test('when it times out or breaks off in the body', async () => {
    const server = createServer((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '9' });
      response.write('[', () => request.headers['accept-language'] === 'ja' && response.destroy());
    });
    const origin = await listenOnLoopback(server);
    try {
      expect(await detailOf(origin, 50)).toBe(`${origin}, from YAGURA_URL (no response within 0.05 s)`);
      expect(await detailOf(origin, 10_000, 'ja')).toBe(
        `${origin}（YAGURA_URLで指定、接続が切断されました: ECONNRESET）`,
      );
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test('when the proxy cannot be reached, without its password', async () => {
    // Port 1 is reserved and nothing listens there.
    vi.stubEnv('http_proxy', 'me:secret@127.0.0.1:1');
    vi.stubEnv('no_proxy', '');
    expect(await detailOf('http://localhost:8606', 10_000)).toBe(
      'http://localhost:8606, from YAGURA_URL, through the proxy http://127.0.0.1:1 from http_proxy (connection refused: ECONNREFUSED)',
    );
  });
});

describe('a server that is none of Yagura is told, whatever it replies with', () => {
  test.each([
    ['HTML', 'GET', 200, 'text/html', '<html>{}', 'replied with a web page'],
    ['half of a document', 'GET', 200, 'application/json', '{"items":[', 'did not reply with the JSON'],
    ['a list', 'GET', 200, 'application/json', '[]', 'did not reply with the JSON'],
    ['a word', 'GET', 200, 'application/json', '"ok"', 'did not reply with the JSON'],
    ['nothing', 'GET', 200, 'application/json', '', 'did not reply with the JSON'],
    ['plain text', 'GET', 200, 'text/plain', 'ok', 'did not reply with the JSON'],
    ['no content', 'GET', 204, '', '', 'did not reply with the JSON'],
    ['a list to a write', 'POST', 201, 'application/json', '[]', 'did not reply with the JSON'],
  ])('such as %s', async (_what, method, status, type, body, text) => {
    const error = await replyTo(method, status, type, body);
    expect(error).toMatchObject({ kind: 'unreachable', detail: expect.stringContaining(text) });
  });

  test.each([
    [502, 'text/html', '<html>'],
    [503, 'text/html; charset=utf-8', '<html>'],
    [504, 'text/plain', 'upstream request timeout'],
    [502, '', ''],
  ])('a proxy whose server is away is not taken for another server: %i, %s', async (status, type, body) => {
    expect(await replyTo('GET', status, type, body)).toMatchObject({
      kind: 'unreachable',
      detail: expect.stringContaining(`replied with status ${status}. A proxy in front of the server`),
    });
  });

  test.each([
    ['GET', 200, 'application/json', '{"a":1}', { a: 1 }],
    ['GET', 200, 'application/json; charset=utf-8', ' {}\n', {}],
    ['GET', 200, 'text/csv', 'a,b', 'a,b'],
    ['GET', 200, 'application/x-ndjson', '', ''],
    ['POST', 200, 'text/plain', '', ''],
    ['DELETE', 204, '', '', ''],
    ['DELETE', 204, 'application/json', '', ''],
  ])('a reply to %s with %i, %s and %j is one of Yagura', async (method, status, type, body, data) => {
    expect(await replyTo(method, status, type, body)).toMatchObject({ data });
  });

  async function replyTo(method: string, status: number, type: string, body: string) {
    const server = createServer((_request, response) =>
      response.writeHead(status, type ? { 'content-type': type } : {}).end(body),
    );
    const origin = await listenOnLoopback(server);
    try {
      const { terminal } = await testTerminal({ env: { YAGURA_URL: origin, YAGURA_TOKEN: 't' } });
      const { transport } = openSession(terminal);
      return await send(transport, { method, path: '/api/x' }).catch((problem: Problem) => problem);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }
});

test('a redirect is told without its query, which can hold secrets', async () => {
  const server = createServer((_request, response) =>
    response.writeHead(302, { location: 'https://login.example/start?state=secret' }).end(),
  );
  const origin = await listenOnLoopback(server);
  try {
    const { terminal } = await testTerminal({ env: { YAGURA_URL: origin, YAGURA_TOKEN: 't' } });
    const { transport } = openSession(terminal);
    await expect(send(transport, { method: 'GET', path: '/api/x' })).rejects.toMatchObject({
      detail: `${origin}, from YAGURA_URL (redirected to https://login.example/start)`,
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('a token that is refused is named by its space and where it is from', async () => {
  const server = createServer((_request, response) => response.writeHead(401).end());
  const url = await listenOnLoopback(server);
  const credential = { kind: 'token', token: 'secret' };
  const settings = mkdtempSync(join(tmpdir(), 'yagura-refused-'));
  const path = join(settings, 'profiles.json');
  writeFileSync(path, JSON.stringify({ current: 'home', profiles: { home: { url, credential } } }));
  const refusal = async (env: NodeJS.ProcessEnv) => {
    const { terminal } = await testTerminal({ env: { YAGURA_CONFIG_DIR: settings, ...env } });
    const { transport } = openSession(terminal);
    return send(transport, { method: 'GET', path: '/x' }).catch((problem: Problem) => problem);
  };
  try {
    expect(await refusal({})).toMatchObject({
      kind: 'sign-in-required',
      detail: `${url}, from profile home in ${path} (the space does not accept this token)`,
    });
    expect(await refusal({ YAGURA_URL: url, YAGURA_TOKEN: 't' })).toMatchObject({
      detail: `${url}, from YAGURA_URL (the space does not accept this token)`,
    });
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(settings, { recursive: true });
  }
});

test('a call that came too often is sent again, a write as well; other refusals are told at once', async () => {
  const asked: string[] = [];
  let answers: number[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(answers.shift() ?? 200, { 'content-type': 'application/json' });
    response.end('{}');
  });
  const origin = await listenOnLoopback(server);
  try {
    const { terminal } = await testTerminal({ env: { YAGURA_URL: origin, YAGURA_TOKEN: 't' } });
    const { transport } = openSession(terminal);
    answers = [429, 503];
    await send(transport, { method: 'GET', path: '/list' });
    answers = [429];
    await send(transport, { method: 'PATCH', path: '/item', body: {} });
    answers = [503];
    await expect(send(transport, { method: 'PATCH', path: '/once', body: {} })).rejects.toMatchObject({
      kind: 'unavailable',
    });
    answers = [409];
    await expect(send(transport, { method: 'GET', path: '/clash' })).rejects.toMatchObject({
      kind: 'conflict',
    });
    expect(asked).toEqual([
      'GET /list',
      'GET /list',
      'GET /list',
      'PATCH /item',
      'PATCH /item',
      'PATCH /once',
      'GET /clash',
    ]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
