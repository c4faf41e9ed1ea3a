// Removes from a restored account what somebody who had taken it over could sign in with.
import type { Transaction } from '../../db/database.ts';

export interface RemovedCredentials {
  /** Names of the removed passkeys. */
  passkeys: string[];
  /** Names of the removed API tokens. */
  apiTokens: string[];
  /** Number of removed links to accounts of an external provider. */
  accounts: number;
  /** Whether two-step verification was turned off. */
  secondStep: boolean;
  /** Number of removed recovery codes. */
  recoveryCodes: number;
}

/**
 * `since` is the time of the takeover (ISO 8601). Passkeys go whatever their age, like the password: each signs in
 * alone. Two-step verification, linked accounts and API tokens from before stay: the former also protects the
 * account from whoever merely reads the mailbox. Recovery codes go altogether, since they have no time.
 */
export async function removeCredentials(
  tx: Transaction,
  spaceId: string,
  userId: string,
  since: string,
): Promise<RemovedCredentials> {
  const owner = [spaceId, userId];
  const passkeys = await tx.query<{ name: string }>(
    'delete from passkey where space_id = $1 and user_id = $2 returning display_name as name',
    owner,
  );
  const apiTokens = await tx.query<{ name: string }>(
    `delete from api_token where space_id = $1 and user_id = $2 and created_at >= $3
     returning display_name as name`,
    [...owner, since],
  );
  const accounts = await tx.query(
    'delete from person_link where space_id = $1 and user_id = $2 and created_at >= $3',
    [...owner, since],
  );
  const secondStep = await tx.query<{ enabled: boolean }>(
    `delete from person_totp where space_id = $1 and user_id = $2 and (enabled_at is null or enabled_at >= $3)
     returning enabled_at is not null as enabled`,
    [...owner, since],
  );
  const recoveryCodes = await tx.query(
    'delete from recovery_code where space_id = $1 and user_id = $2',
    owner,
  );
  for (const table of ['remembered_browser', 'known_device'])
    await tx.query(`delete from ${table} where space_id = $1 and user_id = $2`, owner);
  return {
    passkeys: passkeys.rows.map(({ name }) => name).sort(),
    apiTokens: apiTokens.rows.map(({ name }) => name).sort(),
    accounts: accounts.rowCount,
    secondStep: secondStep.rows.some(({ enabled }) => enabled),
    recoveryCodes: recoveryCodes.rowCount,
  };
}
