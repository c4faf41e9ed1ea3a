// Parses and validates the configuration at start: command-line flags override environment variables, which
// override defaults.
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { parseArgs } from 'node:util';
import { type LineKind, lineKinds } from '@yagura/core/pigeon/result';
import { isIpOrCidr } from '@yagura/core/validation/ip';
import { type Contract, readContract } from '../contract/contract.ts';
import { type ExternalSettings, readExternalSettings } from '../identity/external/external-settings.ts';
import { parseSimulatedCallee } from '../pigeon/simulated-line.ts';
import { type ConnectionLimits, defaultConnectionLimits, readMaxOpenFiles } from './connection-limits.ts';
import { type HelpLinks, readHelpLinks } from './help-links.ts';

export interface Config {
  host: string;
  port: number;
  /** Origin under which users and senders reach the server; completed with the actual port when it was 0. */
  publicUrl: string | undefined;
  dataFolder: string;
  databaseUrl: string | undefined;
  adminEmail: string;
  adminPassword: string | undefined;
  bootstrapToken: string | undefined;
  /** CIDRs, addresses or hosts that webhook actions may reach even though they are private. */
  outboundAllow: string[];
  smtpUrl: string | undefined;
  mailFrom: string | undefined;
  /** Origin of the SendGrid API. */
  sendgridUrl: string;
  spaceName: string;
  /** Installation secret; generated and stored in the database when absent. */
  secret: string | undefined;
  /** Audit log retention in days; 0 for unlimited. */
  auditDays: number;
  /** Days between cancellation of the space and its deletion. */
  cancelDays: number;
  helpLinks: HelpLinks;
  /** Shows developer tools to every user. */
  developerMode: boolean;
  /** Addresses and CIDRs of reverse proxies whose X-Forwarded-For header is trusted. */
  trustedProxies: string[];
  /** Limits on connections to the public port. */
  connectionLimits: ConnectionLimits;
  /** Bearer token of the metrics endpoint, which is off without one. */
  metricsToken: string | undefined;
  /** False disables the space's IP restriction, for administrators who locked themselves out. */
  ipRestriction: boolean;
  /** Price plan and tickets, read from the contract file. */
  contract: Contract;
  pigeon: PigeonConfig;
  /** External identity provider, used beside or instead of the embedded one. */
  external: ExternalSettings | undefined;
  mailIn: MailInConfig;
  /** Messages per minute accepted by one receive slot; 0 for unlimited. */
  slotRatePerMinute: number;
  /** Seconds after which the notification addresses are informed about a continuously failing delivery. */
  failingNoticeAfterSeconds: number;
  intake: IntakeConfig;
}

/** Limits of the intake journal, which buffers messages until they are in the database (embedded engine). */
export interface IntakeConfig {
  /** Maximum bytes of buffered messages. */
  maxWaitingBytes: number;
  /** Bytes kept free on the journal's disk. */
  reserveBytes: number;
}

/** Inbound mail for receive slots (docs/mail-in.md). */
export interface MailInConfig {
  /** SMTP port; no listener when absent. */
  port: number | undefined;
  host: string;
  /** Domain of the slots' mail addresses; defaults to the host of the public URL. */
  domain: string | undefined;
  tls: { key: string; cert: string } | undefined;
  /** Maximum size of one mail in bytes. */
  size: number;
  connections: number;
  connectionsPerAddress: number;
}

/** Phone call settings (docs/pigeon-lines.md). */
export interface PigeonConfig {
  line: LineKind | undefined;
  /** Maximum number of concurrent call chains. */
  maxConcurrentChains: number;
  /** Reaction of a simulated callee whose number does not select one. */
  simulator: string;
  webhookUrl: string | undefined;
  webhookSecret: Uint8Array | undefined;
}

/** Environment variables. */
export type Environment = Record<string, string | undefined>;

/** An invalid configuration or command line. */
export class ConfigError extends Error {
  /** Usage text of the command. */
  readonly usage: string;

  constructor(reason: string, how = usage) {
    super(reason);
    this.usage = how;
  }
}

