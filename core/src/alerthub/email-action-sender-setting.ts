import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

export const senderProviders = ['smtp', 'sendgrid'] as const;
export const smtpAuthentications = ['none', 'plain', 'cram-md5'] as const;
export const smtpSecurities = ['plain', 'tls', 'starttls'] as const;

/** Write-only and stored encrypted. If omitted in an edit, the stored one is kept. */
const secret = () => field.withKind('secret', z.string().max(1024)).optional();

export const smtpParameters = z.object({
  host: field.withKind(
    'text',
    z
      .string()
      .trim()
      .min(1)
      .max(253)
      .regex(/^[^\s/@]+$/),
  ),
  port: field.numericId(1, 65_535).default(587),
  security: field.choice(smtpSecurities).default('starttls'),
  authentication: field.choice(smtpAuthentications).default('plain'),
  username: field.text(255).default(''),
  password: secret(),
});
export type SmtpParameters = z.output<typeof smtpParameters>;

export const sendgridParameters = z.object({ apiKey: secret() });
export type SendgridParameters = z.output<typeof sendgridParameters>;

/** The secret parameter of each provider. */
export const secretOf = { smtp: 'password', sendgrid: 'apiKey' } as const;

const parametersOf = { smtp: smtpParameters, sendgrid: sendgridParameters };

const body = {
  /** Defaults to the name or address of the sender. */
  displayName: field.optionalDisplayName().default(''),
  remarks: field.remarks(),
  from: field.object({ name: field.text(255).default(''), email: field.email() }),
  provider: field.choice(senderProviders),
  parameters: field.variant<SmtpParameters | SendgridParameters>('provider', parametersOf),
};

/** Sender settings of email actions, as an alternative to the server's default sender. */
export const emailActionSenderSetting = defineResource({
  app: 'alerthub',
  name: 'email-action-sender-setting',
  noun: { en: ['email sender', 'email senders'], ja: 'メール送信設定' },
  path: '/api/apps/alerthub/email-action-sender/settings',
  screen: '/apps/alerthub/settings/email-action-senders',
  listPage: 'linked',
  id: 'emailActionSenderSettingId',
  title: 'displayName',
  shape: z.object({
    emailActionSenderSettingId: field.uuid(),
    ...body,
    /** Whether a password or key is stored. */
    hasSecret: field.flag(),
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: z.object(body).check(field.checkVariant('parameters', 'provider', parametersOf)),
  update: 'patch',
  verbs: ['list', 'show', 'create', 'edit', 'remove'],
  columns: ['displayName', 'from', 'provider', 'createdAt', 'updatedAt'],
  detail: ['from', 'provider', 'parameters', 'hasSecret', 'createdAt', 'updatedAt'],
  filterable: ['emailActionSenderSettingId', 'displayName', 'provider', 'createdAt', 'updatedAt'],
  sortable: ['emailActionSenderSettingId', 'displayName', 'provider', 'createdAt', 'updatedAt'],
  permission: 'alerthub:email-action-senders',
});
