// `yagura-server space …`: creates and lists the spaces of a server. On PostgreSQL it can run beside the
// server, otherwise the server must be stopped.

import { parseArgs } from 'node:util';
import { Problem } from '@yagura/core/http/problem';
import { space } from '@yagura/core/space/space';
import { byServer } from '../audit/actor.ts';
import { createAuditLog } from '../audit/audit-log.ts';
import { isoTime, systemClock } from '../common/clock.ts';
import { CommandRefused } from '../common/command-refused.ts';
import { createIdSource } from '../common/id.ts';
import { installationSecret } from '../common/secrets/installation-secret.ts';
import { deriveSecret } from '../common/secrets/server-secret.ts';
import { spaceSecret } from '../common/secrets/space-secret.ts';
import type { CommandOptions } from '../config/command-options.ts';
import { ConfigError, readConfig } from '../config/config.ts';
import type { Database, Transaction } from '../db/database.ts';
import { sealExistingData } from '../hosting/seal-existing-data.ts';
import { isStorable } from '../http/input/storable-text.ts';
import { hostNameOf } from '../identity/host-name.ts';
import { ensureInitialAdmin } from '../identity/users/initial-admin.ts';
import { createUserAccounts } from '../identity/users/user-accounts.ts';
import { notifySpaces, originForHost } from '../space/space-directory.ts';
import { databaseWithin, openForCommand } from './open-for-command.ts';

export const spaceUsage = `Usage: yagura-server space create NAME --host HOST --email ADDRESS [--origin URL] [--data FOLDER]
       yagura-server space host HOST NEW_HOST [--origin URL] [--data FOLDER]
       yagura-server space list [--json] [--data FOLDER]

HOST is the host name of the space, ADDRESS is the email address of its first user. The origin is derived from the host name and
YAGURA_PUBLIC_URL; set --origin if the scheme or the port differs.`;

interface SpaceAddress {
  host: string;
  /** Null: derived from the host name. */
  origin: string | null;
}

interface SpaceRow {
  spaceId: string;
  name: string;
  host: string | null;
  origin: string | null;
  people: number;
  createdAt: string;
  endsAt: string | null;
}

/** Throws ConfigError for invalid arguments, SpaceRefused when the operation is not possible. */
export async function spaceCommand({ args, env, log, print }: CommandOptions): Promise<void> {
  const { verb, names, values } = parse(args);
  const config = readConfig(values.data === undefined ? [] : ['--data', values.data], env);
  const publicUrl = config.publicUrl ?? `http://localhost:${config.port}`;
  const work = workOf(verb, names, values, publicUrl);
  const database = await openForCommand(config, log);
  try {
    const secret = await installationSecret(config, database);
    await sealExistingData(database, systemClock, secret);
    await work({ database, print, publicUrl, secret });
  } finally {
    await database.close();
  }
}

interface SpaceCommandTools {
  database: Database;
  print(line: string): void;
  publicUrl: string;
  secret: Uint8Array;
}

type Values = ReturnType<typeof parse>['values'];

function workOf(
  verb: string | undefined,
  names: string[],
  values: Values,
  publicUrl: string,
): (tools: SpaceCommandTools) => Promise<void> {
  if (verb === 'list' && names.length === 0) return (tools) => list(tools, values.json ?? false);
  if (verb === 'create' && names.length === 1) {
    const displayName = nameOf(names[0]!);
    const email = values.email;
    if (!email) throw refusal('--email: the email address of the first user is required');
    const pathParams = parseSpaceAddress(values.host, '--host', values.origin, publicUrl);
    return (tools) => create(tools, displayName, email, pathParams);
  }
  if (verb === 'host' && names.length === 2) {
    const pathParams = parseSpaceAddress(names[1], 'NEW_HOST', values.origin, publicUrl);
    return (tools) => move(tools, hostNameOf(names[0]!) ?? names[0]!, pathParams);
  }
  throw refusal(
    verb === undefined
      ? 'space: a subcommand is required'
      : `space ${verb}: unknown subcommand or wrong arguments`,
  );
}

async function create(
  { database, print, publicUrl, secret }: SpaceCommandTools,
  displayName: string,
  email: string,
  { host, origin }: SpaceAddress,
): Promise<void> {
  const clock = systemClock;
  const nextId = createIdSource(clock);
  const spaceId = nextId();
  const now = isoTime(clock.now());
  const first = await changing(database, host, async (tx) => {
    await tx.query(
      `insert into space (space_id, display_name, host, origin, created_at, updated_at) values ($1, $2, $3, $4, $5, $5)`,
      [spaceId, displayName, host, origin, now],
    );
    const bound = { clock, nextId, spaceId, database: databaseWithin(database, tx) };
    const people = createUserAccounts({ ...bound, maxUsers: null, clearPrincipalCache: () => {} });
    const person = await ensureInitialAdmin(bound, people, { email });
    const keys = deriveSecret(spaceSecret(secret, { spaceId, host }));
    const audit = createAuditLog({ ...bound, log: () => {}, secret: keys, retentionDays: 0 });
    await audit.write(tx, {
      ...byServer,
      action: 'create',
      outcome: 'done',
      resource: space.name,
      resourceId: spaceId,
      after: { displayName, host },
    });
    return person;
  });
  await notifySpaces(database);
  print(`Created the space ${displayName} at ${origin ?? originForHost(publicUrl, host)}`);
  print(`Sign in as ${first.email} with the password ${first.password} (shown only this once)`);
  print(whenServed(database));
}

