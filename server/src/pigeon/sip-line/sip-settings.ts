// The file of the sip line (YAGURA_PIGEON_SIP_TRUNKS): trunks in the order in which they are tried, addresses and
// ports. Messages never repeat a value, which may be a password.
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { fileFault } from '../../common/variable-kinds.ts';
import { numberRulesSchema } from './number-rules.ts';

const maxTrunks = 10;
const hostName = /^[a-z0-9]([a-z0-9.-]{0,250}[a-z0-9])?$/i;

const text = (max: number) => z.string().min(1).max(max);
const port = () => z.int().min(1).max(65_535);
const address = () => z.string().refine((given) => isIP(given) > 0, 'give an IP address');
const host = () =>
  z.string().refine((given) => isIP(given) > 0 || hostName.test(given), 'give a host name or an IP address');
/** No characters with a meaning in SIP headers. */
const account = () =>
  z
    .string()
    .max(100)
    .regex(/^[\w.+*#~!-]*$/, 'give letters, digits and . _ - + only');

const trunk = z
  .strictObject({
    name: z.string().regex(/^[\w.-]{1,30}$/, 'give up to 30 letters, digits, . _ or -'),
    transport: z.enum(['udp', 'tcp', 'tls']).default('udp'),
    host: host(),
    port: port().optional(),
    domain: host().optional(),
    user: account().default(''),
    password: z
      .string()
      .max(200)
      .regex(/^[^\r\n\0]*$/, 'give one line')
      .default(''),
    callerId: account().min(1),
    registers: z.boolean().optional(),
    expiresSeconds: z.int().min(60).max(86_400).default(600),
    outboundProxy: text(260).optional(),
    allowedAddresses: z.array(address()).max(50).default([]),
    /** Path of certificates in PEM, relative to this file. */
    caFile: text(4096).optional(),
    servername: host().optional(),
    refer: z.boolean().default(false),
    srtp: z.enum(['never', 'offered', 'required']).default('never'),
    numbers: numberRulesSchema.prefault({}),
    limits: z
      .strictObject({
        callsPerSecond: z.int().min(1).max(100).default(5),
        callsAtOnce: z.int().min(1).max(1000).default(30),
        callsPerDay: z.int().min(1).max(1_000_000).default(1000),
      })
      .prefault({}),
  })
  .refine((one) => !one.registers || one.user !== '', {
    path: ['user'],
    error: 'give the account to register',
  })
  .refine((one) => one.user === '' || one.password !== '', {
    path: ['password'],
    error: 'give the password',
  });

const fileSchema = z
  .strictObject({
    local: z
      .strictObject({ address: address().default('0.0.0.0'), port: port().or(z.literal(0)).default(5060) })
      .prefault({}),
    publicAddress: address().optional(),
    rtpPorts: z
      .strictObject({ first: port().min(1024), last: port() })
      .refine(({ first, last }) => last - first >= 1, 'give at least two ports')
      .optional(),
    trunks: z.array(trunk).min(1).max(maxTrunks),
  })
  .superRefine(({ trunks }, { addIssue }) => {
    for (const [at, { name }] of trunks.entries())
      if (trunks.findIndex((one) => one.name === name) < at)
        addIssue({ code: 'custom', path: ['trunks', at, 'name'], message: 'another trunk has this name' });
  });

type SettingsFile = z.output<typeof fileSchema>;
export type TrunkSettings = Omit<SettingsFile['trunks'][number], 'domain' | 'registers' | 'caFile'> & {
  domain: string;
  registers: boolean;
  ca: string | undefined;
};
export type SipSettings = Omit<SettingsFile, 'trunks'> & { trunks: TrunkSettings[] };

/** Every error in a settings file, each with the path of its field. */
export class SipSettingsError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('; '));
    this.problems = problems;
  }
}

/** Reads a settings file that only its owner and group can read. Throws SipSettingsError with all errors. */
export function readSipSettings(path: string): SipSettings {
  let content: unknown;
  try {
    const { mode } = statSync(path);
    if (process.platform !== 'win32' && (mode & 0o027) !== 0)
      throw new SipSettingsError([
        'the file contains passwords, but others can read it or its group can write it: chmod 600 it',
      ]);
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof SipSettingsError) throw error;
    // The message of the parser repeats parts of the file.
    throw new SipSettingsError([error instanceof SyntaxError ? 'the file is not JSON' : fileFault(error)]);
  }
  return parseSipSettings(content, (file) => readFileSync(resolve(dirname(path), file), 'utf8'));
}

export function parseSipSettings(content: unknown, readText: (file: string) => string): SipSettings {
  const parsed = fileSchema.safeParse(content);
  if (!parsed.success)
    throw new SipSettingsError(
      parsed.error.issues.map(({ path, message }) => `${formatPath(path)}: ${message}`),
    );
  const problems: string[] = [];
  const trunks = parsed.data.trunks.map(({ caFile, ...rest }, at): TrunkSettings => {
    let ca: string | undefined;
    try {
      ca = caFile && readText(caFile);
    } catch (error) {
      problems.push(`trunks[${at}].caFile: ${fileFault(error)}`);
    }
    return { ...rest, ca, domain: rest.domain ?? rest.host, registers: rest.registers ?? rest.user !== '' };
  });
  if (problems.length > 0) throw new SipSettingsError(problems);
  return { ...parsed.data, trunks };
}

function formatPath(path: readonly PropertyKey[]): string {
  const joined = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return joined.replace(/^\./, '') || 'the file';
}