export const usage = `Usage: yagura-server [--port N] [--host ADDRESS] [--data FOLDER] [--mail-port N]
       yagura-server audit verify [--head HEAD] [--data FOLDER]
       yagura-server space create|host|list …   (run without arguments for help)
       yagura-server journal list|show|resubmit …   (run without arguments for help)
       yagura-server database copy …   (run without arguments for help)
       yagura-server person reset|second-factor|move …   (run without arguments for help)
       yagura-server receive-mail --slot ADDRESS [--server URL] < mail

Environment: PORT, YAGURA_HOST, YAGURA_DATA, YAGURA_PUBLIC_URL, DATABASE_URL, YAGURA_SPACE_NAME,
YAGURA_ADMIN_EMAIL, YAGURA_ADMIN_PASSWORD[_FILE], YAGURA_BOOTSTRAP_TOKEN[_FILE], YAGURA_OUTBOUND_ALLOW,
YAGURA_SMTP_URL[_FILE], YAGURA_MAIL_FROM, YAGURA_SENDGRID_URL, YAGURA_SECRET[_FILE], YAGURA_{GUIDE,PRODUCT,SUPPORT,PRIVACY,TERMS}_URL,
YAGURA_PLAN_SUPPORT_MARKER, YAGURA_PLAN_SUPPORT_URL, YAGURA_CONTRACT_FILE,
YAGURA_TRUSTED_PROXIES, YAGURA_CONNECTIONS, YAGURA_CONNECTIONS_PER_ADDRESS, YAGURA_METRICS_TOKEN[_FILE], YAGURA_IP_RESTRICTION, YAGURA_DEVELOPER_MODE,
YAGURA_AUDIT_DAYS, YAGURA_CANCEL_DAYS, YAGURA_SLOT_RATE, YAGURA_FAILING_NOTICE_SECONDS,
YAGURA_INTAKE_MEGABYTES, YAGURA_INTAKE_RESERVE_MEGABYTES,
YAGURA_OIDC_{ISSUER,CLIENT_ID,CLIENT_SECRET[_FILE],NAME,SCOPE,HOSTS,PASSWORDS,SIGN_OUT,CREATE_USERS,TRUST_EMAIL,PRIVILEGED_CLAIM,ROLES_CLAIM,ROLE_MAP},
YAGURA_MAIL_PORT, YAGURA_MAIL_HOST, YAGURA_MAIL_DOMAIN, YAGURA_MAIL_TLS_CERT_FILE, YAGURA_MAIL_TLS_KEY_FILE,
YAGURA_MAIL_MEGABYTES, YAGURA_MAIL_CONNECTIONS, YAGURA_MAIL_CONNECTIONS_PER_ADDRESS,
YAGURA_PIGEON_LINE, YAGURA_PIGEON_LINES, YAGURA_PIGEON_SIMULATOR, YAGURA_PIGEON_WEBHOOK_URL, YAGURA_PIGEON_WEBHOOK_SECRET[_FILE]. See docs/configuration.md.`;

