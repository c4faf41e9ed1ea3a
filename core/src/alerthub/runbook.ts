import { z } from 'zod';
import { ExactNumber } from '../http/exact-json.ts';
import { defineResource } from '../resource/define-resource.ts';
import { exactPosition } from '../resource/exact-position.ts';
import * as field from '../resource/field.ts';
import { conditionalEventParam, severityNameSource } from './flow-schema.ts';

export const runbookStepKinds = ['action', 'event', 'operator', 'branch'] as const;
export type RunbookStepKind = (typeof runbookStepKinds)[number];

/** A step's id, used in the graph and in data paths. */
const stepId = () =>
  field.withKind(
    'text',
    z
      .string()
      .min(1)
      .max(64)
      .regex(/^[\w-]+$/),
  );

/**
 * Parameters of a step; which of them apply depends on its kind, and `runbook-check.ts` reports invalid ones.
 */
const stepParams = () =>
  field.object({
    /** Action: the action to run, and whether later steps wait for its response. */
    actionId: field.reference('action').optional(),
    wait: field.flag().optional(),
    /** Action that is waited for: timeout in seconds, after which the step fails. */
    timeoutSeconds: field.seconds(1, 86_400).optional(),
    /** Action: maximum delivery attempts; if absent, the usual retries. */
    maxAttempts: field.integer(1, 20).optional(),
    /** Action: go on to the next step if it fails or times out; the default is to end the runbook as failed. */
    continueOnFailure: field.flag().optional(),
    /** Event: one scope, or every scope that matches all conditions. */
    scopeId: field.reference('scope').optional(),
    attributes: conditionalEventParam.shape.attributes.optional(),
    severityName: severityNameSource().optional(),
    delta: field.integer(-1000, 1000).optional(),
    /** Operator and branch: id in the catalogue, and its parameters. */
    operatorId: field.text(64).optional(),
    conditionId: field.text(64).optional(),
    params: field.json().optional(),
  });

const next = () => stepId().nullable().default(null);

export const runbookStep = z.object({
  stepId: stepId(),
  kind: field.choice(runbookStepKinds),
  displayName: field.text(100).default(''),
  posX: exactPosition().default('0'),
  posY: exactPosition().default('0'),
  params: stepParams().default({}),
  /** The next step; if absent, the runbook ends. */
  next: next(),
  /** The next steps of a branch. */
  nextTrue: next(),
  nextFalse: next(),
  /** Maximum number of executions in one record; every cycle needs a step with this limit. */
  maxVisits: field.integer(1, 1000).nullable().default(null),
});
export type RunbookStep = z.output<typeof runbookStep>;

const graph = {
  startStepId: stepId().nullable().default(null),
  steps: field.list(runbookStep, 200).default([]),
};
/** The executable part of a runbook. */
export const runbookGraph = z.object(graph);
export type RunbookGraph = z.output<typeof runbookGraph>;

/** A stored runbook as the engine uses it. */
export interface RunbookSource extends RunbookGraph {
  runbookId: string;
  displayName: string;
}

const body = { displayName: field.displayName(), remarks: field.remarks(), ...graph };

export const runbook = defineResource({
  app: 'alerthub',
  name: 'runbook',
  noun: { en: ['runbook', 'runbooks'], ja: 'ランブック' },
  path: '/api/apps/alerthub/runbooks',
  screen: '/apps/alerthub/runbooks',
  id: 'runbookId',
  title: 'displayName',
  shape: z.object({
    runbookId: field.uuid(),
    ...body,
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: z.object(body),
  update: 'patch',
  verbs: ['list', 'show', 'create', 'edit', 'remove'],
  columns: ['displayName', 'createdAt', 'updatedAt'],
  detail: ['startStepId', 'steps', 'createdAt', 'updatedAt'],
  unique: ['displayName'],
  permission: 'alerthub:runbooks',
  calls: {
    /** Runs the runbook on a past or a given message with all outgoing effects held; nothing is stored. */
    rehearse: {
      method: 'POST',
      path: '/rehearse',
      on: 'item',
      permission: 'rehearse',
      body: z.object({
        messageId: field.uuid().optional(),
        message: field
          .object({
            content: z.record(z.string(), z.unknown()).default({}),
            metadata: z.record(z.string(), z.unknown()).default({}),
          })
          .optional(),
        eventId: field.uuid().optional(),
        /** Assumed results of held actions, by step. */
        outputs: z.record(stepId(), z.unknown()).default({}),
        /** Steps whose held action is assumed to fail or to get no response in time. */
        failures: z.record(stepId(), z.enum(['failed', 'timedOut'])).default({}),
      }),
    },
  },
});

/** Converts the stored digits of positions to exact JSON numbers. */
export function exactSteps(steps: readonly unknown[]): unknown[] {
  return steps.map((step) => {
    const { posX, posY, ...rest } = step as { posX: string; posY: string };
    return { ...rest, posX: new ExactNumber(posX), posY: new ExactNumber(posY) };
  });
}

const operatorListShape = {
  displayName: field.object({ en: field.text(), ja: field.text() }),
  params: field.json(),
};

/** Catalogue of operators for operator steps, with the JSON Schema of their parameters. */
export const runbookOperator = defineResource({
  app: 'alerthub',
  name: 'runbook-operator',
  noun: { en: ['runbook operator', 'runbook operators'], ja: 'ランブック演算子' },
  path: '/api/apps/alerthub/runbook-operators',
  id: 'operatorId',
  shape: z.object({
    operatorId: field.requiredText(64),
    kind: field.choice(['test', 'transform']),
    ...operatorListShape,
  }),
  verbs: ['list'],
  columns: ['operatorId', 'kind'],
  defaultSort: 'operatorId',
  permission: 'alerthub:runbooks',
});

/** Catalogue of conditions for branch steps, with the JSON Schema of their parameters. */
export const runbookBranchCondition = defineResource({
  app: 'alerthub',
  name: 'runbook-branch-condition',
  noun: { en: ['runbook branch condition', 'runbook branch conditions'], ja: 'ランブック分岐条件' },
  path: '/api/apps/alerthub/runbook-branch-conditions',
  id: 'conditionId',
  shape: z.object({ conditionId: field.requiredText(64), ...operatorListShape }),
  verbs: ['list'],
  columns: ['conditionId'],
  defaultSort: 'conditionId',
  permission: 'alerthub:runbooks',
});
