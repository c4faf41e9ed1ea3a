// Parses the environment with one schema: files of secrets, every variable, and what only several variables
// together can violate.
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { z } from 'zod';
import { fileFault, isFromFile, isHttp } from '../common/variable-kinds.ts';
import { variables } from './variables.ts';

/** Environment variables. */
export type Environment = Record<string, string | undefined>;

/** Flags that set a variable. */
export const flags = {
  port: 'PORT',
  host: 'YAGURA_HOST',
  data: 'YAGURA_DATA',
  'mail-port': 'YAGURA_MAIL_PORT',
} as const satisfies Record<string, VariableName>;

type VariableName = keyof typeof variables;
type Flag = keyof typeof flags;
type FlagValues = { [Name in Flag]?: string | undefined };

export type EnvironmentValues = z.output<typeof schema>;

/** Returns either the values or all errors, each starting with the names of its variables. */
export function parseEnvironment(
  given: FlagValues,
  env: Environment,
): { values: EnvironmentValues } | { errors: string[] } {
  const flagged = flagVariables(given);
  const { input, fromFile, unreadable } = readFiles({ ...withoutBlanks(env), ...flagged });
  const parsed = schema.safeParse(input);
  const label = (name: string) => {
    const flag = Object.entries(flags).find(([, variable]) => variable === name)?.[0];
    return `${flag ? `--${flag}, ` : ''}${name}${fromFile.has(name) ? '_FILE' : ''}`;
  };
  const errors = [
    ...blankFlags(given).map((name) => `${label(name)}: give a value`),
    ...[...unreadable].map(([name, reason]) => `${label(name)}: ${reason}`),
    ...(parsed.error?.issues ?? [])
      // What is missing may be in the file that could not be read.
      .filter(({ path }) => !path.some((name) => unreadable.has(name as string)))
      .map(({ path, message }) => `${path.map((name) => label(name as string)).join(', ')}: ${message}`),
    ...providerErrors(input),
  ];
  return parsed.success && errors.length === 0 ? { values: parsed.data } : { errors };
}

/** Names that look like settings of the server but are none, such as misspelled ones; they have no effect. */
export function unknownVariables(env: Environment): string[] {
  const known = new Set(
    Object.entries(variables).flatMap(([name, schema]) =>
      isFromFile(schema) ? [name, `${name}_FILE`] : [name],
    ),
  );
  return Object.keys(withoutBlanks(env)).filter((name) => name.startsWith('YAGURA_') && !known.has(name));
}

