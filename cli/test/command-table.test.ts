import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Problem, ProblemKind } from '@yagura/core/http/problem';
import { problemKinds } from '@yagura/core/http/problem';
import type { FieldFacts } from '@yagura/core/resource/field';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { program } from '../src/program.ts';
import { catalogue } from '../src/resource/catalogue.ts';
import { replaced } from '../src/resource/commands.ts';
import type { Entry, Facts } from '../src/resource/entry.ts';
import { parentsOf } from '../src/resource/place.ts';
import { tellFailure } from '../src/term/failure.ts';
import { testTerminal } from './terminal.ts';

const id = '01a1fea7-056f-700d-b199-539c2daf013a';

/** Replies of the space, by what it is asked to be. */
const kinds = [
  'sign-in-required',
  'forbidden',
  'not-found',
  'conflict',
  'too-many-requests',
  'unavailable',
] as const satisfies ProblemKind[];

/** The words of every command that is derived from a resource; a new resource comes in by itself. */
function commandsOf(entry: Entry, folder: string): string[][] {
  const stem = [entry.app, entry.singleton ? entry.name : entry.plural];
  const parents = parentsOf(entry).flatMap(({ name }) => [`--${name}`, id]);
  const item = entry.singleton ? [] : [id];
  const body = join(folder, `${entry.name}.json`);
  writeFileSync(body, JSON.stringify(edited(entry.input ?? {})));
  const verbs: Record<string, string[]> = {
    list: [...stem, 'list', ...parents],
    show: [...stem, 'show', ...item, ...parents],
    create: [...stem, 'create', '--input', body, ...parents],
    edit: [...stem, 'edit', ...item, '--input', body, ...parents],
    remove: [...stem, 'delete', id, ...parents, '--yes'],
  };
  const calls = Object.entries(entry.calls).map(([name, call]) => [
    ...[name, ...(call.on === 'item' ? item : []), ...parents, ...(call.danger ? ['--yes'] : [])],
  ]);
  return [
    ...entry.verbs.filter((verb) => !replaced.has(`${entry.name}.${verb}`)).map((verb) => verbs[verb]!),
    ...calls.filter(([name]) => !replaced.has(`${entry.name}.${name}`)).map((call) => [...stem, ...call]),
  ];
}

/** At least one field, since an edit of nothing is refused here already. */
function edited(fields: Facts): Record<string, unknown> {
  const [first] = Object.entries(fields);
  return first ? { [first[0]]: wanted(first[1], fields), ...sample(fields) } : {};
}

/** A value for each field that must be given, right enough to be sent. */
function sample(fields: Facts): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, facts]) => facts.required || facts.kind === 'text')
      .map(([name, facts]) => [name, wanted(facts, fields)]),
  );
}

function wanted(facts: FieldFacts, around: Facts): unknown {
  if (facts.by) return sample(facts.variants?.[around[facts.by]?.options?.[0] ?? ''] ?? {});
  if (facts.options) return facts.options[0];
  if (facts.fields) return sample(facts.fields);
  const plain: Partial<Record<FieldFacts['kind'], unknown>> = {
    integer: facts.min ?? 1,
    number: 1,
    seconds: 60,
    bytes: 1,
    boolean: true,
    list: [],
    'key-values': {},
    object: {},
    json: {},
    id,
    reference: id,
    'date-time': '2027-01-01T00:00:00Z',
    email: 'a@example.invalid',
    url: 'https://example.invalid',
  };
  return plain[facts.kind] ?? 'x';
}

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
        'retry-after': '7',
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

  /** Runs a command and gives how it ended: the exit code, what it said and what it wrote. */
  async function ended(words: readonly string[], env: Record<string, string>) {
    const { terminal, out, err } = await testTerminal({ env, machine: true });
    const argv = [...words];
    let code = 0;
    let kind: string | undefined;
    try {
      await program(terminal, argv).parseAsync(argv, { from: 'user' });
    } catch (error) {
      kind = (error as Problem).kind;
      code = tellFailure(terminal, error);
    }
    return { code, kind, out: out(), err: err() };
  }

  const person = () => ({ YAGURA_URL: origin, YAGURA_TOKEN: 'token', YAGURA_CONFIG_DIR: folder });
  const all = () => catalogue.flatMap((entry) => commandsOf(entry, folder));

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

  const scopes = catalogue.find((entry) => entry.name === 'scope')!;

  test.each(kinds)('%s is told as what it is', async (kind) => {
    reply = kind;
    for (const words of commandsOf(scopes, folder)) {
      const found = await ended(words, person());
      expect({ words, ...found }).toMatchObject({ words, kind, code: problemKinds[kind].exit, out: '' });
    }
  });

  test('offline it says so', async () => {
    const env = { ...person(), YAGURA_URL: 'http://127.0.0.1:1' };
    for (const words of commandsOf(scopes, folder))
      expect({ words, ...(await ended(words, env)) }).toMatchObject({
        words,
        kind: 'unreachable',
        code: 1,
        out: '',
      });
  });
});
