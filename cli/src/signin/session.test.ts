import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { send } from '@yagura/core/http/transport';
import { afterAll, describe, expect, test } from 'vitest';
import { listenOnLoopback } from '../../test/listen-on-loopback.ts';
import { testTerminal } from '../../test/test-terminal.ts';
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
