// Schemas shared by rules and triggers: operator steps and the events that a rule raises.
import { z } from 'zod';
import * as field from '../resource/field.ts';
import { defaultSeverityName, severityName } from './scope-status.ts';

/**
 * Path into the data that a flow reads: dotted, e.g. `message.content.data.level`, or a JSONPath query (RFC
 * 9535), e.g. `$.message.content.data.alerts[0].status`.
 */
export const dataPath = () => field.requiredText(512);

/**
 * JSONPath query over the parsed body of the message, e.g. `$.alerts[*]`: the rule is evaluated for each value
 * that it selects, as `element` and `elementIndex`. Null evaluates the message once.
 */
export const forEach = () => field.requiredText(512).nullable().default(null);

export const step = z.object({
  operatorId: field.requiredText(64),
  params: z.record(z.string(), z.unknown()).default({}),
});
export type Step = z.output<typeof step>;

/**
 * Steps run in order; a failing test ends the flow, a transform writes a value that later steps can read.
 */
export const flow = () => field.object({ steps: field.list(step, 100) });

/** A severity name, literal or read from the data. */
export const severityNameSource = () =>
  field.withKind(
    'json',
    z.union([z.strictObject({ literal: severityName() }), z.strictObject({ path: dataPath() })]),
  );
export type SeverityNameSource = z.output<ReturnType<typeof severityNameSource>>;

export const severityChangeModes = ['add', 'set'] as const;

/** How an event changes a severity; `checkRule` reports fields that are missing or belong to the other mode. */
const severityChange = {
  mode: field.choice(severityChangeModes).default('add'),
  /** Mode `add`: the change. */
  delta: field.integer(-1000, 1000).optional(),
  /** Mode `set`: the new value, or that of the fingerprint. */
  value: field.integer(0, 1_000_000).optional(),
  /**
   * Mode `set`: where to read the fingerprint. Each fingerprint has a value of its own in the severity, which is
   * the sum of these and of everything else added to it.
   */
  fingerprint: field.withKind('json', z.strictObject({ path: dataPath() }).nullable()).default(null),
};

export const eventParam = z.object({
  scopeId: field.reference('scope'),
  severityName: severityNameSource().default({ literal: defaultSeverityName }),
  ...severityChange,
});
/** The fields of a change are optional: the engine takes the defaults for absent ones. */
type WithDefaults<Param extends { mode: unknown; fingerprint: unknown }> = Omit<
  Param,
  'mode' | 'fingerprint'
> &
  Partial<Pick<Param, 'mode' | 'fingerprint'>>;

export type EventParam = WithDefaults<z.output<typeof eventParam>>;

/** Display name of a scope: read from the data, or rendered from a template. */
export const scopeNameSource = () =>
  field.withKind(
    'json',
    z
      .union([z.strictObject({ path: dataPath() }), z.strictObject({ template: field.requiredText(1000) })])
      .nullable(),
  );
export type ScopeNameSource = z.output<ReturnType<typeof scopeNameSource>>;

export const attributeOperators = ['eq', 'ne', 'co', 'sw', 'ew', 'pr'] as const;

/** Raises the event on every scope that matches all conditions and has the display name, if one is given. */
export const conditionalEventParam = z.object({
  attributes: field.list(
    z.object({
      name: field.requiredText(255),
      op: field.choice(attributeOperators),
      /** Literal text, or `{path}` to read from the data. */
      value: field
        .withKind('json', z.union([z.string().max(2048), z.strictObject({ path: dataPath() })]))
        .default(''),
    }),
    20,
  ),
  /** Selects the scope with this display name; `attributes` may then be empty. */
  scopeName: scopeNameSource().default(null),
  /**
   * Creates the scope if no scope matches. It gets the attributes of the conditions, and the display name or
   * else the value of the first condition.
   */
  createScope: field.flag().default(false),
  severityName: severityNameSource().default({ literal: defaultSeverityName }),
  ...severityChange,
});
type ConditionalEventOutput = z.output<typeof conditionalEventParam>;
export type ConditionalEventParam = WithDefaults<Omit<ConditionalEventOutput, 'scopeName' | 'createScope'>> &
  Partial<Pick<ConditionalEventOutput, 'scopeName' | 'createScope'>>;
