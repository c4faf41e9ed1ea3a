import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { flow } from './flow-schema.ts';

export const condition = z.object({
  conditionId: field.requiredText(64),
  params: z.record(z.string(), z.unknown()).default({}),
});
export type Condition = z.output<typeof condition>;

/** A condition that a message must meet to count as related. */
const relatedMessageFilter = z.object({
  filterId: field.requiredText(64),
  params: z.record(z.string(), z.unknown()).default({}),
});
export type RelatedMessageFilter = z.output<typeof relatedMessageFilter>;

const body = {
  displayName: field.displayName(),
  remarks: field.remarks(),
  disabled: field.flag().default(false),
  /** All must hold; with an empty list every event fires. */
  conditions: field.list(condition, 20).default([]),
  /**
   * For triggers with windowed conditions: all must hold for the message of another event to count as
   * related.
   */
  relatedMessageFilters: field.list(relatedMessageFilter, 20).default([]),
  /** Transforms whose values the action's templates can read. */
  flow: flow().default({ steps: [] }),
  target: field.object({
    /** Type of the target; optional, because older clients only know actions. */
    kind: field.choice(['action', 'runbook']).default('action'),
    id: field.referenceBy('kind', 'action'),
  }),
};

export const trigger = defineResource({
  app: 'alerthub',
  name: 'trigger',
  noun: { en: ['trigger', 'triggers'], ja: 'トリガー' },
  path: '/api/apps/alerthub/scopes/{scopeId}/triggers',
  screen: '/apps/alerthub/scopes/:scopeId/triggers',
  id: 'triggerId',
  title: 'displayName',
  parent: 'scope',
  shape: z.object({
    triggerId: field.uuid(),
    scopeId: field.reference('scope'),
    ...body,
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: z.object(body),
  update: 'patch',
  verbs: ['list', 'show', 'create', 'edit', 'remove'],
  columns: ['displayName', 'disabled', 'target', 'createdAt', 'updatedAt'],
  detail: [
    'scopeId',
    'disabled',
    'conditions',
    'relatedMessageFilters',
    'flow',
    'target',
    'createdAt',
    'updatedAt',
  ],
  unique: ['displayName'],
  permission: 'alerthub:triggers',
});

/** Catalogue of trigger conditions, with the JSON Schema of their parameters. */
export const triggerCondition = defineResource({
  app: 'alerthub',
  name: 'trigger-condition',
  noun: { en: ['trigger condition', 'trigger conditions'], ja: 'トリガー条件' },
  path: '/api/apps/alerthub/trigger-conditions',
  id: 'conditionId',
  shape: z.object({
    conditionId: field.requiredText(64),
    displayName: field.object({ en: field.text(), ja: field.text() }),
    params: field.json(),
  }),
  verbs: ['list'],
  columns: ['conditionId'],
  defaultSort: 'conditionId',
  permission: 'alerthub:triggers',
});

/** Catalogue of related message filters, with the JSON Schema of their parameters. */
export const triggerRelatedMessageFilter = defineResource({
  app: 'alerthub',
  name: 'trigger-related-message-filter',
  noun: {
    en: ['related message filter', 'related message filters'],
    ja: '関連メッセージの絞り込み条件',
  },
  path: '/api/apps/alerthub/trigger-related-message-filters',
  id: 'filterId',
  shape: z.object({
    filterId: field.requiredText(64),
    displayName: field.object({ en: field.text(), ja: field.text() }),
    params: field.json(),
  }),
  verbs: ['list'],
  columns: ['filterId'],
  defaultSort: 'filterId',
  permission: 'alerthub:triggers',
});

/** Catalogue of operators for a trigger's flow, with the JSON Schema of their parameters. */
export const triggerOperator = defineResource({
  app: 'alerthub',
  name: 'trigger-operator',
  noun: { en: ['trigger operator', 'trigger operators'], ja: 'トリガー演算子' },
  path: '/api/apps/alerthub/trigger-operators',
  id: 'operatorId',
  shape: z.object({
    operatorId: field.requiredText(64),
    displayName: field.object({ en: field.text(), ja: field.text() }),
    kind: field.choice(['test', 'transform']),
    params: field.json(),
  }),
  verbs: ['list'],
  columns: ['operatorId', 'kind'],
  defaultSort: 'operatorId',
  permission: 'alerthub:triggers',
});
