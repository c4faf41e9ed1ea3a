// Operator interface: parameters are validated once at compile time, then the operator runs on the data of
// one message.
import { z } from 'zod';
import { operator as en } from '../../../i18n/en/operator.ts';
import { operator as ja } from '../../../i18n/ja/operator.ts';
import type { Reason } from '../../decision-log.ts';
import { maxTextLength, toDisplayText, toText } from '../data/convert-values.ts';
import { type DataPath, parsePath } from '../data/data-path.ts';
import { checkVariableName, type FlowData } from '../data/flow-data.ts';
import { reason } from '../errors/decision-reason.ts';
import { FlowError, parseParams } from '../errors/flow-error.ts';

/**
 * `stopped`: the data does not fit, so the rule does not match. `failed`: the step could not complete (limit
 * exceeded, division by zero), so the rule fails with a reason.
 */
export interface StepResult {
  outcome: 'passed' | 'stopped' | 'failed';
  seen: string | null;
  reason: Reason;
  write?: { name: string; value: unknown };
}

export type StepFunction = (data: FlowData) => StepResult;
export type JsonSchema = Record<string, unknown>;

export interface Operator {
  operatorId: string;
  kind: 'test' | 'transform';
  displayName: { en: string; ja: string };
  /** JSON Schema 2020-12 of the parameters. */
  params: JsonSchema;
  /** Validates parameters and prepares the run. Throws FlowError with a path below `params`. */
  compile(params: unknown): StepFunction;
}

/**
 * Creates an operator from its parameters and a function that prepares a run. Names come from the operator
 * translations.
 */
export function defineOperator<S extends z.ZodObject>(definition: {
  operatorId: string;
  kind: 'test' | 'transform';
  params: S;
  compile(params: z.output<S>): StepFunction;
}): Operator {
  const { operatorId, kind } = definition;
  return {
    operatorId,
    kind,
    displayName: {
      en: requireTranslation(en, `operator.${operatorId}`),
      ja: requireTranslation(ja, `operator.${operatorId}`),
    },
    params: toParamsJsonSchema(`operator.${operatorId}`, definition.params),
    compile: (params) => definition.compile(parseParams(definition.params, params)),
  };
}

/** JSON Schema of parameters, with the English translations of `<key>.<parameter>` as titles. */
export function toParamsJsonSchema(key: string, schema: z.ZodObject): JsonSchema {
  const json = z.toJSONSchema(schema, { io: 'input' }) as JsonSchema & {
    properties?: Record<string, JsonSchema>;
  };
  for (const [name, property] of Object.entries(json.properties ?? {})) {
    property.title = requireTranslation(en, `${key}.${name}`);
  }
  return json;
}

/** A translation that must exist; a missing one is a programming error that fails the first import. */
export function requireTranslation(translations: Readonly<Record<string, string>>, key: string): string {
  const translation = translations[key];
  if (translation === undefined) throw new Error(`no word ${key}`);
  return translation;
}

/** Parameter with the path of a value to read. */
export const pathParam = () =>
  z
    .string()
    .min(1)
    .max(512)
    .meta({ format: 'data-path' })
    .transform((text, context): DataPath => withZodIssue(() => parsePath(text), context));

/** Parameter with the name of the field that a transform writes. */
export const nameParam = () =>
  z
    .string()
    .min(1)
    .max(64)
    .meta({ format: 'field-name' })
    .transform((text, context): string => withZodIssue(() => checkVariableName(text), context));

/** Runs a check that throws FlowError inside a zod transform, as an issue. */
export function withZodIssue<T>(make: () => T, context: z.core.$RefinementCtx): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof FlowError)) throw error;
    context.issues.push({ code: 'custom', input: context.value, params: { reason: error.reason } });
    return z.NEVER;
  }
}

/** The result of a test whose expectation is `wanted`. */
export function testResult(holds: boolean, value: unknown, expected: Reason): StepResult {
  return { outcome: holds ? 'passed' : 'stopped', seen: toDisplayText(value), reason: expected };
}

export function stoppedResult(value: unknown, because: Reason): StepResult {
  return { outcome: 'stopped', seen: toDisplayText(value), reason: because };
}

export function failedResult(value: unknown, because: Reason): StepResult {
  return { outcome: 'failed', seen: toDisplayText(value), reason: because };
}

/** The result of a transform that read one value and wrote another. */
export function writeResult(name: string, value: unknown, seen: unknown): StepResult {
  return {
    outcome: 'passed',
    seen: toDisplayText(seen),
    reason: reason('why.wrote', { name, value: toDisplayText(value) ?? 'null' }),
    write: { name, value },
  };
}

/**
 * A run that reads text, converts it and writes the result; stops if there is no value, fails if a text is
 * too long. `parsingCost`: what a character costs if the conversion parses the text, compared to one of JSON.
 */
export function compileTextTransform(
  params: { source: DataPath; destination: string },
  make: (text: string) => unknown,
  { parsingCost = 0 } = {},
): StepFunction {
  const { source, destination } = params;
  return (data) => {
    const value = data.read(source);
    const text = toText(value);
    if (text === undefined) return stoppedResult(value, reason('why.noValue', { path: source.text }));
    if (text.length > maxTextLength) return tooLongResult(source, text, maxTextLength);
    if (parsingCost > 0) data.spendOnParsing(text.length * parsingCost, source);
    const made = make(text);
    if (typeof made === 'string' && made.length > maxTextLength) {
      return failedResult(
        value,
        reason('why.tooLong', { path: destination, length: made.length, most: maxTextLength }),
      );
    }
    return writeResult(destination, made, value);
  };
}

/** The result of a step whose input is too long. */
export function tooLongResult(source: DataPath, text: string, max: number): StepResult {
  return failedResult(text, reason('why.tooLong', { path: source.text, length: text.length, most: max }));
}
