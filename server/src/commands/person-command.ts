// `yagura-server person …`: restores access for a user who lost their password, second factor or mailbox.

import { parseArgs } from 'node:util';
import { Problem } from '@yagura/core/http/problem';
import { user } from '@yagura/core/space/user';
import { byServer } from '../audit/actor.ts';
import { type AuditEntry, createAuditLog } from '../audit/audit-log.ts';
import { systemClock } from '../common/clock.ts';
import { CommandRefused } from '../common/command-refused.ts';
import { createIdSource } from '../common/id.ts';
import { installationSecret } from '../common/secrets/installation-secret.ts';
import { deriveSecret } from '../common/secrets/server-secret.ts';
import { spaceSecret } from '../common/secrets/space-secret.ts';
import type { CommandOptions } from '../config/command-options.ts';
import { ConfigError, readConfig } from '../config/config.ts';
import type { Database, Transaction } from '../db/database.ts';
import { sealExistingData } from '../hosting/seal-existing-data.ts';
import { hostNameOf } from '../identity/host-name.ts';
import { createTotp } from '../identity/mfa/totp.ts';
import { createAttemptLimit } from '../identity/sign-in/attempt-limit.ts';
import { createOneTimeTokens } from '../identity/tokens/one-time-tokens.ts';
import { generatePassword } from '../identity/users/password.ts';
import { createUserAccounts, isUniqueViolation, type UserAccount } from '../identity/users/user-accounts.ts';
import { originForHost } from '../space/space-directory.ts';
import { databaseWithin, openForCommand } from './open-for-command.ts';

export const personUsage = `Usage: yagura-server person reset EMAIL [--link] [--space HOST] [--data FOLDER]
       yagura-server person second-factor EMAIL [--passkeys] [--space HOST] [--data FOLDER]
       yagura-server person move EMAIL NEW_EMAIL [--space HOST] [--data FOLDER]

reset generates a new password and prints it once; with --link, it prints a link with which the user sets a password within an
hour. It also ends the waiting time after wrong passwords. second-factor turns off two-step verification; with --passkeys, it also
deletes the user's passkeys. move changes the email address without sending an email. Each command signs the user out and is
recorded in the audit log. --space is the host name of the space; the default is the first space.`;

const linkMinutes = 60;
const verbs = ['reset', 'second-factor', 'move'] as const;
type Verb = (typeof verbs)[number];

interface Space {
  spaceId: string;
  host: string | null;
  origin: string | null;
}

/** Throws ConfigError for invalid arguments, SpaceRefused when the operation is not possible. */
export async function personCommand({ args, env, log, print }: CommandOptions): Promise<void> {
  const { verb, email, next, values } = parse(args);
  const config = readConfig(values.data === undefined ? [] : ['--data', values.data], env);
  const publicUrl = config.publicUrl ?? `http://localhost:${config.port}`;
  const database = await openForCommand(config, log);
  try {
    const secret = await installationSecret(config, database);
    await sealExistingData(database, systemClock, secret);
    const found = await findSpace(database, values.space);
    const lines = await database.transaction((tx) => {
      const tools = toolsOf(databaseWithin(database, tx), tx, found, secret);
      return runVerb(tools, { verb, email, next, values, origin: originOf(found, publicUrl) });
    });
    for (const line of lines) print(line);
  } catch (error) {
    if (isUniqueViolation(error)) throw new CommandRefused(`${next}: is the email address of another user`);
    if (!(error instanceof Problem)) throw error;
    const [wrong] = error.invalidParams;
    throw new CommandRefused(wrong ? `${wrong.name}: ${wrong.reason}` : error.message);
  } finally {
    await database.close();
  }
}

function toolsOf(database: Database, tx: Transaction, space: Space, installation: Uint8Array) {
  const clock = systemClock;
  const nextId = createIdSource(clock);
  const { spaceId } = space;
  const secret = deriveSecret(spaceSecret(installation, space));
  const bound = { database, clock, nextId, spaceId, secret };
  const audit = createAuditLog({ ...bound, log: () => {}, retentionDays: 0 });
  return {
    tx,
    spaceId,
    people: createUserAccounts({ ...bound, maxUsers: null, clearPrincipalCache: () => {} }),
    tokens: createOneTimeTokens(bound),
    limit: createAttemptLimit(bound),
    totp: createTotp(bound),
    note: (person: UserAccount, entry: Pick<AuditEntry, 'action' | 'before' | 'after'>) =>
      audit.write(tx, {
        ...byServer,
        outcome: 'done',
        resource: user.name,
        resourceId: person.userId,
        ...entry,
      }),
  };
}

type Tools = ReturnType<typeof toolsOf>;
interface PersonCommand {
  verb: Verb;
  email: string;
  next: string | undefined;
  values: ReturnType<typeof parse>['values'];
  origin: string;
}

