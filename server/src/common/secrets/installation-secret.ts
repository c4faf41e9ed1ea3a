// Loads the installation secret, from which all keys are derived, and refuses another one than before.
import { createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Queryable } from '../../db/database.ts';
import { CommandRefused } from '../command-refused.ts';

/** The row of `server_secret` by which a secret is recognized; it does not reveal the secret. */
const checkName = 'installation-check';

/**
 * Returns the configured secret, or the one generated at the first start and stored for all replicas. Throws
 * CommandRefused when the installation uses another one: nothing that is encrypted could be read, what is edited
 * would be stored without it, and each record of the audit log would count as changed.
 */
export async function installationSecret(
  config: { secret: string | undefined },
  database: Queryable,
): Promise<Buffer> {
  const { secret, generated, check } = await readSecrets(config, database);
  if (check && !(secret && matches(check, secret)))
    throw new CommandRefused(mismatchReason(config, generated !== undefined && matches(check, generated)));
  return secret ?? generateSecret(database);
}

/** Makes the secret the one of the installation unless it has one; another one is refused from then on. */
export async function recordInstallationSecret(database: Queryable, secret: Uint8Array): Promise<void> {
  const { rows } = await database.query<{ value: Buffer }>(
    `insert into server_secret (name, value) values ($1, $2)
     on conflict (name) do update set name = excluded.name returning value`,
    [checkName, checkOf(secret)],
  );
  if (!matches(rows[0]!.value, secret))
    throw new CommandRefused('Another server has just started on this database with another YAGURA_SECRET.');
}

/** Makes the configured secret the one of the installation; false when it was already. */
export async function replaceInstallationSecret(
  config: { secret: string | undefined },
  database: Queryable,
): Promise<boolean> {
  const { secret, check } = await readSecrets(config, database);
  if (check && secret && matches(check, secret)) return false;
  await database.query(
    `insert into server_secret (name, value) values ($1, $2)
     on conflict (name) do update set value = excluded.value`,
    [checkName, checkOf(secret ?? (await generateSecret(database)))],
  );
  return true;
}

async function readSecrets(config: { secret: string | undefined }, database: Queryable) {
  const { rows } = await database.query<{ name: string; value: Buffer }>(
    `select name, value from server_secret where name in ('installation', $1)`,
    [checkName],
  );
  const stored = (wanted: string) => rows.find(({ name }) => name === wanted)?.value;
  const generated = stored('installation');
  const configured = config.secret && createHash('sha256').update(config.secret).digest();
  return { secret: configured || generated, generated, check: stored(checkName) };
}

async function generateSecret(database: Queryable): Promise<Buffer> {
  const { rows } = await database.query<{ value: Buffer }>(
    `insert into server_secret (name, value) values ('installation', $1)
     on conflict (name) do update set name = excluded.name returning value`,
    [randomBytes(32)],
  );
  return rows[0]!.value;
}

function checkOf(secret: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'yagura installation check', 32));
}

function matches(check: Buffer, secret: Uint8Array): boolean {
  const own = checkOf(secret);
  return check.length === own.length && timingSafeEqual(check, own);
}

function mismatchReason({ secret }: { secret: string | undefined }, isGenerated: boolean): string {
  const reason = isGenerated
    ? 'YAGURA_SECRET is set, but this installation uses the secret that was generated at its first start and is stored in its database. Unset YAGURA_SECRET.'
    : secret
      ? 'YAGURA_SECRET is not the secret of this installation. Set the one that its servers used before.'
      : 'This installation uses a secret of its own, but YAGURA_SECRET is not set. Set the one that its servers used before.';
  return `${reason}\nIf that secret is lost, "yagura-server secret replace" takes the present one; credentials that are stored in settings are lost then.`;
}
