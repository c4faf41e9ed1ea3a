// Chooses the accounts to try on a host, and sets those aside that fail everywhere.
import type { ScanRefusal } from '@yagura/core/ksocket/agent-protocol';
import type { Credential } from '../settings/credential-files.ts';

/** Sign-ins per protocol and host, so that no account is locked. */
const maxAttempts = 2;
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
    if (attempts++ >= maxAttempts) break;
    const result = await attempt(credential);
    if ('value' in result) {
      failures[file] = 0;
      return { value: result.value, credential: file, refusals };
    }
    refuse(result.code);
    if (result.code === 'SIGN_IN_FAILED') failures[file] = (failures[file] ?? 0) + 1;
    // Another account does not help a host that does not answer.
    else break;
  }
  return { refusals };
}
