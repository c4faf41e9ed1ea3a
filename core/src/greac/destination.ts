import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { host } from './host.ts';
import { hostKeyPolicies, parameterSchemas, protocols } from './session-parameters.ts';

/** Maximum length of a remote path in bytes. */
export const maxPathBytes = 2047;

/** Starts with a slash and contains no other kind of separator; a Windows drive is `/c:`. */
export function isRemotePath(path: string): boolean {
  return (
    path.startsWith('/') && !/[\\\0]/.test(path) && new TextEncoder().encode(path).length <= maxPathBytes
  );
}

const rootDirectory = () =>
  field.withKind(
    'text',
    z
      .string()
      .max(maxPathBytes)
      .superRefine((path, context) => {
        if (isRemotePath(path)) return;
        context.addIssue({ code: 'custom', params: { word: 'greac.remote-path' } });
      }),
  );

/** Disabled by default; a null host, port or credential means the destination's own. */
const fileTransfer = () =>
  field.object({
    enabled: field.flag().default(false),
    rootDirectory: rootDirectory().default('/'),
    host: host().nullable().default(null),
    port: field.numericId(1, 65_535).nullable().default(null),
    credentialId: field.reference('credential').nullable().default(null),
  });

const body = {
  displayName: field.displayName(),
  remarks: field.remarks(),
  protocol: field.choice(protocols).default('ssh'),
  host: host(),
  /** Null in an input means the default port of the protocol. */
  port: field.numericId(1, 65_535).nullable().default(null),
  /** The gateway that opens the sessions. */
  krokerId: field.reference('kroker').nullable().default(null),
  /** A credential of that Kroker. */
  credentialId: field.reference('credential').nullable().default(null),
  /** Users and groups that can see it and open sessions. */
  members: field
    .object({
      userIds: field.list(field.reference('user'), 1000).default([]),
      userGroupIds: field.list(field.reference('user-group'), 100).default([]),
    })
    .default({ userIds: [], userGroupIds: [] }),
  parameters: field.variant('protocol', parameterSchemas).default({}),
  /** What happens with a host key that is not known yet; a changed one is always refused. */
  hostKeyPolicy: field.choice(hostKeyPolicies).default('ask'),
  /** Sessions that cannot be recorded are ended. */
  strictRecording: field.flag().default(false),
  fileTransfer: fileTransfer().default({
    enabled: false,
    rootDirectory: '/',
    host: null,
    port: null,
    credentialId: null,
  }),
};

export const destination = defineResource({
  app: 'greac',
  name: 'destination',
  noun: { en: ['destination', 'destinations'], ja: '接続先' },
  path: '/api/apps/greac/destinations',
  screen: '/apps/greac/destinations',
  id: 'destinationId',
  title: 'displayName',
  shape: z.object({
    destinationId: field.uuid(),
    ...body,
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: z.object(body).check(field.checkVariant('parameters', 'protocol', parameterSchemas)),
  verbs: ['list', 'show', 'create', 'edit', 'remove'],
  columns: ['displayName', 'protocol', 'host', 'port', 'krokerId', 'updatedAt', 'createdAt'],
  detail: [
    'protocol',
    'host',
    'port',
    'krokerId',
    'credentialId',
    'members',
    'parameters',
    'hostKeyPolicy',
    'strictRecording',
    'fileTransfer',
    'createdAt',
    'updatedAt',
  ],
  unique: ['displayName'],
  permission: 'greac:destinations',
});
