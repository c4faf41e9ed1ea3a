// What an operator is: parameters checked once when compiled, then a run over the data of one message.
import { z } from 'zod';
import { operator as en } from '../../../words/en/operator.ts';
import { operator as ja } from '../../../words/ja/operator.ts';
import type { Reason } from '../../why.ts';
import { checkName, type FlowData } from '../data.ts';
import { type DataPath, parsePath } from '../data-path.ts';
import { FlowError, parseParams } from '../flow-error.ts';
import { reason } from '../reason.ts';
import { maxText, seenOf, textOf } from '../values.ts';

/**
 * `stopped`: the data does not fit, so the rule does not match. `failed`: the step could not do its work (a bound was
 * passed, a division by zero), so the rule fails and says so.
 */
export interface StepResult {
  outcome: 'passed' | 'stopped' | 'failed';
  seen: string | null;
  reason: Reason;
  write?: { name: string; value: unknown };
}

export type Run = (data: FlowData) => StepResult;
export type JsonSchema = Record<string, unknown>;

export interface Operator {
  operatorId: string;
  kind: 'test' | 'transform';
  displayName: { en: string; ja: string };
  /** JSON Schema 2020-12 of the parameters. */
  params: JsonSchema;
  /** Checks parameters and prepares the run. Throws FlowError below `params`. */
  compile(params: unknown): Run;
}

/** Makes an operator of its parameters and the function that prepares a run. Names come from the operator words. */
export function defineOperator<S extends z.ZodObject>(facts: {
  operatorId: string;
  kind: 'test' | 'transform';
  params: S;
  compile(params: z.output<S>): Run;
}): Operator {
  const { operatorId, kind } = facts;
  return {
    operatorId,
    kind,
    displayName: { en: wordOf(en, `operator.${operatorId}`), ja: wordOf(ja, `operator.${operatorId}`) },
    params: paramsSchema(`operator.${operatorId}`, facts.params),
    compile: (params) => facts.compile(parseParams(facts.params, params)),
  };
}

/** JSON Schema of parameters, titled with the English words under `<key>.<parameter>`. */
export function paramsSchema(key: string, schema: z.ZodObject): JsonSchema {
  const json = z.toJSONSchema(schema, { io: 'input' }) as JsonSchema & {
    properties?: Record<string, JsonSchema>;
  };
  for (const [name, property] of Object.entries(json.properties ?? {})) {
    property.title = wordOf(en, `${key}.${name}`);
  }
  return json;
}

/** A word that must exist; a missing one is an error of ours, found by the first import. */
export function wordOf(words: Readonly<Record<string, string>>, key: string): string {
  const word = words[key];
  if (word === undefined) throw new Error(`no word ${key}`);
  return word;
}

/** A parameter that names where a value is read. */
export const pathParam = () =>
  z
    .string()
    .min(1)
    .max(512)
    .meta({ format: 'data-path' })
    .transform((text, context): DataPath => attempt(() => parsePath(text), context));

/** A parameter that names the field a transform writes. */
export const nameParam = () =>
  z
    .string()
    .min(1)
    .max(64)
    .meta({ format: 'field-name' })
    .transform((text, context): string => attempt(() => checkName(text), context));

/** Runs a check that throws FlowError inside a zod transform. */
export function attempt<T>(make: () => T, context: z.core.$RefinementCtx): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof FlowError)) throw error;
    context.issues.push({ code: 'custom', input: context.value, params: { reason: error.reason } });
    return z.NEVER;
  }
}

/** The result of a test whose expectation is `wanted`. */
export function tested(holds: boolean, value: unknown, wanted: Reason): StepResult {
  return { outcome: holds ? 'passed' : 'stopped', seen: seenOf(value), reason: wanted };
}

export function stopped(value: unknown, because: Reason): StepResult {
  return { outcome: 'stopped', seen: seenOf(value), reason: because };
}

export function failed(value: unknown, because: Reason): StepResult {
  return { outcome: 'failed', seen: seenOf(value), reason: because };
}

/** The result of a transform that saw one value and wrote another. */
export function wrote(name: string, value: unknown, seen: unknown): StepResult {
  return {
    outcome: 'passed',
    seen: seenOf(seen),
    reason: reason('why.wrote', { name, value: seenOf(value) ?? 'null' }),
    write: { name, value },
  };
}

/** A run that reads text, makes a value of it and writes that; text without a value stops, too long text fails. */
export function textTransform(
  params: { source: DataPath; destination: string },
  make: (text: string) => unknown,
): Run {
  const { source, destination } = params;
  return (data) => {
    const value = data.read(source);
    const text = textOf(value);
    if (text === undefined) return stopped(value, reason('why.noValue', { path: source.text }));
    if (text.length > maxText) return tooLong(source, text, maxText);
    const made = make(text);
    if (typeof made === 'string' && made.length > maxText) {
      return failed(value, reason('why.tooLong', { path: destination, length: made.length, most: maxText }));
    }
    return wrote(destination, made, value);
  };
}

/** The result of a step whose input is longer than it takes. */
export function tooLong(source: DataPath, text: string, max: number): StepResult {
  return failed(text, reason('why.tooLong', { path: source.text, length: text.length, most: max }));
}
