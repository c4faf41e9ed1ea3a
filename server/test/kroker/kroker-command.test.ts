// Enrolling a machine as a Kroker with commands only, and encrypting a credential for it locally.
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { send } from '@yagura/core/http/transport';
import type { KrokerFile } from '@yagura/core/kroker/machine-setup';
import type { PublicKey } from '@yagura/core/kroker/public-key';
import { compactDecrypt, importJWK } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkKroker } from '../../../cli/src/kroker/check.ts';
import { createCredential } from '../../../cli/src/kroker/create-credential.ts';
import { readKrokerFile } from '../../../cli/src/kroker/kroker-file.ts';
import { setUpKroker } from '../../../cli/src/kroker/setup.ts';
import { testTerminal } from '../../../cli/test/test-terminal.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
const folder = mkdtempSync(join(tmpdir(), 'yagura-kroker-'));
const file = join(folder, 'kroker.json');

beforeAll(async () => {
  server = (await startTestServer())!;
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('a machine is set up, checks in, and is the only one that opens what is encrypted to it', async () => {
  const person = await server.signedIn('privileged');
  const machine = await testTerminal();
  const running = setUpKroker(machine.terminal, server.origin, { file, name: 'gateway-02' });
  let told = '';
  await expect
    .poll(
      () => {
        told += machine.err();
        return told;
      },
      { timeout: 20_000 },
    )
    .toMatch(/thumbprint/);
  const code = /Code: (\S+)/.exec(told)![1]!;
  const waiting = await send<{ thumbprint: string; hostName: string }>(person, {
    method: 'GET',
    path: `/api/apps/kroker/setups/${code}`,
  });
  expect(waiting.data.hostName).toBe('gateway-02');
  expect(told).toContain(waiting.data.thumbprint);
  await send(person, {
    method: 'POST',
    path: `/api/apps/kroker/setups/${code}/approve`,
    body: { displayName: 'Fukuoka' },
  });
  await running;
  expect(machine.err()).toContain('This machine is now the Kroker Fukuoka');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const kept: KrokerFile = readKrokerFile(file);

  const again = await testTerminal();
  await expect(setUpKroker(again.terminal, server.origin, { file })).rejects.toThrow();
  expect(readFileSync(file, 'utf8')).toContain(kept.token);

  const checking = await testTerminal();
  await checkKroker(checking.terminal, { file });
  expect(checking.err()).toContain('Fukuoka');

  const headers = await server.transportAs('privileged').headers!();
  const token = headers['x-authorization']!.replace('Token ', '');
  const typing = await testTerminal({
    env: { NODE_ENV: 'test', YAGURA_URL: server.origin, YAGURA_TOKEN: token },
    input: 'hidden from all\n',
  });
  await createCredential(typing.terminal, { kroker: 'Fukuoka', displayName: 'root', username: 'root' });
  const made = await send<{ encryptedData: string }>(server.transportAs('privileged'), {
    method: 'GET',
    path: `/api/apps/kroker/krokers/${kept.krokerId}/credentials/${typing.out().trim()}`,
  });
  const key = await importJWK(kept.privateKey as PublicKey & { d: string }, 'ECDH-ES');
  const { plaintext } = await compactDecrypt(made.data.encryptedData, key);
  expect(JSON.parse(new TextDecoder().decode(plaintext))).toEqual({
    credentialType: 'password',
    username: 'root',
    password: 'hidden from all',
  });
}, 60_000);