export function readConfig(args: string[], env: Environment): Config & { help: boolean; version: boolean } {
  const { values } = parseFlags(args);
  const port = Number(values.port ?? env.PORT ?? 8480);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new ConfigError('--port: give a number from 0 to 65535');
  return {
    help: values.help ?? false,
    version: values.version ?? false,
    host: values.host ?? env.YAGURA_HOST ?? '127.0.0.1',
    port,
    publicUrl: readOrigin(env.YAGURA_PUBLIC_URL, 'YAGURA_PUBLIC_URL'),
    dataFolder: values.data ?? env.YAGURA_DATA ?? 'data',
    databaseUrl: env.DATABASE_URL || undefined,
    adminEmail: env.YAGURA_ADMIN_EMAIL || 'admin@yagura.local',
    adminPassword: readSecret(env, 'YAGURA_ADMIN_PASSWORD'),
    bootstrapToken: readLongSecret(env, 'YAGURA_BOOTSTRAP_TOKEN'),
    outboundAllow: (env.YAGURA_OUTBOUND_ALLOW ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
    smtpUrl: readSecret(env, 'YAGURA_SMTP_URL'),
    mailFrom: env.YAGURA_MAIL_FROM || undefined,
    sendgridUrl: readOrigin(env.YAGURA_SENDGRID_URL, 'YAGURA_SENDGRID_URL') ?? 'https://api.sendgrid.com',
    spaceName: env.YAGURA_SPACE_NAME || 'Yagura',
    secret: readLongSecret(env, 'YAGURA_SECRET'),
    auditDays: readDays(env, 'YAGURA_AUDIT_DAYS', 400),
    cancelDays: readDays(env, 'YAGURA_CANCEL_DAYS', 14),
    helpLinks: readHelpLinks(env, (reason) => new ConfigError(reason)),
    trustedProxies: parseProxies(env.YAGURA_TRUSTED_PROXIES),
    connectionLimits: readConnectionLimits(env),
    metricsToken: readLongSecret(env, 'YAGURA_METRICS_TOKEN'),
    ipRestriction: readSwitch(env, 'YAGURA_IP_RESTRICTION', 'on'),
    developerMode: readSwitch(env, 'YAGURA_DEVELOPER_MODE', 'off'),
    contract: loadContract(env.YAGURA_CONTRACT_FILE),
    pigeon: readPigeonConfig(env),
    external: readExternalSettings(env, {
      refuse: (reason) => new ConfigError(reason),
      secret: (name) => readSecret(env, name),
    }),
    mailIn: readMailInConfig(values['mail-port'], values.host, env),
    slotRatePerMinute: readInteger(env, 'YAGURA_SLOT_RATE', 60_000, 0, 10_000_000),
    failingNoticeAfterSeconds: readInteger(env, 'YAGURA_FAILING_NOTICE_SECONDS', 300, 10, 86_400),
    intake: {
      maxWaitingBytes: readInteger(env, 'YAGURA_INTAKE_MEGABYTES', 4096, 1, 10_000_000) * 2 ** 20,
      reserveBytes: readInteger(env, 'YAGURA_INTAKE_RESERVE_MEGABYTES', 256, 0, 10_000_000) * 2 ** 20,
    },
  };
}

/** Defaults follow from the maximum number of open files of this process. */
function readConnectionLimits(env: Environment): ConnectionLimits {
  const defaults = defaultConnectionLimits(readMaxOpenFiles());
  return {
    connections: readInteger(env, 'YAGURA_CONNECTIONS', defaults.connections, 1, 1_000_000),
    connectionsPerAddress: readInteger(
      env,
      'YAGURA_CONNECTIONS_PER_ADDRESS',
      defaults.connectionsPerAddress,
      1,
      1_000_000,
    ),
  };
}

function readMailInConfig(
  flag: string | undefined,
  host: string | undefined,
  env: Environment,
): MailInConfig {
  const portText = flag ?? env.YAGURA_MAIL_PORT;
  const port = portText && portText !== 'off' ? Number(portText) : undefined;
  if (port !== undefined && (!Number.isInteger(port) || port < 0 || port > 65_535))
    throw new ConfigError('--mail-port, YAGURA_MAIL_PORT: give a number from 0 to 65535, or off');
  const domain = env.YAGURA_MAIL_DOMAIN || undefined;
  if (domain !== undefined && !/^[a-z0-9][a-z0-9.-]{0,200}$/i.test(domain))
    throw new ConfigError('YAGURA_MAIL_DOMAIN: give a host name such as alerts.example.com');
  const cert = readSecret(env, 'YAGURA_MAIL_TLS_CERT');
  const key = readSecret(env, 'YAGURA_MAIL_TLS_KEY');
  if ((cert === undefined) !== (key === undefined))
    throw new ConfigError('YAGURA_MAIL_TLS_CERT_FILE, YAGURA_MAIL_TLS_KEY_FILE: give both or neither');
  if (cert !== undefined && key !== undefined) checkTlsPair(cert, key);
  return {
    port,
    host: env.YAGURA_MAIL_HOST || host || env.YAGURA_HOST || '127.0.0.1',
    domain,
    tls: cert !== undefined && key !== undefined ? { cert, key } : undefined,
    size: readInteger(env, 'YAGURA_MAIL_MEGABYTES', 30, 1, 30) << 20,
    connections: readInteger(env, 'YAGURA_MAIL_CONNECTIONS', 200, 1, 10_000),
    connectionsPerAddress: readInteger(env, 'YAGURA_MAIL_CONNECTIONS_PER_ADDRESS', 50, 1, 10_000),
  };
}

function checkTlsPair(cert: string, key: string): void {
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new ConfigError(`YAGURA_MAIL_TLS_CERT_FILE, YAGURA_MAIL_TLS_KEY_FILE: ${(error as Error).message}`);
  }
}

