// Reads the configuration at start: command-line flags override environment variables, which override
// defaults. All errors are reported together, each with the name of its variable.
import { parseArgs } from 'node:util';
import type { LineKind } from '@yagura/core/pigeon/result';
import type { LogLevel } from '../common/log.ts';
import { isFromFile } from '../common/variable-kinds.ts';
import type { Contract } from '../contract/contract.ts';
import {
  type ConnectionLimits,
  defaultConnectionLimits,
  readMaxOpenFiles,
} from '../http/connection-limits.ts';
import { type ExternalSettings, toExternalSettings } from '../identity/external/external-settings.ts';
import type { PhoneAddress } from '../pigeon/mock-phone/phone-messages.ts';
import type { SipSettings } from '../pigeon/sip-line/sip-settings.ts';
import type { VoiceSettings } from '../pigeon/voice/voice-settings.ts';
import { type Environment, type EnvironmentValues, parseEnvironment } from './environment.ts';
import { type HelpLinks, toHelpLinks } from './help-links.ts';
import { variables } from './variables.ts';

export type { Environment } from './environment.ts';

export interface Config {
  host: string;
  port: number;
  /** Origin under which users and senders reach the server; completed with the actual port when it was 0. */
  publicUrl: string | undefined;
  /** Address at which other replicas of the server reach this one. */
  replicaUrl: string | undefined;
  dataFolder: string;
  databaseUrl: string | undefined;
  /** Maximum connections to PostgreSQL; each server uses one more to listen. */
  databaseConnections: number;
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

/** The intake journal, which buffers acknowledged messages until they are in the database. */
export interface IntakeConfig {
  /** With PostgreSQL as well; the embedded engine always has a journal. */
  journal: boolean;
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
  /** Settings of the sip line. */
  sip: SipSettings | undefined;
  /** Where developers' mock phone is called; none if absent. */
  mockPhone?: PhoneAddress | undefined;
  /** Voices of lines with audio (docs/pigeon-voices.md). */
  voice: VoiceSettings;
}

/** An invalid configuration or command line. */
export class ConfigError extends Error {
  /** Usage text of the command. */
  readonly usage: string;

