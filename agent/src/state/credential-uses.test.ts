import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CredentialUseLog, readCredentialUses } from './credential-uses.ts';

let stateFolder: string;
beforeEach(() => {
  stateFolder = mkdtempSync(join(tmpdir(), 'yagura-credential-uses-'));
});
afterEach(() => rmSync(stateFolder, { recursive: true, force: true }));

const at = '2026-01-01T00:00:00.000Z';
const lines: unknown[] = [];
const open = () =>
  new CredentialUseLog({ stateFolder, now: () => Date.parse(at), log: (line) => void lines.push(line) });
const refusal = (credential: string, code: string) => ({
  addr: '10.0.0.1',
  protocol: 'snmp',
  code,
  credential,
});

test('uses add up over the runs of the agent', async () => {
  const first = open();
  first.note('10.0.0.1', 'snmp/b.toml', [refusal('snmp/a.toml', 'SNMP_SILENT')]);
  await first.close();
  const second = open();
  second.note('10.0.0.2', 'snmp/b.toml', [refusal('snmp/a.toml', 'CREDENTIAL_SET_ASIDE')]);
  await second.close();
  expect(await readCredentialUses(stateFolder)).toEqual({
    'snmp/a.toml': {
      ...{ opened: 0, refused: 1 },
      lastRefused: { address: '10.0.0.1', at, code: 'SNMP_SILENT' },
    },
    'snmp/b.toml': { opened: 2, refused: 0, lastOpened: { address: '10.0.0.2', at } },
  });
});

test('nothing is written when nothing was used or refused', async () => {
  const uses = open();
  uses.note('10.0.0.1', undefined, []);
  uses.note('10.0.0.1', undefined, [refusal('snmp/a.toml', 'CREDENTIAL_SET_ASIDE')]);
  uses.note('10.0.0.2', undefined, [refusal('snmp/a.toml', 'CREDENTIAL_LIMIT_REACHED')]);
  await uses.close();
  expect(readdirSync(stateFolder)).toEqual([]);
});

test.each(['', 'not json', '[]', '{"snmp/a.toml":{"opened":"many"}}', 'null'])(
  'a damaged file counts as empty: %j',
  async (text) => {
    writeFileSync(join(stateFolder, 'credential-uses.json'), text);
    expect(await readCredentialUses(stateFolder)).toEqual({});
  },
);

test('a folder that cannot be written is told in the log, and stops nothing', async () => {
  rmSync(stateFolder, { recursive: true });
  const uses = open();
  uses.note('10.0.0.1', 'snmp/b.toml', []);
  await uses.close();
  expect(lines).toEqual([
    expect.objectContaining({ level: 'warn', message: 'uses of credentials cannot be saved' }),
  ]);
});
