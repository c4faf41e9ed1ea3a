import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestTerminalOptions, testTerminal } from '../../test/test-terminal.ts';
import { checkGateway } from './known-gateways.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'yagura-gateways-'));
  path = join(folder, 'gateways.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

const shown = (options: TestTerminalOptions = {}) =>
  testTerminal({ env: { YAGURA_CONFIG_DIR: folder }, ...options });
const kept = () => JSON.parse(readFileSync(path, 'utf8'));
const check = async (krokerId: string, thumbprint: string, options: TestTerminalOptions = {}) => {
  const { terminal, err } = await shown(options);
  const error = await checkGateway(terminal, 'https://a.example', krokerId, thumbprint).then(
    () => undefined,
    (reason: { messageKey?: string }) => reason.messageKey ?? String(reason),
  );
  return { error, said: err() };
};

test('the first key of a gateway is kept, for its owner alone, and trusted from then on', async () => {
  expect(await check('k1', 'one')).toEqual({ error: undefined, said: '' });
  expect(await check('k2', 'two')).toEqual({ error: undefined, said: '' });
  expect(kept()).toEqual({ 'https://a.example k1': 'one', 'https://a.example k2': 'two' });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(await check('k1', 'one')).toEqual({ error: undefined, said: '' });
});

test('another key is refused where nobody can be asked, and the known one stays', async () => {
  await check('k1', 'one');
  const { error, said } = await check('k1', 'other');
  expect(error).toBe('cli.connect.gateway-untrusted');
  expect(said).toContain('one');
  expect(said).toContain('other');
  expect(kept()).toEqual({ 'https://a.example k1': 'one' });
});

test.each([
  ['y\n', undefined, 'other'],
  ['n\n', 'an error', 'one'],
])('another key is taken by the answer %j: %s', async (input, error, expected) => {
  await check('k1', 'one');
  const outcome = await check('k1', 'other', { live: true, input });
  expect(outcome.error === undefined).toBe(error === undefined);
  expect(kept()).toEqual({ 'https://a.example k1': expected });
});

test.each(['{', 'null', '"text"'])(
  'a file of %s is refused, as a replaced key would not be noticed',
  async (text) => {
    writeFileSync(path, text);
    expect(await check('k1', 'one')).toMatchObject({ error: 'cli.connect.gateways-file' });
    expect(readFileSync(path, 'utf8')).toBe(text);
  },
);