async function move(
  { database, print, publicUrl }: SpaceCommandTools,
  from: string,
  { host, origin }: SpaceAddress,
): Promise<void> {
  await changing(database, host, async (tx) => {
    const { rowCount } = await tx.query(
      'update space set host = $2, origin = $3, updated_at = $4, version = version + 1 where host = $1 and erasing_since is null',
      [from, host, origin, isoTime(systemClock.now())],
    );
    if (rowCount === 0) throw new CommandRefused(`No space has the host name ${from}`);
  });
  await notifySpaces(database);
  print(`The space is at ${origin ?? originForHost(publicUrl, host)} now. All its users must sign in again.`);
  print(whenServed(database));
}

async function list({ database, print, publicUrl }: SpaceCommandTools, json: boolean): Promise<void> {
  const { rows } = await database.query<SpaceRow>(
    `select s.space_id as "spaceId", s.display_name as name, s.host, s.origin, s.created_at as "createdAt",
       s.cancel_ends_at as "endsAt", (select count(*)::int from person p where p.space_id = s.space_id) as people
     from space s where s.erasing_since is null order by s.host nulls first`,
  );
  const spaces = rows.map(({ origin, host, ...row }) => ({
    ...row,
    host,
    origin: host === null ? publicUrl : (origin ?? originForHost(publicUrl, host)),
  }));
  if (json) return print(JSON.stringify(spaces, null, 2));
  const table = [
    ['NAME', 'ORIGIN', 'USERS', 'CREATED', 'ENDS'],
    ...spaces.map((one) => [
      one.name,
      one.origin,
      String(one.people),
      one.createdAt.slice(0, 10),
      one.endsAt?.slice(0, 10) ?? '-',
    ]),
  ];
  for (const line of table) print(line.join('\t'));
}

/** Runs a change of spaces; a host name taken concurrently is refused like any other taken one. */
async function changing<T>(
  database: Database,
  host: string,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  try {
    return await database.transaction(async (tx) => {
      await tx.query('lock table space in share row exclusive mode');
      const { rows } = await tx.query('select 1 from space where host = $1 and erasing_since is null', [
        host,
      ]);
      if (rows.length > 0) throw new CommandRefused(`The host name ${host} belongs to another space`);
      return work(tx);
    });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const [wrong] = error.invalidParams;
    throw wrong ? refusal(`--${wrong.name}: ${wrong.reason}`) : new CommandRefused(error.message);
  }
}

function whenServed({ kind }: Database): string {
  return kind === 'postgresql'
    ? 'Running servers on this database serve it within seconds'
    : 'Start the server to serve it';
}

function nameOf(text: string): string {
  const parsed = space.shape.shape.displayName.safeParse(text.trim());
  if (!parsed.success || !isStorable(text))
    throw refusal('NAME: must have 1 to 100 characters, without line breaks and control characters');
  return parsed.data;
}

function parseSpaceAddress(
  text: string | undefined,
  flag: string,
  given: string | undefined,
  publicUrl: string,
): SpaceAddress {
  const host = text === undefined ? null : hostNameOf(text);
  if (host === null)
    throw refusal(`${flag}: must be a host name such as acme.example.com, without scheme and port`);
  if (host === new URL(publicUrl).hostname)
    throw refusal(
      `${flag}: ${host} is the host name of the server (YAGURA_PUBLIC_URL), which serves the first space`,
    );
  if (given === undefined) return { host, origin: null };
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || `${url.origin}/` !== url.href)
    throw refusal('--origin: must be an origin such as https://acme.example.com:8443');
  if (url.hostname !== host) throw refusal(`--origin: the host name must be ${host}`);
  return { host, origin: url.origin };
}

function parse(args: string[]) {
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        host: { type: 'string' },
        origin: { type: 'string' },
        email: { type: 'string' },
        data: { type: 'string' },
        json: { type: 'boolean' },
      },
    });
    const [verb, ...names] = positionals;
    return { verb, names, values };
  } catch (error) {
    throw refusal((error as Error).message);
  }
}

const refusal = (reason: string) => new ConfigError(reason, spaceUsage);
