import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { ruleBody } from './rule-body.ts';
import { ruleTestReply, ruleTestRequest } from './rule-test.ts';

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
    ...ruleBody,
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: z.object(ruleBody),
  update: 'patch',
  verbs: ['list', 'show', 'create', 'edit', 'remove'],
  columns: ['displayName', 'receiveSlotId', 'disabled', 'createdAt', 'updatedAt'],
  detail: [
    'receiveSlotId',
    'disabled',
    'forEach',
    'flow',
    'eventParams',
    'conditionalEventParams',
    'createdAt',
    'updatedAt',
  ],
  unique: ['displayName'],
  permission: 'alerthub:rules',
  calls: {
    /** Tests a rule, stored or not, on messages; nothing is stored or sent. */
    test: {
      method: 'POST',
      path: '/test',
      on: 'collection',
      permission: 'test',
      audited: false,
      body: ruleTestRequest,
      reply: ruleTestReply,
    },
  },
});

/** Catalogue of operators for steps, with the JSON Schema of their parameters. */
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
