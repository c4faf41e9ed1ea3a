// Chooses the accounts to try on a host, and sets those aside that fail everywhere.
import type { ScanRefusal } from '@yagura/core/ksocket/agent-protocol';
import type { CredentialProtocol } from '@yagura/core/ksocket/credential-file';
import type { Credential } from '../settings/credential-files.ts';

/** Sign-ins per protocol and host, so that no account is locked; SNMP locks none. */
const maxAttempts: Readonly<Record<CredentialProtocol, number>> = { ssh: 2, winrm: 2, snmp: 4 };
/** Codes that speak against the account and not against the host. */
const accountCodes: ReadonlySet<string> = new Set([
  'SIGN_IN_FAILED',
  'SNMP_LEVEL_REFUSED',
  'SNMP_NO_ACCESS',
  'SNMP_USER_UNKNOWN',
  'SNMP_WRONG_KEY',
  'SNMP_WRONG_PRIVACY',
]);
/** A wrong community looks like a host without SNMP: another one may be right, and it is no mark against the account. */
const silent = 'SNMP_SILENT';
/** Hosts running on which an account fails before it is set aside for the scan. */
export const maxFailures = 10;

export interface SignInResult<T> {
  value?: T;
  credential?: string;
  refusals: ScanRefusal[];
}

/** What an attempt with one account gave; the code of a refusal otherwise. */
export type Attempt<T> = { value: T } | { code: string };

/**
 * Tries the accounts in their order until one works. `failures` counts, by file, the hosts running that refused
 * the account itself.
 */
export async function trySignIns<T>(
  credentials: readonly Credential[],
  address: string,
  failures: Record<string, number>,
  attempt: (credential: Credential) => Promise<Attempt<T>>,
): Promise<SignInResult<T>> {
  const refusals: ScanRefusal[] = [];
  let attempts = 0;
  for (const credential of credentials) {
    const { protocol, file } = credential;
    const refuse = (code: string) => refusals.push({ addr: address, protocol, code, credential: file });
    if ((failures[file] ?? 0) >= maxFailures) {
      refuse('CREDENTIAL_SET_ASIDE');
      continue;
    }
    if (attempts++ >= maxAttempts[protocol]) {
      // Once per host: a folder may hold many more.
      refuse('CREDENTIAL_LIMIT_REACHED');
      break;
    }
    const result = await attempt(credential);
    if ('value' in result) {
      failures[file] = 0;
      return { value: result.value, credential: file, refusals };
    }
    refuse(result.code);
    if (accountCodes.has(result.code)) failures[file] = (failures[file] ?? 0) + 1;
    // Another account does not help a host that does not answer.
    else if (result.code !== silent) break;
  }
  return { refusals };
}