function readPigeonConfig(env: Environment): PigeonConfig {
  const line = lineKinds.find((kind) => kind === env.YAGURA_PIGEON_LINE);
  if (env.YAGURA_PIGEON_LINE && !line)
    throw new ConfigError(`YAGURA_PIGEON_LINE: give one of ${lineKinds.join(', ')}`);
  const maxConcurrentChains = Number(env.YAGURA_PIGEON_LINES || 2);
  if (!Number.isInteger(maxConcurrentChains) || maxConcurrentChains < 1 || maxConcurrentChains > 1000)
    throw new ConfigError('YAGURA_PIGEON_LINES: give a number from 1 to 1000');
  const simulator = env.YAGURA_PIGEON_SIMULATOR || 'key:1';
  if (!parseSimulatedCallee(simulator))
    throw new ConfigError(
      'YAGURA_PIGEON_SIMULATOR: give key:1 to key:9, noAnswer, noInput, busy, unreachable or hangsUp',
    );
  const webhookUrl = env.YAGURA_PIGEON_WEBHOOK_URL || undefined;
  const webhookSecret = readSigningSecret(env, 'YAGURA_PIGEON_WEBHOOK_SECRET');
  if (line === 'webhook') {
    if (!webhookUrl || !/^https?:$/.test(URL.canParse(webhookUrl) ? new URL(webhookUrl).protocol : ''))
      throw new ConfigError('YAGURA_PIGEON_WEBHOOK_URL: give the http or https address of the provider');
    if (!webhookSecret) throw new ConfigError('YAGURA_PIGEON_WEBHOOK_SECRET: give the secret to sign with');
  }
  return { line, maxConcurrentChains, simulator, webhookUrl, webhookSecret };
}

/** A Standard Webhooks secret: base64 with or without `whsec_`, 24 to 64 bytes. */
function readSigningSecret(env: Environment, name: string): Uint8Array | undefined {
  const text = readSecret(env, name);
  if (text === undefined) return undefined;
  const bytes = Buffer.from(text.replace(/^whsec_/, ''), 'base64');
  if (bytes.length < 24 || bytes.length > 64)
    throw new ConfigError(`${name}: give 24 to 64 bytes in base64, with or without whsec_ before them`);
  return bytes;
}

function parseFlags(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        port: { type: 'string' },
        host: { type: 'string' },
        data: { type: 'string' },
        'mail-port': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
}

/** Reads a value given directly or as the path of a file that contains it. */
function readSecret(env: Environment, name: string): string | undefined {
  const file = env[`${name}_FILE`];
  if (!file) return env[name] || undefined;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new ConfigError(`${name}_FILE: ${(error as NodeJS.ErrnoException).code}`);
  }
}

function parseProxies(text: string | undefined): string[] {
  const proxies = (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  const wrong = proxies.find((proxy) => !isIpOrCidr(proxy));
  if (wrong !== undefined)
    throw new ConfigError(`YAGURA_TRUSTED_PROXIES: ${wrong} is neither an address nor a CIDR`);
  return proxies;
}

function readSwitch(env: Environment, name: string, fallback: 'on' | 'off'): boolean {
  const text = env[name] || fallback;
  if (text !== 'on' && text !== 'off') throw new ConfigError(`${name}: give on or off`);
  return text === 'on';
}

function loadContract(path: string | undefined): Contract {
  try {
    return readContract(path);
  } catch (error) {
    throw new ConfigError(`YAGURA_CONTRACT_FILE: ${(error as Error).message}`);
  }
}

function readLongSecret(env: Environment, name: string): string | undefined {
  const value = readSecret(env, name);
  if (value !== undefined && value.length < 32) throw new ConfigError(`${name}: give at least 32 characters`);
  return value;
}

function readInteger(env: Environment, name: string, defaultValue: number, min: number, max: number): number {
  const value = Number(env[name] || defaultValue);
  if (!Number.isInteger(value) || value < min || value > max)
    throw new ConfigError(`${name}: give a whole number from ${min} to ${max}`);
  return value;
}

function readDays(env: Environment, name: string, defaultValue: number): number {
  const value = Number(env[name] || defaultValue);
  if (!Number.isInteger(value) || value < 0 || value > 36_500)
    throw new ConfigError(`${name}: give days from 0 (for ever) to 36500`);
  return value;
}

function readOrigin(text: string | undefined, name: string): string | undefined {
  if (!text) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/') {
    throw new ConfigError(`${name}: give an origin such as https://alerts.example.com`);
  }
  return url.origin;
}
