// Stored form of a plan: its target space and its steps.
import { z } from 'zod';
import type { PlanStep } from './make-plan.ts';
import { planKinds } from './plan-kinds.ts';

const fields = z.record(z.string(), z.unknown());
const kinds = planKinds.map(({ name }) => name) as [string, ...string[]];

const place = {
  kind: z.enum(kinds),
  parents: z.array(z.string()).max(8),
  name: z.string().min(1),
  number: z.int().min(0),
};

const step = z.object({
  operation: z.enum(['create', 'update', 'delete']),
  ...place,
  before: fields.nullable(),
  after: fields.nullable(),
  changes: z.array(
    z.object({ path: z.string(), before: z.unknown().optional(), after: z.unknown().optional() }),
  ),
});

export const planFormat = 'yagura-plan/1';

/** What `plan -o json` writes and `apply` reads. */
export const planFile = z.object({
  format: z.literal(planFormat),
  planId: z.uuid(),
  /** Origin of the space. */
  origin: z.string(),
  createdAt: z.iso.datetime(),
  counts: z.object({
    create: z.int(),
    update: z.int(),
    delete: z.int(),
    unchanged: z.int(),
    leftAlone: z.int(),
  }),
  /** Items that cannot be deleted although pruning is on, with the reason. */
  kept: z.array(z.object({ ...place, reason: z.string() })).default([]),
  steps: z.array(step).max(200_000),
});
export type PlanFile = Omit<z.output<typeof planFile>, 'steps'> & { steps: PlanStep[] };
