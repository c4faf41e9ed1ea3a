import { expect, test } from 'vitest';
import { testSnmpCredential } from '../../test/snmp/test-snmp-credential.ts';
import { trySignIns } from './credential-health.ts';

const credentials = ['a', 'b', 'c', 'd', 'e'].map((name) =>
  testSnmpCredential(`snmp/${name}.toml`, 161, name),
);
/** Tries accounts with these codes; an account without a code opens. */
async function attempts(codes: Record<string, string>, failures: Record<string, number> = {}) {
  const tried: string[] = [];
  const result = await trySignIns(credentials, '10.0.0.1', failures, async ({ account }) => {
    tried.push(account.community);
    const code = codes[account.community];
    return code === undefined ? { value: account.community } : { code };
  });
  return {
    tried: tried.join(''),
    opened: result.value,
    failures,
    codes: result.refusals.map(({ code }) => code),
  };
}
const all = (code: string) => Object.fromEntries(credentials.map(({ account }) => [account.community, code]));

test('silence is no mark against an account, and the next one is tried', async () => {
  expect(await attempts({ a: 'SNMP_SILENT', b: 'SNMP_SILENT' })).toEqual({
    ...{ tried: 'abc', opened: 'c', codes: ['SNMP_SILENT', 'SNMP_SILENT'] },
    failures: { 'snmp/c.toml': 0 },
  });
});

test('four accounts at most are tried', async () => {
  expect(await attempts(all('SNMP_SILENT'))).toMatchObject({ tried: 'abcd', opened: undefined });
});

test('an account that is not tried because others failed on the host is named', async () => {
  expect((await attempts(all('SNMP_SILENT'))).codes).toEqual([
    ...['SNMP_SILENT', 'SNMP_SILENT', 'SNMP_SILENT', 'SNMP_SILENT', 'CREDENTIAL_LIMIT_REACHED'],
  ]);
});

test.each([
  'SNMP_USER_UNKNOWN',
  'SNMP_WRONG_KEY',
  'SNMP_WRONG_PRIVACY',
  'SNMP_LEVEL_REFUSED',
  'SNMP_NO_ACCESS',
])('%s counts against the account', async (code) => {
  expect(await attempts({ a: code })).toMatchObject({ tried: 'ab', failures: { 'snmp/a.toml': 1 } });
});

test.each(['UNREACHABLE', 'SNMP_PORT_CLOSED', 'SNMP_MALFORMED'])('%s ends the attempts', async (code) => {
  expect(await attempts(all(code))).toMatchObject({ tried: 'a', failures: {} });
});

test('an account that failed on ten hosts running is set aside', async () => {
  expect(await attempts({}, { 'snmp/a.toml': 10 })).toMatchObject({
    ...{ tried: 'b', codes: ['CREDENTIAL_SET_ASIDE'] },
  });
});
