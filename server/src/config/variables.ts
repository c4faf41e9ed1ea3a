// Every environment variable of the server: kind, range and default. Reading, the usage text and the test of
// docs/configuration.md use this table.
import { lineKinds } from '@yagura/core/pigeon/result';
import { parseSimulatedCallee } from '@yagura/core/pigeon/simulated-callee';
import { isIpOrCidr } from '@yagura/core/validation/ip';
import { z } from 'zod';
import { logLevels } from '../common/log.ts';
import {
  days,
  integer,
  isHttp,
  list,
  listenHost,
  longSecret,
  loopbackEndpoint,
  newPassword,
  onOff,
  optionalInteger,
  optionalPort,
  origin,
  parsedBy,
  port,
  postgresqlUrl,
  secret,
  secretParsedBy,
  signingSecret,
  text,
} from '../common/variable-kinds.ts';
import { readContract } from '../contract/contract.ts';
import { createAddressGuard } from '../delivery/address-guard.ts';
import { parseMailbox } from '../delivery/mail-message.ts';
import { parseSmtpUrl } from '../delivery/smtp-url.ts';
import { externalVariables } from '../identity/external/external-settings.ts';
import { readSipSettings, SipSettingsError } from '../pigeon/sip-line/sip-settings.ts';
import { helpLinkVariables } from './help-links.ts';

export const variables = {
  PORT: port(8480),
  YAGURA_HOST: listenHost().prefault('127.0.0.1'),
  YAGURA_DATA: text().default('data'),
  YAGURA_PUBLIC_URL: origin().optional(),
  YAGURA_REPLICA_URL: origin().optional(),
  DATABASE_URL: postgresqlUrl().optional(),
  YAGURA_DATABASE_CONNECTIONS: integer({ min: 2, max: 1000, default: 10 }),
  YAGURA_SPACE_NAME: text().max(100, 'give at most 100 characters').default('Yagura'),
  YAGURA_ADMIN_EMAIL: z
    .email('give an email address')
    .max(254, 'give at most 254 characters')
    .default('admin@yagura.local'),
  YAGURA_ADMIN_PASSWORD: newPassword(),
  YAGURA_BOOTSTRAP_TOKEN: longSecret(),
  YAGURA_OUTBOUND_ALLOW: list().superRefine(parsedBy((allow) => createAddressGuard({ allow }))),
  YAGURA_SMTP_URL: secretParsedBy(parseSmtpUrl),
  YAGURA_MAIL_FROM: text().refine(parseMailbox, 'give an address, or a name and an <address>').optional(),
  YAGURA_SENDGRID_URL: origin().prefault('https://api.sendgrid.com'),
  YAGURA_MAIL_PORT: optionalPort(),
  YAGURA_MAIL_HOST: listenHost().optional(),
  YAGURA_MAIL_DOMAIN: text()
    .regex(/^[a-z0-9][a-z0-9.-]{0,200}$/i, 'give a host name such as alerts.example.com')
    .optional(),
  YAGURA_MAIL_TLS_CERT: secret(),
  YAGURA_MAIL_TLS_KEY: secret(),
  YAGURA_MAIL_MEGABYTES: integer({ min: 1, max: 30, default: 30, unit: 'megabytes' }),
  YAGURA_MAIL_CONNECTIONS: integer({ min: 1, max: 10_000, default: 200 }),
  YAGURA_MAIL_CONNECTIONS_PER_ADDRESS: integer({ min: 1, max: 10_000, default: 50 }),
  YAGURA_SLOT_RATE: integer({ min: 0, max: 10_000_000, default: 60_000, unit: 'messages per minute' }),
  YAGURA_INTAKE_JOURNAL: onOff('off'),
  YAGURA_INTAKE_MEGABYTES: integer({ min: 1, max: 10_000_000, default: 4096, unit: 'megabytes' }),
  YAGURA_INTAKE_RESERVE_MEGABYTES: integer({ min: 0, max: 10_000_000, default: 256, unit: 'megabytes' }),
  YAGURA_FAILING_NOTICE_SECONDS: integer({ min: 10, max: 86_400, default: 300, unit: 'seconds' }),
  YAGURA_AUDIT_DAYS: days(400),
  YAGURA_CANCEL_DAYS: days(14),
  YAGURA_SECRET: longSecret(),
  YAGURA_LOG_LEVEL: z.enum(logLevels, { error: `give one of ${logLevels.join(', ')}` }).default('info'),
  YAGURA_PIGEON_LINE: z.enum(lineKinds, { error: `give one of ${lineKinds.join(', ')}` }).optional(),
  YAGURA_PIGEON_LINES: integer({ min: 1, max: 1000, default: 2 }),
  YAGURA_PIGEON_SIMULATOR: text()
    .refine(parseSimulatedCallee, {
      error: 'give key:1 to key:9, noAnswer, noInput, busy, unreachable or hangsUp',
    })
    .default('key:1'),
  YAGURA_PIGEON_WEBHOOK_URL: text().optional(),
  YAGURA_PIGEON_WEBHOOK_SECRET: signingSecret(),
  YAGURA_PIGEON_SIP_TRUNKS: text().optional().transform(loadSipSettings),
  YAGURA_PIGEON_MOCK_PHONE: loopbackEndpoint(),
  YAGURA_PIGEON_VOICE_JA: text().optional(),
  YAGURA_PIGEON_VOICE_URL: text()
    .refine((given) => URL.canParse(given) && isHttp(new URL(given)), 'give an http or https address')
    .optional(),
  YAGURA_PIGEON_VOICE_TOKEN: secret(),
  ...helpLinkVariables,
  YAGURA_CONTRACT_FILE: text().optional().transform(loadContract),
  YAGURA_TRUSTED_PROXIES: list().superRefine((proxies, { addIssue }) => {
    const wrong = proxies.find((proxy) => !isIpOrCidr(proxy));
    if (wrong !== undefined) addIssue(`${wrong} is neither an address nor a CIDR`);
    const everybody = proxies.find((proxy) => /\/0+$/.test(proxy));
    if (everybody !== undefined)
      addIssue(`${everybody} contains every client, which could then forge its address: list the proxies`);
  }),
  YAGURA_CONNECTIONS: optionalInteger({ min: 1, max: 1_000_000 }),
  YAGURA_CONNECTIONS_PER_ADDRESS: optionalInteger({ min: 1, max: 1_000_000 }),
  YAGURA_METRICS_TOKEN: longSecret(),
  YAGURA_IP_RESTRICTION: onOff('on'),
  YAGURA_DEVELOPER_MODE: onOff('off'),
  ...externalVariables,
};

function loadContract(path: string | undefined, context: z.RefinementCtx) {
  try {
    return readContract(path);
  } catch (error) {
    context.addIssue((error as Error).message);
    return z.NEVER;
  }
}

function loadSipSettings(path: string | undefined, context: z.RefinementCtx) {
  try {
    return path === undefined ? undefined : readSipSettings(path);
  } catch (error) {
    if (!(error instanceof SipSettingsError)) throw error;
    for (const problem of error.problems) context.addIssue(problem);
    return z.NEVER;
  }
}
