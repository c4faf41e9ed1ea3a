import type { CredentialFile } from '@yagura/core/ksocket/credential-file';
import type { Credential } from '../../src/settings/credential-files.ts';
import { toRanges } from '../../src/site/ipv4-ranges.ts';
import { testCredential } from '../test-credential.ts';

/** An SNMP account for loopback addresses: a community, or the fields of a user. */
export function testSnmpCredential(
  file: string,
  port: number,
  account: string | Partial<CredentialFile>,
): Credential {
  const base = testCredential(file, port, '');
  const own = typeof account === 'string' ? { community: account } : { version: 'v3' as const, ...account };
  return {
    ...{ protocol: 'snmp', file, ranges: toRanges(['127.0.0.0/8']), port },
    account: { ...base.account, username: '', protocol: 'snmp', ...own },
  };
}
