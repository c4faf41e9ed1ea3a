// How much each call may be sent: bytes of its body and values in it, by the kind of call.
import type { StandaloneCallName } from '@yagura/core/standalone-calls';
import type { z } from 'zod';

/** What the body of one route may be. */
export interface BodyRule {
  /** Bytes. */
  limit: number;
  /** Values and names of members in its JSON. */
  maxValues: number;
  /** Fields whose numbers keep every digit. */
  exact?: readonly string[] | undefined;
  /** Checks a large body where it is read, away from everybody else. */
  schema?: BodySchema | undefined;
}

export interface BodySchema {
  schema: z.ZodType;
  /** By which a thread finds the same schema. */
  key: SchemaKey;
  /** Only the fields that are given are checked: the rest is what is stored. */
  isPartial?: boolean;
}

/** A resource's input, one of its calls, or one of the calls that belong to no resource. */
export type SchemaKey =
  | { resource: string; call?: string | undefined }
  | { fixed: StandaloneCallName; resource?: undefined };

declare module 'fastify' {
  interface FastifyContextConfig {
    body?: BodyRule;
  }
}

const ordinary: BodyRule = { limit: 256 * 1024, maxValues: 20_000 };
const large: BodyRule = { limit: 10 * 1024 * 1024, maxValues: 100_000 };

/** Resources whose items, or what is sent to test them, may be large: flows with tables, templates, whole messages, places. */
const largeResources = new Set([
  'rule',
  'trigger',
  'action',
  'runbook',
  'runbook-record',
  'replay',
  'diagram',
  'layer2-diagram',
  'callflow',
  'guidance',
  'chain',
]);

/** The rule for the calls of a resource. */
export function bodyRuleOf(resource: string): BodyRule {
  return largeResources.has(resource) ? large : ordinary;
}

/** The rule for everything else that takes JSON. */
export const defaultBodyRule = ordinary;