const schema = z
  .object(variables)
  .refine((env) => !env.YAGURA_PLAN_SUPPORT_MARKER === !env.YAGURA_PLAN_SUPPORT_URL, {
    path: ['YAGURA_PLAN_SUPPORT_MARKER', 'YAGURA_PLAN_SUPPORT_URL'],
    error: 'give both or neither',
    when: always,
  })
  .refine((env) => !env.YAGURA_MAIL_TLS_CERT === !env.YAGURA_MAIL_TLS_KEY, {
    path: ['YAGURA_MAIL_TLS_CERT', 'YAGURA_MAIL_TLS_KEY'],
    error: 'give both or neither',
    when: always,
  })
  .refine((env) => tlsError(env) === undefined, {
    path: ['YAGURA_MAIL_TLS_CERT', 'YAGURA_MAIL_TLS_KEY'],
    error: ({ input }) => tlsError(input as TlsValues),
    when: always,
  })
  .refine((env) => env.YAGURA_PIGEON_LINE !== 'webhook' || isHttpAddress(env.YAGURA_PIGEON_WEBHOOK_URL), {
    path: ['YAGURA_PIGEON_WEBHOOK_URL'],
    error: 'give the http or https address of the provider',
    when: always,
  })
  .refine((env) => env.YAGURA_PIGEON_LINE !== 'webhook' || env.YAGURA_PIGEON_WEBHOOK_SECRET, {
    path: ['YAGURA_PIGEON_WEBHOOK_SECRET'],
    error: 'give the secret to sign with',
    when: always,
  })
  .refine((env) => env.YAGURA_PIGEON_LINE !== 'sip' || env.YAGURA_PIGEON_SIP_TRUNKS, {
    path: ['YAGURA_PIGEON_SIP_TRUNKS'],
    error: 'give the path of the trunk file',
    when: ({ issues }) => !issues.some(({ path }) => path?.[0] === 'YAGURA_PIGEON_SIP_TRUNKS'),
  })
  .refine((env) => !env.YAGURA_PIGEON_MOCK_PHONE || env.YAGURA_DEVELOPER_MODE, {
    path: ['YAGURA_PIGEON_MOCK_PHONE'],
    error: 'set YAGURA_DEVELOPER_MODE=on too',
    when: ({ issues }) => !issues.some(({ path }) => path?.[0] === 'YAGURA_PIGEON_MOCK_PHONE'),
  })
  .refine((env) => !env.YAGURA_OIDC_ISSUER || env.YAGURA_OIDC_CLIENT_ID, {
    path: ['YAGURA_OIDC_CLIENT_ID'],
    error: 'give the id under which the provider knows this server',
    when: always,
  })
  .refine((env) => !env.YAGURA_OIDC_ROLE_MAP || env.YAGURA_OIDC_ROLES_CLAIM, {
    path: ['YAGURA_OIDC_ROLE_MAP'],
    error: 'set YAGURA_OIDC_ROLES_CLAIM too',
    when: always,
  });

/** Runs the check although other variables are invalid. */
function always(): boolean {
  return true;
}

interface TlsValues {
  YAGURA_MAIL_TLS_CERT?: string | undefined;
  YAGURA_MAIL_TLS_KEY?: string | undefined;
}

function tlsError({ YAGURA_MAIL_TLS_CERT: cert, YAGURA_MAIL_TLS_KEY: key }: TlsValues): string | undefined {
  if (!cert || !key) return undefined;
  try {
    createSecureContext({ cert, key });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function isHttpAddress(text: string | undefined): boolean {
  return text !== undefined && URL.canParse(text) && isHttp(new URL(text));
}

/** Settings of a provider without the provider, including misspelled ones. */
function providerErrors(input: Environment): string[] {
  const stray = Object.keys(input).find((name) => name.startsWith('YAGURA_OIDC_'));
  if (stray === undefined || input.YAGURA_OIDC_ISSUER !== undefined) return [];
  return [`${stray}: set YAGURA_OIDC_ISSUER too, or neither`];
}

/** An empty variable counts as not set. */
function withoutBlanks(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
}

/** Variables of flags without a value: unlike an empty variable, such a flag was given on purpose. */
function blankFlags(given: FlagValues): string[] {
  return Object.entries(flags)
    .filter(([flag]) => given[flag as Flag]?.trim() === '')
    .map(([, name]) => name);
}

function flagVariables(given: FlagValues): Environment {
  return Object.fromEntries(
    Object.entries(flags)
      .filter(([flag]) => given[flag as Flag]?.trim())
      .map(([flag, name]) => [name, given[flag as Flag]]),
  );
}

/** Replaces the paths in `NAME_FILE` by the contents; also returns why files gave none. */
function readFiles(env: Environment) {
  const input = { ...env };
  const fromFile = new Set<string>();
  const unreadable = new Map<string, string>();
  for (const [name, schema] of Object.entries(variables)) {
    const file = env[`${name}_FILE`];
    if (file === undefined || !isFromFile(schema)) continue;
    fromFile.add(name);
    try {
      const content = readFileSync(file, 'utf8').trim();
      if (content === '') throw new Error('the file is empty');
      input[name] = content;
    } catch (error) {
      delete input[name];
      unreadable.set(name, fileFault(error));
    }
  }
  return { input, fromFile, unreadable };
}
