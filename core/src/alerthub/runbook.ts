import { z } from 'zod';
import { ExactNumber } from '../http/exact-json.ts';
import { defineResource } from '../resource/define-resource.ts';
import { exactPosition } from '../resource/exact-position.ts';
import * as field from '../resource/field.ts';
import { conditionalEventParam, severityNameSource } from './flow-schema.ts';

export const runbookStepKinds = ['action', 'event', 'operator', 'branch'] as const;
export type RunbookStepKind = (typeof runbookStepKinds)[number];

/** How a step names itself in the graph and in data paths. */
const stepId = () =>
  field.withKind(
    'text',
    z
      .string()
      .min(1)
      .max(64)
      .regex(/^[\w-]+$/),
  );

/** What a step does; which of these count depends on its kind, and `runbook-check.ts` says so when one is amiss. */
const stepParams = () =>
  field.object({
    /** action: what to run, and whether later steps wait for its answer. */
    actionId: field.reference('action').optional(),
    wait: field.flag().optional(),
    /** action that is waited for: seconds until the step fails. */
    timeoutSeconds: field.seconds(1, 86_400).optional(),
    /** event: one scope, or every scope that meets all conditions. */
    scopeId: field.reference('scope').optional(),
    attributes: conditionalEventParam.shape.attributes.optional(),
    severityName: severityNameSource().optional(),
    delta: field.integer(-1000, 1000).optional(),
    /** operator and branch: what of the catalogue, and its parameters. */
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
  /** The way on; nothing ends the runbook. */
  next: next(),
  /** The two ways out of a branch. */
  nextTrue: next(),
  nextFalse: next(),
  /** How often the step may run in one record; every cycle needs a step that says so. */
  maxVisits: field.integer(1, 1000).nullable().default(null),
});
export type RunbookStep = z.output<typeof runbookStep>;

const graph = {
  startStepId: stepId().nullable().default(null),
  steps: field.list(runbookStep, 200).default([]),
};
/** The part of a runbook that runs. */
export const runbookGraph = z.object(graph);
export type RunbookGraph = z.output<typeof runbookGraph>;

/** A stored runbook as deciding takes it. */
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
    /** Runs the runbook on a past or a given message with every outgoing effect held; nothing is stored. */
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
        /** What held actions are taken to have answered, by step. */
        outputs: z.record(stepId(), z.unknown()).default({}),
      }),
    },
  },
});

/** Converts the stored digits of a position to what the wire carries. */
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

/** What an operator step can do, and the JSON Schema of its parameters. */
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

/** What a branch step can ask, and the JSON Schema of its parameters. */
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