/** Performs the operation and returns the lines to print after the commit. */
async function runVerb(tools: Tools, command: PersonCommand): Promise<string[]> {
  const { verb, email, next, values, origin } = command;
  const person = await tools.people.findUser({ email });
  if (!person) throw new CommandRefused(`No user of this space has the email address ${email}`);
  const state = person.disabled
    ? [`${person.email} is disabled. A privileged user must enable this user before they can sign in.`]
    : [];
  if (verb === 'move') return [...(await moveAddress(tools, person, next!)), ...state];
  if (verb === 'second-factor')
    return [...(await removeFactor(tools, person, values.passkeys === true)), ...state];
  if (values.link) return [...(await sendLink(tools, person, origin)), ...state];
  return [...(await resetPassword(tools, person, origin)), ...state];
}

async function resetPassword({ people, limit, note, tx }: Tools, person: UserAccount, origin: string) {
  const password = generatePassword();
  await people.setPassword(person.userId, password);
  await limit.clear(tx, 'password', person.email);
  await note(person, { action: 'reset-password' });
  return [`Sign in at ${origin} as ${person.email} with the password ${password} (shown only this once)`];
}

async function sendLink({ people, limit, tokens, note, tx }: Tools, person: UserAccount, origin: string) {
  // Before the new link, since it ends earlier ones.
  await people.endSessionsIn(tx, person.userId);
  const token = await tokens.issue(tx, {
    purpose: 'change-password',
    userId: person.userId,
    lifetime: linkMinutes * 60_000,
  });
  await limit.clear(tx, 'password', person.email);
  await note(person, { action: 'reset-link' });
  return [
    `Set the password of ${person.email} within ${linkMinutes} minutes at ${origin}/change-password?token=${token} (shown only this once)`,
  ];
}

async function removeFactor(
  { people, limit, totp, note, tx, spaceId }: Tools,
  person: UserAccount,
  passkeys: boolean,
) {
  const before = await totp.state(person.userId);
  if (!before.enabled && !(passkeys && before.passkeys > 0))
    throw new CommandRefused(`${person.email} has no second factor to remove`);
  // First, since it locks the user, whom a sign-in locks before the second step.
  await people.endSessionsIn(tx, person.userId);
  await totp.disable(person.userId);
  if (passkeys)
    await tx.query('delete from passkey where space_id = $1 and user_id = $2', [spaceId, person.userId]);
  await limit.clear(tx, 'second-step', person.userId);
  const gone = passkeys ? before.passkeys : 0;
  await note(person, {
    action: 'remove-second-factor',
    before: { enabled: before.enabled, passkeys: before.passkeys },
    after: { enabled: false, passkeys: before.passkeys - gone },
  });
  return [
    `Two-step verification of ${person.email} is off. Passkeys deleted: ${gone}, remaining: ${before.passkeys - gone}`,
  ];
}

async function moveAddress({ people, tokens, note, tx }: Tools, person: UserAccount, email: string) {
  await people.updateUser(person.userId, { email });
  // Revoke links mailed to the former address.
  await tokens.revoke(tx, person.userId, ['change-email', 'restore-email', 'change-password']);
  await people.endSessionsIn(tx, person.userId);
  await note(person, { action: 'move-email', before: { email: person.email }, after: { email } });
  return [`${person.email} now signs in as ${email}`];
}

async function findSpace(database: Database, host: string | undefined): Promise<Space> {
  const command = host === undefined ? null : (hostNameOf(host) ?? host);
  const { rows } = await database.query<Space>(
    `select space_id as "spaceId", host, origin from space
     where host is not distinct from $1::text and erasing_since is null`,
    [command],
  );
  if (!rows[0])
    throw new CommandRefused(
      host === undefined ? 'There is no space yet' : `No space has the host name ${host}`,
    );
  return rows[0];
}

function originOf({ host, origin }: Space, publicUrl: string): string {
  return host === null ? publicUrl : (origin ?? originForHost(publicUrl, host));
}

function parse(args: string[]) {
  const refusal = (reason: string) => new ConfigError(reason, personUsage);
  let parsed: ReturnType<typeof readArgs>;
  try {
    parsed = readArgs(args);
  } catch (error) {
    throw refusal((error as Error).message);
  }
  const { positionals, values } = parsed;
  const [given, email, next, ...rest] = positionals;
  const verb = verbs.find((one) => one === given);
  if (!verb)
    throw refusal(
      given === undefined ? 'person: a subcommand is required' : `person ${given}: unknown subcommand`,
    );
  if (!email) throw refusal('EMAIL: the email address of the user is required');
  if (rest.length > 0 || (next !== undefined) !== (verb === 'move'))
    throw refusal(`person ${verb}: wrong arguments`);
  if (values.link && verb !== 'reset') throw refusal('--link: only valid for reset');
  if (values.passkeys && verb !== 'second-factor') throw refusal('--passkeys: only valid for second-factor');
  return { verb, email, next, values };
}

function readArgs(args: string[]) {
  return parseArgs({
    args,
    allowPositionals: true,
    options: {
      link: { type: 'boolean' },
      passkeys: { type: 'boolean' },
      space: { type: 'string' },
      data: { type: 'string' },
    },
  });
}
