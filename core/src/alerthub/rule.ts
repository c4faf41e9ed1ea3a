import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { conditionalEventParam, eventParam, flow } from './flow.ts';

const body = {
  displayName: field.displayName(),
  remarks: field.remarks(),
  receiveSlotId: field.reference('receive-slot'),
  disabled: field.flag().default(false),
  flow: flow().default({ steps: [] }),
  eventParams: field.list(eventParam, 100).default([]),
  conditionalEventParams: field.list(conditionalEventParam, 100).default([]),
};

export const rule = defineResource({
  app: 'alerthub',
  name: 'rule',
  noun: { en: ['rule', 'rules'], ja: 'ルール' },
  path: '/api/apps/alerthub/rules',
  screen: '/apps/alerthub/rules',
  id: 'ruleId',
  title: 'displayName',
  shape: z.object({
    ruleId: field.uuid(),
    ...body,
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: z.object(body),
  update: 'patch',
  verbs: ['list', 'show', 'create', 'edit', 'remove'],
  columns: ['displayName', 'receiveSlotId', 'disabled', 'createdAt', 'updatedAt'],
  detail: [
    'receiveSlotId',
    'disabled',
    'flow',
    'eventParams',
    'conditionalEventParams',
    'createdAt',
    'updatedAt',
  ],
  unique: ['displayName'],
  permission: 'alerthub:rules',
});

/** An operator of the product's catalogue: what a step can do, and the JSON Schema of its parameters. */
export const ruleOperator = defineResource({
  app: 'alerthub',
  name: 'rule-operator',
  noun: { en: ['rule operator', 'rule operators'], ja: 'ルール演算子' },
  path: '/api/apps/alerthub/rule-operators',
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
  permission: 'alerthub:rules',
});
