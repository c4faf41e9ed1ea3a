import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ServerProcess, startServer } from '@yagura/fixtures/testbed/server-process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collectOutput } from './collect-output.ts';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const shop = fileURLToPath(new URL('../../fixtures/configuration/shop', import.meta.url));
const key = 'SG.very-secret-key';

describe('plan and apply', { timeout: 240_000 }, () => {
  let first: ServerProcess;
  let second: ServerProcess;
  let folder: string;
  const at = (name: string) => join(folder, name);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'yagura-plan-'));
    [first, second] = await Promise.all([startServer(), startServer()]);
  }, 120_000);
  afterAll(async () => {
    await Promise.all([first?.stop(), second?.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });

  function start(
    space: ServerProcess,
    argv: readonly string[],
    env: Record<string, string> = {},
  ): ChildProcess {
    return spawn(process.execPath, [main, ...argv], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        YAGURA_URL: space.origin,
        YAGURA_TOKEN: space.token,
        YAGURA_CONFIG_DIR: folder,
        RELAY_KEY: key,
        EMAIL_ACTION_SENDER_SETTINGS_RELAY_PARAMETERS_APIKEY: key,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** Runs the command to completion; the callback receives the accumulated stderr on every output. */
  async function run(
    space: ServerProcess,
    argv: readonly string[],
    env?: Record<string, string>,
    whenSaid?: (said: string, child: ChildProcess) => void,
  ): Promise<{ code: number | null; out: string; err: string }> {
    const child = start(space, argv, env);
    const { output, ended } = collectOutput(child);
    child.stderr!.on('data', () => whenSaid?.(output.err, child));
    const code = await ended;
    return { code, ...output };
  }

  test('a folder of YAML, JSON and CSV fills an empty space', async () => {
    const planned = await run(first, ['plan', shop, '--detailed-exitcode']);
    expect(planned.code, planned.err).toBe(2);
    expect(planned.out).toContain('+ trigger "Shop" / "Always"');
    expect(planned.out).toContain('+ user "hana@example.invalid"');
    expect(planned.out).toContain('+ group member "Operators" / "hana@example.invalid"');
    expect(planned.out).toMatch(/^\+ scan settings "Office"$/m);
    expect(planned.out).toContain('Create: 18, update: 0, delete: 0');
    const applied = await run(first, ['apply', shop, '--yes', '--rollback', 'back.json']);
    expect(applied.code, applied.err).toBe(0);
    expect(applied.err).toContain('+ trigger "Shop" / "Always"');
    expect((await run(first, ['plan', shop, '--detailed-exitcode'])).code).toBe(0);
    expect(planned.out + planned.err + applied.out + applied.err).not.toContain(key);
    expect(readFileSync(at('back.json'), 'utf8')).not.toContain(key);
  });

  test('one space goes out and into another; killed after every item and taken again, the end is the same', async () => {
    expect((await run(first, ['export', '--all', 'one', '--format', 'yaml'])).code).toBe(0);
    const files = readdirSync(at('one')).sort();
    for (const file of files) expect(readFileSync(at(`one/${file}`), 'utf8')).not.toContain(key);
    expect((await run(second, ['plan', 'one', '--save', 'plan.json'])).code).toBe(0);
    let killed = 0;
    for (;;) {
      const { code } = await run(second, ['apply', 'plan.json', '--yes'], {}, (said, child) => {
        if (/^Created /m.test(said)) child.kill('SIGKILL');
      });
      if (code === 0) break;
      killed += 1;
      expect(killed).toBeLessThan(24);
    }
    expect(killed).toBeGreaterThan(5);
    const again = await run(second, ['plan', 'one', '--prune', '--detailed-exitcode']);
    expect(again, again.err).toMatchObject({ code: 0, out: 'No changes. The space matches the files.\n' });
    expect((await run(second, ['export', '--all', 'two', '--format', 'yaml'])).code).toBe(0);
    expect(readdirSync(at('two')).sort()).toEqual(files);
    for (const file of files)
      expect(readFileSync(at(`two/${file}`), 'utf8')).toBe(readFileSync(at(`one/${file}`), 'utf8'));
  });

  test('a space that has moved is refused, with nothing changed', async () => {
    writeFileSync(
      at('more.yaml'),
      'scopes:\n  - displayName: Shop\n    remarks: Changed\n  - displayName: New\n',
    );
    expect((await run(second, ['plan', 'more.yaml', '--save', 'moved.json'])).code).toBe(0);
    expect((await run(second, ['scopes', 'edit', 'Shop', '--remarks', 'By hand'])).code).toBe(0);
    const refused = await run(second, ['apply', 'moved.json', '--yes']);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('scope "Shop"');
    expect((await run(second, ['scopes', 'show', 'New'])).code).toBe(1);
    expect((await run(first, ['apply', 'moved.json', '--yes'])).code).toBe(2);
  });

  test('without a yes nothing happens where nobody can be asked', async () => {
    expect((await run(second, ['apply', 'more.yaml'])).code).toBe(2);
    expect((await run(second, ['scopes', 'show', 'New'])).code).toBe(1);
  });

  test('as JSON, applying tells the outcome alone', async () => {
    const applied = await run(second, ['apply', 'more.yaml', '--yes', '--output', 'json']);
    expect(applied.code, applied.err).toBe(0);
    expect(JSON.parse(applied.out)).toMatchObject({ taken: 2, skipped: 0 });
    // The plan is for people to read; what is done is told on the way.
    expect(applied.err).not.toContain('+ scope "New"');
  });

  test('people change by files; who is privileged stays, whatever is deleted', async () => {
    const people = (roles: string) =>
      writeFileSync(
        at('people.yaml'),
        `users:\n  - displayName: Hana Sato\n    email: hana@example.invalid\n    roles: [${roles}]\n`,
      );
    people('alerthub:administrator, sonar:viewer');
    const changed = await run(first, ['plan', 'people.yaml', '--prune']);
    expect(changed.code, changed.err).toBe(0);
    expect(changed.out).toContain('~ user "hana@example.invalid"');
    expect(changed.out).toContain('Kept: user "admin@yagura.local": plans do not delete privileged users');
    expect(changed.out).toContain('Create: 0, update: 1, delete: 0');
    people('alerthub:viewer');
    expect((await run(first, ['plan', 'people.yaml', '--prune', '--detailed-exitcode'])).code).toBe(0);
  });

  test('the way back leads back', async () => {
    const back = await run(first, ['apply', 'back.json', '--yes']);
    expect(back.code, back.err).toBe(0);
    expect(JSON.parse((await run(first, ['scopes', 'list', '--json', 'displayName'])).out)).toEqual([]);
  });

  test('all errors are told at once, with file and line, in the language of the terminal', async () => {
    writeFileSync(
      at('bad.yaml'),
      'scopes:\n  - displayName: A\n    colour: red\n    thresholds:\n      warning: zero\n      incident: 3\nrules:\n  - displayName: R\n    receiveSlotId: Nowhere\nthings:\n  - displayName: T\n',
    );
    const { code, err, out } = await run(second, ['plan', 'bad.yaml', '--lang', 'ja']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^bad\.yaml:3: colour: /m);
    expect(err).toMatch(/^bad\.yaml:5: thresholds\.warning: /m);
    expect(err).toMatch(/^bad\.yaml:9: receiveSlotId: Nowhere という receive-slot はありません$/m);
    expect(err).toMatch(/^bad\.yaml:11: things という種類はありません/m);
    expect(err).toMatch(/ファイルに4件のエラーがあります/);
  });

  test.each([
    ['broken.yaml', 'scopes: [', /^broken\.yaml:1: /m],
    [
      'scopes.csv',
      '$key,displayName\n,A\n',
      /^scopes\.csv:1: \$key: this is a bulk file; use yagura import/m,
    ],
    ['scopes.csv', 'displayName,recoveryTime\n"A\n', /^scopes\.csv:\d: /m],
    [
      'secret.yaml',
      'email-action-sender-settings:\n  - displayName: R\n    from: { email: a@example.invalid }\n    provider: sendgrid\n    parameters: { apiKey: written-out }\n',
      /^secret\.yaml:5: parameters\.apiKey: secrets cannot/m,
    ],
    [
      'twice.yaml',
      'scan-settings:\n  - network: Office\n  - network: Office\n',
      /^twice\.yaml:3: Office: is in the files more than once$/m,
    ],
    [
      'members.yaml',
      'user-group-members:\n  - user-group: Operators\n    userId: nobody@example.invalid\n',
      /^members\.yaml:3: userId: there is no user named nobody@example\.invalid$/m,
    ],
    ['plan.json', '{"format":"yagura-plan/1"}', /is not a plan file/],
  ])('%s is refused', async (name, text, said) => {
    writeFileSync(at(name), text);
    const { code, err } = await run(second, [name === 'plan.json' ? 'apply' : 'plan', name]);
    expect(code).not.toBe(0);
    expect(err).toMatch(said);
    expect(err).not.toContain('written-out');
  });
});
