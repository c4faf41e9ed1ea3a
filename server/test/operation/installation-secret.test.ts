// A server or command with another installation secret than before is refused until the operator replaces the secret.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { personCommand } from '../../src/commands/person-command.ts';
import { secretCommand } from '../../src/commands/secret-command.ts';
import { verifyAuditLogs } from '../../src/commands/verify-audit-command.ts';
import { CommandRefused } from '../../src/common/command-refused.ts';
import { ConfigError, readConfig } from '../../src/config/config.ts';
import { createApiCall } from '../support/api-request.ts';
import { startTestServer, storeKinds, type TestServer } from '../support/test-server.ts';

const [first, second] = ['first', 'second'].map((name) => `${name} secret `.padEnd(40, '.'));
const log = () => undefined;
const print = () => undefined;

describe.each(storeKinds)('on %s', (engine) => {
  let server: TestServer | null;
  let env: Record<string, string>;
  let startWith: (secret: string | undefined) => Promise<void>;
  beforeEach(() => {
    startWith = async (secret) => {
      server = await startTestServer({
        engine,
        env: secret === undefined ? {} : { YAGURA_SECRET: secret },
        prepare: async (location) => {
          env = location.env;
        },
      });
    };
  });
  afterEach(() => server?.stop());

  const environment = (secret: string | undefined) => ({
    ...env,
    ...(secret === undefined ? {} : { YAGURA_SECRET: secret }),
  });
  const reset = (secret: string | undefined) =>
    personCommand({ args: ['reset', 'admin@yagura.local'], env: environment(secret), log, print });
  const isIntact = async (secret: string | undefined) =>
    (await verifyAuditLogs(readConfig([], environment(secret)), log)).intact;

  test.each([
    ['generated', undefined, first, /Unset YAGURA_SECRET/],
    ['configured', first, second, /YAGURA_SECRET is not the secret of this installation/],
    ['configured', first, undefined, /YAGURA_SECRET is not set/],
  ] as const)('a %s one', { timeout: 60_000 }, async (_kind, own, other, reason) => {
    await startWith(own);
    if (!server) return;
    const callApi = createApiCall(server.transportAs('privileged'));
    await callApi('POST', '/api/apps/alerthub/actions', {
      displayName: 'Page',
      kind: 'webhook',
      parameters: { url: 'https://sink.example/?token=kept', method: 'POST', headers: {}, body: '' },
    });
    const refused = await server.restart({ secret: other }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(CommandRefused);
    expect((refused as Error).message).toMatch(reason);
    expect((refused as Error).message).not.toContain('....');
    await expect(reset(other)).rejects.toThrow(reason);
    await expect(isIntact(other)).rejects.toThrow(reason);
    // Nothing has changed for the right one.
    await reset(own);
    expect(await isIntact(own)).toBe(true);
    await server.restart({ secret: own });
    const { data } = await createApiCall(server.transportAs('privileged'))(
      'GET',
      '/api/apps/alerthub/actions',
    );
    expect(JSON.stringify(data)).toContain('token=kept');
  });

  test('is replaced by a command, and then the earlier one is refused', { timeout: 60_000 }, async () => {
    await startWith(first);
    if (!server) return;
    const lines: string[] = [];
    const replace = (secret: string | undefined) =>
      secretCommand({
        args: ['replace'],
        env: environment(secret),
        log,
        print: (line) => lines.push(line),
      });
    await server.restart({ secret: second }, async () => {
      await replace(second);
      await replace(second);
    });
    expect(lines.map((line) => /already uses/.test(line))).toEqual([false, true]);
    if (engine === 'postgresql') await expect(reset(first)).rejects.toThrow(/is not the secret/);
    await server.restart({ secret: undefined }, () => replace(undefined));
    if (engine === 'postgresql') await expect(reset(second)).rejects.toThrow(/Unset YAGURA_SECRET/);
  });
});

test.each([[[]], [['accept']], [['replace', 'now']], [['replace', '--force']]])(
  'the command refuses the arguments %j',
  async (args) => {
    await expect(secretCommand({ args, env: {}, log, print })).rejects.toThrow(ConfigError);
  },
);
