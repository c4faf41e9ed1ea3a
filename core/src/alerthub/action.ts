import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

export const webhookMethods = ['GET', 'POST', 'HEAD', 'PUT', 'PATCH', 'DELETE'] as const;

/** Header names are tokens (RFC 9110 section 5.6.2); values are single-line templates. */
const headers = () =>
  field.withKind(
    'key-values',
    z.record(
      z.string().regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/),
      z
        .string()
        .max(8192)
        .regex(/^[^\r\n\0]*$/),
    ),
  );

export const webhookParameters = z.object({
  url: field.url(),
  method: field.choice(webhookMethods).default('POST'),
  headers: headers().default({}),
  body: field.template(1_048_576).default(''),
});

/**
 * A webhook sent by an on-site agent, for targets that only the agent can reach; requires a subscription
 * ticket.
 */
export const onPremisesParameters = z.object({
  ksocketSlotId: field.reference('ksocket-slot'),
  ...webhookParameters.shape,
});

const mailbox = z.object({ name: field.text(255).default(''), email: field.email() });

export const emailParameters = z.object({
  /** Null for the server's default email sender. */
  emailActionSenderSettingId: field.reference('email-action-sender-setting').nullable().default(null),
  to: field.list(mailbox, 100).min(1),
  cc: field.list(mailbox, 100).default([]),
  bcc: field.list(mailbox, 100).default([]),
  subject: field.template(1000),
  text: field.template(1_048_576).default(''),
});

/** A call chain; its parameters are all values that the templates of other kinds can read. */
export const pigeonParameters = z.object({
  callflowId: field.reference('callflow'),
  guidanceId: field.reference('guidance'),
});

const parameterSchemas = {
  webhook: webhookParameters,
  email: emailParameters,
  pigeon: pigeonParameters,
  webhookOnPremises: onPremisesParameters,
};
export const actionKinds = ['webhook', 'email', 'pigeon', 'webhookOnPremises'] as const;
export type WebhookParameters = z.output<typeof webhookParameters>;
export type OnPremisesParameters = z.output<typeof onPremisesParameters>;
export type EmailParameters = z.output<typeof emailParameters>;
export type PigeonParameters = z.output<typeof pigeonParameters>;

const body = {
  displayName: field.displayName(),
  remarks: field.remarks(),
  kind: field.choice(actionKinds),
  parameters: field.variant<WebhookParameters | EmailParameters | PigeonParameters | OnPremisesParameters>(
    'kind',
    parameterSchemas,
  ),
};

export const action = defineResource({
  app: 'alerthub',
  name: 'action',
  noun: { en: ['action', 'actions'], ja: 'アクション' },
  path: '/api/apps/alerthub/actions',
  screen: '/apps/alerthub/actions',
  id: 'actionId',
  title: 'displayName',
  shape: z.object({
    actionId: field.uuid(),
    ...body,
    /** Why no delivery can succeed with the current settings of the server, in the caller's language. */
    deliveryWarning: field.text(500).nullable(),
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: z.object(body).check(field.checkVariant('parameters', 'kind', parameterSchemas)),
  verbs: ['list', 'show', 'create', 'edit', 'remove'],
  columns: ['displayName', 'kind', 'createdAt', 'updatedAt'],
  detail: ['kind', 'deliveryWarning', 'parameters', 'createdAt', 'updatedAt'],
  filterable: ['actionId', 'displayName', 'remarks', 'kind', 'createdAt', 'updatedAt'],
  sortable: ['actionId', 'displayName', 'remarks', 'kind', 'createdAt', 'updatedAt'],
  unique: ['displayName'],
  permission: 'alerthub:actions',
  calls: {
    /** The secret with which receivers verify that a webhook came from this action (Standard Webhooks). */
    'signing-secret': {
      method: 'GET',
      path: '/signing-secret',
      on: 'item',
      permission: 'signing-secret',
      audited: true,
      reply: z.object({ secret: z.string() }),
    },
    /** Creates a new secret. Both secrets sign for one day, so that receivers can switch. */
    'renew-signing-secret': {
      method: 'POST',
      path: '/signing-secret/renew',
      on: 'item',
      permission: 'signing-secret',
      danger: true,
      reply: z.object({ secret: z.string() }),
    },
    /** Sends a test delivery, marked as such; templates read sample values or those of a stored message. */
    test: {
      method: 'POST',
      path: '/test',
      on: 'item',
      permission: 'test',
      audited: false,
      body: z.object({ messageId: field.reference('message').nullable().default(null) }),
      reply: z.object({ actionRecordId: field.reference('action-record') }),
    },
  },
});
