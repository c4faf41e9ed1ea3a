// Limits for request bodies (bytes and JSON values) by kind of call.
import type { StandaloneCallName } from '@yagura/core/standalone-calls';
import type { z } from 'zod';

/** Limits of one route's body. */
export interface BodyRule {
  /** Maximum size in bytes. */
  limit: number;
  /** Maximum number of JSON values and member names. */
  maxValues: number;
  /** Fields whose numbers keep all digits. */
  exact?: readonly string[] | undefined;
  /** Schema against which a large body is validated in the thread that parses it. */
  schema?: BodySchema | undefined;
}

export interface BodySchema {
  schema: z.ZodType;
  /** Identifies the schema in the thread. */
  key: SchemaKey;
  /** Validates only the fields that are present; the others keep their stored values. */
  isPartial?: boolean;
}

/** A resource's input, one of its calls, or a call that belongs to no resource. */
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

/** Resources with large items or large test inputs: flows with tables, templates, whole messages, places. */
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

/** The limits for the calls of a resource. */
export function bodyRuleOf(resource: string): BodyRule {
  return largeResources.has(resource) ? large : ordinary;
}

/** The limits for all other JSON calls. */
export const defaultBodyRule = ordinary;