  constructor(reason: string, how = usage) {
    super(reason);
    this.usage = how;
  }
}

const variableNames = Object.entries(variables)
  .map(([name, schema]) => (isFromFile(schema) ? `${name}[_FILE]` : name))
  .join(', ')
  .replaceAll(/(.{1,110})(?: |$)/g, '$1\n')
  .trimEnd();

export const usage = `Usage: yagura-server [--port N] [--host ADDRESS] [--data FOLDER] [--mail-port N]
       yagura-server audit verify …
       yagura-server space create|host|list …
       yagura-server journal list|show|resubmit …
       yagura-server database copy …
       yagura-server person reset|second-factor|move …
       yagura-server secret replace …
       yagura-server receive-mail …
       yagura-server COMMAND --help

Environment:
${variableNames}
See docs/configuration.md.`;

/** Whether the flags ask for the usage or the version, which are told whatever the settings are. */
export function readQuestion(args: string[]): 'help' | 'version' | undefined {
  const { help, version } = parseFlags(args);
  return help ? 'help' : version ? 'version' : undefined;
}

export function readConfig(args: string[], env: Environment): Config {
  const { help: _help, version: _version, ...given } = parseFlags(args);
  const parsed = parseEnvironment(given, env);
  if ('errors' in parsed) throw new ConfigError(parsed.errors.join('\n'));
  return toConfig(parsed.values);
}

/** Log level until the configuration has been read; an invalid one is reported when it is read. */
export function readLogLevel(env: Environment): LogLevel {
  return variables.YAGURA_LOG_LEVEL.safeParse(env.YAGURA_LOG_LEVEL).data ?? 'info';
}

function toConfig(values: EnvironmentValues): Config {
  return {
    host: values.YAGURA_HOST,
    port: values.PORT,
    publicUrl: values.YAGURA_PUBLIC_URL,
    replicaUrl: values.YAGURA_REPLICA_URL,
    dataFolder: values.YAGURA_DATA,
    databaseUrl: values.DATABASE_URL,
    databaseConnections: values.YAGURA_DATABASE_CONNECTIONS,
    adminEmail: values.YAGURA_ADMIN_EMAIL,
    adminPassword: values.YAGURA_ADMIN_PASSWORD,
    bootstrapToken: values.YAGURA_BOOTSTRAP_TOKEN,
    outboundAllow: values.YAGURA_OUTBOUND_ALLOW,
    smtpUrl: values.YAGURA_SMTP_URL,
    mailFrom: values.YAGURA_MAIL_FROM,
    sendgridUrl: values.YAGURA_SENDGRID_URL,
    spaceName: values.YAGURA_SPACE_NAME,
    secret: values.YAGURA_SECRET,
    auditDays: values.YAGURA_AUDIT_DAYS,
    cancelDays: values.YAGURA_CANCEL_DAYS,
    helpLinks: toHelpLinks(values),
    trustedProxies: values.YAGURA_TRUSTED_PROXIES,
    connectionLimits: toConnectionLimits(values),
    metricsToken: values.YAGURA_METRICS_TOKEN,
    ipRestriction: values.YAGURA_IP_RESTRICTION,
    developerMode: values.YAGURA_DEVELOPER_MODE,
    contract: values.YAGURA_CONTRACT_FILE,
    pigeon: {
      line: values.YAGURA_PIGEON_LINE,
      maxConcurrentChains: values.YAGURA_PIGEON_LINES,
      simulator: values.YAGURA_PIGEON_SIMULATOR,
      webhookUrl: values.YAGURA_PIGEON_WEBHOOK_URL,
      webhookSecret: values.YAGURA_PIGEON_WEBHOOK_SECRET,
      sip: values.YAGURA_PIGEON_SIP_TRUNKS,
      mockPhone: values.YAGURA_PIGEON_MOCK_PHONE,
      voice: {
        voiceJa: values.YAGURA_PIGEON_VOICE_JA,
        voiceUrl: values.YAGURA_PIGEON_VOICE_URL,
        voiceToken: values.YAGURA_PIGEON_VOICE_TOKEN,
      },
    },
    external: toExternalSettings(values),
    mailIn: toMailInConfig(values),
    slotRatePerMinute: values.YAGURA_SLOT_RATE,
    failingNoticeAfterSeconds: values.YAGURA_FAILING_NOTICE_SECONDS,
    intake: {
      journal: values.YAGURA_INTAKE_JOURNAL,
      maxWaitingBytes: values.YAGURA_INTAKE_MEGABYTES * 2 ** 20,
      reserveBytes: values.YAGURA_INTAKE_RESERVE_MEGABYTES * 2 ** 20,
    },
  };
}

/** Defaults follow from the maximum number of open files of this process. */
function toConnectionLimits(values: EnvironmentValues): ConnectionLimits {
  const { connections, connectionsPerAddress } = defaultConnectionLimits(readMaxOpenFiles());
  return {
    connections: values.YAGURA_CONNECTIONS ?? connections,
    connectionsPerAddress: values.YAGURA_CONNECTIONS_PER_ADDRESS ?? connectionsPerAddress,
  };
}

function toMailInConfig(values: EnvironmentValues): MailInConfig {
  const { YAGURA_MAIL_TLS_CERT: cert, YAGURA_MAIL_TLS_KEY: key } = values;
  return {
    port: values.YAGURA_MAIL_PORT,
    host: values.YAGURA_MAIL_HOST ?? values.YAGURA_HOST,
    domain: values.YAGURA_MAIL_DOMAIN,
    tls: cert !== undefined && key !== undefined ? { cert, key } : undefined,
    size: values.YAGURA_MAIL_MEGABYTES * 2 ** 20,
    connections: values.YAGURA_MAIL_CONNECTIONS,
    connectionsPerAddress: values.YAGURA_MAIL_CONNECTIONS_PER_ADDRESS,
  };
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
    }).values;
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
}
