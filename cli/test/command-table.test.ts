import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Problem, ProblemKind } from '@yagura/core/http/problem';
import { problemKinds } from '@yagura/core/http/problem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reportError } from '../src/command-line/report-error.ts';
import { createProgram } from '../src/program.ts';
import { resources } from '../src/resource/meta/resources.ts';
import { derivedCommandsOf } from './derived-commands.ts';
import { testTerminal } from './test-terminal.ts';

/** Problem kinds the scripted space replies with. */
const kinds = [
  'sign-in-required',
  'forbidden',
  'not-found',
  'conflict',
  'too-many-requests',
  'unavailable',
] as const satisfies ProblemKind[];

describe('every derived command', () => {
  let folder: string;
  let space: Server;
  let origin: string;
  let reply: ProblemKind;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'yagura-table-'));
    space = createServer((_request, response) => {
      const { status, title } = problemKinds[reply];
      response.writeHead(status, {
        'content-type': 'application/problem+json',
        // Longer than the client waits before a retry.
        'retry-after': '60',
        connection: 'close',
      });
      response.end(JSON.stringify({ type: `urn:yagura:problem:${reply}`, title, detail: 'so it is' }));
    });
    await new Promise<void>((resolve) => space.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(space.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    space.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs a command and returns its exit code and output. */
  async function ended(words: readonly string[], env: Record<string, string>) {
    const { terminal, out, err } = await testTerminal({ env, jsonErrors: true });
    const argv = [...words];
    let code = 0;
    let kind: string | undefined;
    try {
      await createProgram(terminal, argv).parseAsync(argv, { from: 'user' });
    } catch (error) {
      kind = (error as Problem).kind;
      code = reportError(terminal, error);
    }
    return { code, kind, out: out(), err: err() };
  }

  const person = () => ({ YAGURA_URL: origin, YAGURA_TOKEN: 'token', YAGURA_CONFIG_DIR: folder });
  const all = () => resources.flatMap((meta) => derivedCommandsOf(meta, folder).map(({ words }) => words));

  test('says in JSON on stderr that it may not, writes nothing, and ends with 5', async () => {
    reply = 'forbidden';
    expect(all().length).toBeGreaterThan(250);
    for (const words of all()) {
      const { code, kind, out, err } = await ended(words, person());
      expect({ words, code, kind, out }).toEqual({ words, code: 5, kind: 'forbidden', out: '' });
      expect(JSON.parse(err)).toMatchObject({ type: 'urn:yagura:problem:forbidden', status: 403 });
    }
  }, 120_000);

  test('says that nobody is signed in, and ends with 4', async () => {
    for (const words of all()) {
      const { code, out } = await ended(words, { YAGURA_CONFIG_DIR: join(folder, 'nothing') });
      expect({ words, code, out }).toEqual({ words, code: 4, out: '' });
    }
  }, 120_000);

  const scopes = resources.find((meta) => meta.name === 'scope')!;

  test.each(kinds)('%s is told as what it is', async (kind) => {
    reply = kind;
    for (const { words } of derivedCommandsOf(scopes, folder)) {
      const found = await ended(words, person());
      expect({ words, ...found }).toMatchObject({ words, kind, code: problemKinds[kind].exit, out: '' });
    }
  });

  test('offline it says so', async () => {
    const env = { ...person(), YAGURA_URL: 'http://127.0.0.1:1' };
    for (const { words } of derivedCommandsOf(scopes, folder))
      expect({ words, ...(await ended(words, env)) }).toMatchObject({
        words,
        kind: 'unreachable',
        code: 1,
        out: '',
      });
  });
});
