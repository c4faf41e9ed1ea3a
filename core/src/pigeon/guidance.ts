import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { behaviors, type Digit, maxMessageLength } from './call-constants.ts';

export const reaction = z.object({
  behavior: field.choice(behaviors),
  /** Read to the callee after the key, before the call ends. */
  messageTemplate: field.template(maxMessageLength).default(''),
  /** Records that the callee acknowledged the event that the call is about. */
  acknowledge: field.flag().optional(),
});
export type Reaction = z.output<typeof reaction>;
export type Reactions = Partial<Record<Digit, Reaction>>;

/** Message and key reactions, as an inline guidance of a call contains them. */
export const guidanceBody = {
  messageTemplate: field.template(maxMessageLength).min(1),
  reactions: field.withKind(
    'json',
    z.record(z.string().regex(/^[1-9]$/), reaction) as unknown as z.ZodType<
      Reactions,
      Record<string, unknown>
    >,
  ),
};

const body = { displayName: field.displayName(), remarks: field.remarks(), ...guidanceBody };

export const guidance = defineResource({
  app: 'pigeon',
  name: 'guidance',
  noun: { en: ['guidance', 'guidances'], ja: 'ガイダンス' },
  path: '/api/apps/pigeon/guidances',
  screen: '/apps/pigeon/guidances',
  id: 'guidanceId',
  title: 'displayName',
  shape: z.object({
    guidanceId: field.uuid(),
    ...body,
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: z.object(body),
  verbs: ['list', 'show', 'create', 'edit', 'remove'],
  columns: ['displayName', 'messageTemplate', 'createdAt', 'updatedAt'],
  detail: ['messageTemplate', 'reactions', 'createdAt', 'updatedAt'],
  unique: ['displayName'],
  permission: 'pigeon:guidances',
});
