import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listenOnLoopback } from '../../test/listen-on-loopback.ts';
import { type AskedRequest, list, reply, StubSpace } from '../../test/stub-space.ts';
import { testTerminal } from '../../test/test-terminal.ts';
import { createProgram } from '../program.ts';
import { complete, completionScript } from './completion.ts';
import { shellScripts } from './shell-scripts.ts';

const space = new StubSpace();
beforeAll(() => space.start());
afterAll(() => space.stop());

const scopeId = '0190a0a0-0000-7000-8000-000000000001';
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'yagura-complete-'));
  space.reset({
    'GET /api/apps/alerthub/scopes': ({ query }: AskedRequest) =>
      list([
        { scopeId, displayName: 'web' },
        ...(query.filter ? [] : [{ scopeId: 'x', displayName: 'db\n1' }]),
      ]),
    [`GET /api/apps/alerthub/scopes/${scopeId}/triggers`]: list([{ triggerId: 't', displayName: 'pager' }]),
    'GET /api/apps/pigeon/guidances': list([{ guidanceId: 'g', displayName: 'Down' }]),
    'GET /api/apps/sonar/networks': list([{ networkId: 'n', displayName: 'n' }]),
    'GET /api/apps/sonar/networks/n/managed-nodes': list([{ managedNodeId: 'm', displayName: 'router' }]),
    'GET /api/apps/pigeon/contacts': list([{ contactId: 'h', displayName: 'Hana' }]),
    'GET /api/apps/pigeon/callflows': list([{ callflowId: 'c', displayName: 'Night' }]),
  });
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The words offered for a line; the last one may be incomplete. */
async function offered(line: string, now?: number, env: NodeJS.ProcessEnv = space.env): Promise<string[]> {
  const { terminal, out } = await testTerminal({ env: { ...env, YAGURA_CONFIG_DIR: folder } });
  const timed = now === undefined ? terminal : { ...terminal, now: () => now };
  await complete(timed, (argv) => createProgram(timed, argv), line.split(' '));
  return (out().match(/^.+$/gm) ?? []).map((one) => one.split('\t')[0]!);
}

