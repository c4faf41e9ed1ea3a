import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { rule } from './rule.ts';
import {
  acknowledgementNote,
  defaultThresholds,
  scopeStatuses,
  scopeStatusTones,
  severityName,
} from './scope-status.ts';

/** A week: problems that are reported daily or weekly last longer than a day. */
const maxRecoverySeconds = 7 * 86_400;

const thresholds = () =>
  field.withKind(
    'object',
    z
      .object({ warning: field.integer(1, 999), incident: field.integer(2, 1000) })
      .superRefine((value, context) => {
        if (value.warning < value.incident) return;
        const params = { word: 'rule.greaterThan', min: value.warning };
        context.addIssue({ code: 'custom', path: ['incident'], params });
      }),
  );

/** Fields that the database can compare; mute schedules are computed. */
const stored = [
  'scopeId',
  'displayName',
  'status',
  'severity',
  'recoveryTime',
  'full',
  'lastEventAt',
  'raisedAt',
  'acknowledgedAt',
  'createdAt',
  'updatedAt',
];

const shape = z.object({
  scopeId: field.uuid(),
  displayName: field.displayName(),
  remarks: field.remarks(),
  status: field.choice(scopeStatuses, scopeStatusTones),
  severity: field.integer(0, 1_000_000),
  thresholds: thresholds(),
  recoveryTime: field.seconds(300, maxRecoverySeconds).nullable(),
  /**
   * All severities are above 0 and the maximum number is reached: further names share the overflow
   * severity.
   */
  full: field.flag(),
  lastEventAt: field.dateTime().nullable(),
  /** When the status last got worse; null while it is normal. */
  raisedAt: field.dateTime().nullable(),
  /** When somebody acknowledged the status; null again once it gets worse or returns to normal. */
  acknowledgedAt: field.dateTime().nullable(),
  /** Name of the user or contact at that time. */
  acknowledgedBy: field.text().nullable(),
  acknowledgementNote: acknowledgementNote().nullable(),
  /** When its mute schedules no longer mute it; null when none is active. */
  mutedUntil: field.dateTime().nullable(),
  createdAt: field.dateTime(),
  updatedAt: field.dateTime(),
});

export const scope = defineResource({
  app: 'alerthub',
  name: 'scope',
  noun: { en: ['scope', 'scopes'], ja: 'スコープ' },
  path: '/api/apps/alerthub/scopes',
  screen: '/apps/alerthub/scopes',
  id: 'scopeId',
  title: 'displayName',
  shape,
  input: z.object({
    displayName: field.displayName(),
    remarks: field.remarks(),
    thresholds: thresholds().default(defaultThresholds),
    recoveryTime: field.seconds(300, maxRecoverySeconds).nullable().default(null),
  }),
  verbs: ['list', 'show', 'create', 'edit', 'remove'],
  columns: [
    'status',
    'displayName',
    'severity',
    'lastEventAt',
    'acknowledgedBy',
    'raisedAt',
    'recoveryTime',
    'createdAt',
    'updatedAt',
  ],
  detail: [
    'status',
    'severity',
    'raisedAt',
    'acknowledgedAt',
    'acknowledgedBy',
    'acknowledgementNote',
    'full',
    'mutedUntil',
    'thresholds',
    'recoveryTime',
    'lastEventAt',
    'createdAt',
    'updatedAt',
  ],
  filterable: stored,
  sortable: stored,
  unique: ['displayName'],
  permission: 'alerthub:scopes',
  calls: {
    /** Rules that name the scope, or select it by its current attributes. */
    rules: { method: 'GET', path: '/rules', on: 'item', permission: 'get', reply: rule.shape, paged: true },
    /** Records on the scope and its last event that the caller takes care of it. The status does not change. */
    acknowledge: {
      method: 'POST',
      path: '/acknowledge',
      on: 'item',
      permission: 'update',
      body: z.object({
        note: acknowledgementNote().default(''),
        /** `raisedAt` as the caller saw it: refused if the status has got worse since. */
        raisedAt: field.dateTime().optional(),
      }),
      reply: shape,
    },
    /** Withdraws the acknowledgement; those of its events are kept. */
    unacknowledge: {
      method: 'POST',
      path: '/unacknowledge',
      on: 'item',
      permission: 'update',
      reply: shape,
    },
  },
});

export const severity = defineResource({
  app: 'alerthub',
  name: 'severity',
  plural: 'severities',
  noun: { en: ['severity', 'severities'], ja: '深刻度' },
  path: '/api/apps/alerthub/scopes/{scopeId}/severities',
  itemPath: '/api/apps/alerthub/scopes/{scopeId}/severities/{name}',
  id: 'name',
  parent: 'scope',
  shape: z.object({
    name: severityName(),
    value: field.integer(0, 1_000_000),
    status: field.choice(scopeStatuses, scopeStatusTones),
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: z.object({ name: severityName() }),
  verbs: ['list', 'create', 'remove'],
  columns: ['status', 'name', 'value', 'updatedAt'],
  defaultSort: 'name',
  permission: 'alerthub:scopes',
  calls: {
    reset: {
      method: 'POST',
      path: '/reset',
      on: 'collection',
      permission: 'update',
      danger: true,
      body: z.object({ names: field.list(severityName(), 100).optional() }),
    },
  },
});

export const attribute = defineResource({
  app: 'alerthub',
  name: 'attribute',
  noun: { en: ['attribute', 'attributes'], ja: '属性' },
  path: '/api/apps/alerthub/scopes/{scopeId}/attributes',
  itemPath: '/api/apps/alerthub/scopes/{scopeId}/attributes/{name}',
  id: 'name',
  parent: 'scope',
  shape: z.object({
    name: field.requiredText(255),
    value: field.text(2048),
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: z.object({ value: field.text(2048) }),
  verbs: ['list', 'show', 'edit', 'remove'],
  columns: ['name', 'value', 'updatedAt'],
  defaultSort: 'name',
  permission: 'alerthub:scopes',
});