describe('the words of a line', () => {
  test.each([
    ['sta', ['status']],
    ['alerthub rul', ['rules', 'rule-operators']],
    ['scopes li', ['list']],
    ['__comp', []],
    ['scopes list --so', ['--sort']],
    ['scopes list --lan', ['--lang']],
    ['scopes list --versi', []],
    ['--versi', ['--version']],
    ['scopes list --output j', ['json']],
    ['scopes list -o nd', ['ndjson']],
    ['--lang ', ['en', 'ja']],
    ['scopes list --sort -displ', ['-displayName']],
    ['scopes list --sort displ', ['displayName']],
    ['scopes list --json sev', ['severity']],
    ['import sco', ['scopes']],
    ['import scopes ', []],
    ['export rul', ['rules']],
    ['open retention', ['retention-settings']],
    ['nothing here ', []],
    ['scopes list --output=j', ['--output=json']],
    ['scopes list --json severity,dis', ['severity,displayName']],
    ['scopes list --sort=-displ', ['--sort=-displayName']],
    ['alerts --json lastEv', ['lastEventAt', 'lastEvent']],
    ['completion f', ['fish']],
    ['api pa', []],
    ['api PA', ['PATCH']],
    ['export --format ', ['csv', 'yaml']],
    ['imports rows --operation up', ['update']],
    ['greac sessions log --kind ', ['text', 'video']],
    ['space audit-records export --format ', ['json', 'csv']],
    ['space audit-records export ', []],
    ['plan folder -o ', ['json']],
  ])('after %j are %j', async (line, expected) => {
    const words = await offered(line);
    if (expected.length === 0) expect(words).toEqual([]);
    else expect(words).toEqual(expect.arrayContaining(expected));
  });

  test('are names of the space, cleaned, with their ids', async () => {
    expect(await offered('scopes show ')).toEqual(['web', 'db 1']);
    expect(await offered('scopes show w')).toEqual(['web']);
    expect(space.asked[0]!.query).toEqual({ limit: '200' });
    expect(await offered('scopes show web ')).toEqual([]);
    expect(await offered('scopes delete web ')).toContain('db 1');
    expect(await offered('open scopes w')).toEqual(['web']);
    expect(await offered('open scopes web ')).toEqual([]);
  });

  test('of children are those of the parent that is given', async () => {
    expect(await offered('triggers show --scope ')).toEqual(['web', 'db 1']);
    expect(await offered('triggers show --scope web ')).toEqual(['pager']);
    expect(await offered('triggers show --scope=web pa')).toEqual(['pager']);
    // The value of a flag is no argument.
    expect(await offered('scopes edit --remarks text w')).toEqual(['web']);
    expect(await offered('call --guidance ')).toEqual(['Down']);
    expect(await offered('call ')).toEqual(['Night']);
    expect(await offered('pigeon preview N')).toEqual(['Night']);
    // A call to a contact is no call with a callflow.
    expect(await offered('pigeon call --test ')).toEqual(['Hana']);
    expect(await offered('managed-node-notes list --network n --managed-node ')).toEqual(['router']);
  });

  test('are asked for by what is typed when they are too many', async () => {
    const many = Array.from({ length: 200 }, (_, index) => ({
      scopeId: `${index}`,
      displayName: `n${index}`,
    }));
    space.replies['GET /api/apps/alerthub/scopes'] = ({ query }: AskedRequest) =>
      query.filter === 'displayName sw "w"' ? list([{ scopeId, displayName: 'web' }]) : list(many, 201);
    expect(await offered('scopes show w')).toEqual(['web']);
    expect(await offered('scopes show ')).toHaveLength(200);
    expect(space.calls).toHaveLength(2);
  });

  test('are none when the space cannot be asked', async () => {
    space.replies['GET /api/apps/alerthub/scopes'] = reply({ status: 401, problem: 'sign-in-required' });
    expect(await offered('scopes show ')).toEqual([]);
  });

  test('are profiles with their addresses', async () => {
    writeFileSync(
      join(folder, 'profiles.json'),
      JSON.stringify({ profiles: { work: { url: 'http://w.example' } } }),
    );
    expect(await offered('status --profile ')).toEqual(['work']);
    expect(await offered('profiles use ')).toEqual(['work']);
  });

  test('are names of the space of the profile on the line', async () => {
    const credential = { kind: 'token', token: 'other' };
    const profiles = { here: { url: 'http://127.0.0.1:1' }, there: { url: space.origin, credential } };
    writeFileSync(join(folder, 'profiles.json'), JSON.stringify({ current: 'here', profiles }));
    expect(await offered('scopes show --profile there w', undefined, {})).toEqual(['web']);
    expect(space.asked[0]!.headers['x-authorization']).toBe('Token other');
  });

  test('are none, at once, when the space asks to wait', async () => {
    space.replies['GET /api/apps/alerthub/scopes'] = reply({
      status: 503,
      problem: 'unavailable',
      headers: { 'retry-after': '1' },
    });
    expect(await offered('scopes show ')).toEqual([]);
    expect(space.calls).toHaveLength(1);
  });

  test('do not wait for a renewal at a space that does not respond', async () => {
    const asked: (string | undefined)[] = [];
    const silent = createServer(({ url }) => asked.push(url));
    const url = await listenOnLoopback(silent);
    const credential = { kind: 'person', issuer: url, clientId: 'c', accessToken: 'a', refreshToken: 'r' };
    const profiles = { p: { url, credential: { ...credential, expiresAt: 0 } } };
    writeFileSync(join(folder, 'profiles.json'), JSON.stringify({ current: 'p', profiles }));
    try {
      expect(await offered('scopes show ', undefined, {})).toEqual([]);
      // The refresh token was not used.
      expect(asked).toEqual(['/readyz']);
    } finally {
      silent.closeAllConnections();
      silent.close();
    }
  });

  test('do not wait for a process that holds the profiles for long', async () => {
    space.replies['GET /readyz'] = {};
    const credential = { kind: 'person', issuer: space.origin, clientId: 'c', accessToken: 'a' };
    const profiles = { p: { url: space.origin, credential: { ...credential, expiresAt: 0 } } };
    writeFileSync(join(folder, 'profiles.json'), JSON.stringify({ current: 'p', profiles }));
    writeFileSync(join(folder, 'profiles.lock'), '');
    expect(await offered('scopes show ', undefined, {})).toEqual([]);
    expect(space.calls).toEqual(['GET /readyz']);
  });
});

test('names are kept for 30 seconds, for their owner alone', async () => {
  await offered('scopes show ');
  const names = join(folder, 'names');
  const [file] = readdirSync(names).map((name) => join(names, name));
  expect(statSync(file!).mode & 0o777).toBe(0o600);
  expect(statSync(names).mode & 0o777).toBe(0o700);
  utimesSync(file!, 1000, 1000);
  space.asked = [];
  expect(await offered('scopes show ', 1_030_000)).toEqual(['web', 'db 1']);
  expect(space.calls).toEqual([]);
  await offered('scopes show ', 1_030_001);
  expect(space.calls).toHaveLength(1);
  // Another kind has names of its own.
  expect(await offered('guidances show ')).toEqual(['Down']);
});

test.each(['bash', 'zsh', 'fish'])('%s has a script, and another shell has none', async (shell) => {
  const { terminal, out } = await testTerminal();
  completionScript(terminal, shell);
  expect(out()).toContain('yagura __complete');
  expect(() => completionScript(terminal, 'toString')).toThrow();
});

test('bash passes its line up to the cursor, and takes each line of the reply as it is', () => {
  // What bash sets before it calls the function; the stand-in for yagura prints its arguments.
  const program = `yagura() { printf '%s\\n' "$@"; }
${shellScripts.bash}
COMP_WORDBREAKS=':=' COMP_LINE='yagura scopes show 東京 * next' COMP_POINT=23
_yagura
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const env = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' };
  expect(execFileSync('bash', ['--norc', '-c', program], { env, encoding: 'utf8' }).split('\n')).toEqual([
    ...['__complete', '--bash', ':=', '--', 'yagura scopes show 東京 *', ''],
  ]);
});
