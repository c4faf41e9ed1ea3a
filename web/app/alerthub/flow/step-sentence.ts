// Describes a step, a condition or an event setting in one plain sentence.

import { comparisonSigns, type NumberComparison } from '@yagura/core/alerthub/engine/data/compare-numbers';
import { dataKey } from '@yagura/core/i18n/message-key';
import type { Translate } from '@yagura/core/i18n/translator';

type StepParams = Record<string, unknown>;

/** Placeholder for empty values. */
const missingValue = '…';
const maxCharacters = 120;

/**
 * Describes a step; `kind` is its operator's kind. An unknown operator is described by its id and parameters.
 */
export function describeStep(
  step: { operatorId: string; params: StepParams },
  kind: 'test' | 'transform' | undefined,
  t: Translate,
): string {
  const { operatorId, params } = step;
  if (kind === 'test') {
    const wanted = describeTest(operatorId, params, t);
    if (wanted) return t('alerthub.continue-if', { sentence: wanted });
  }
  return (
    (kind === 'transform' ? describeTransform(operatorId, params, t) : undefined) ??
    describeUnknown(operatorId, params)
  );
}

function describeTest(id: string, params: StepParams, t: Translate): string | undefined {
  const path = formatValue(params.source);
  switch (id) {
    case 'text-compare': {
      const wanted = params.comparison === 'inList' ? formatList(params.values) : formatValue(params.value);
      return t(dataKey(`why.text.${formatValue(params.comparison ?? 'equals')}`), { path, wanted });
    }
    case 'number-compare':
      return t('why.number', {
        path,
        sign: comparisonSign(params.comparison),
        wanted: formatValue(params.value),
      });
    case 'date-time-compare':
      return t(dataKey(`why.time.${formatValue(params.comparison ?? 'before')}`), {
        path,
        reference: formatValue(params.time ?? params.reference ?? 'message.receivedAt'),
        seconds: formatValue(params.seconds),
      });
    case 'exists':
      return t('why.exists', { path });
    case 'not-exists':
      return t('why.notExists', { path });
    case 'regex-match':
      return t(params.matches === false ? 'why.regex.matchesNot' : 'why.regex.matches', {
        path,
        pattern: formatValue(params.pattern),
      });
    default:
      return undefined;
  }
}

const arithmeticSigns: Record<string, string> = { add: '+', subtract: '−', multiply: '×', divide: '÷' };

function describeTransform(id: string, params: StepParams, t: Translate): string | undefined {
  const words = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, formatValue(value)]));
  const common = { source: missingValue, destination: missingValue, ...words };
  switch (id) {
    case 'json-parse':
    case 'extract':
    case 'trim':
    case 'html-to-text':
      return t(`alerthub.step.${id}`, common);
    case 'regex-extract':
      return t('alerthub.step.regex-extract', { pattern: missingValue, ...common });
    case 'replace':
      return t('alerthub.step.replace', {
        search: missingValue,
        ...common,
        replacement: String(params.replacement ?? ''),
      });
    case 'split':
      return t('alerthub.step.split', { separator: missingValue, ...common });
    case 'change-case':
      return t('alerthub.step.change-case', { ...common, to: formatOption(params.to, t) });
    case 'date-shift':
      return t(`alerthub.step.date-shift.${params.direction === 'subtract' ? 'subtract' : 'add'}`, {
        seconds: missingValue,
        ...common,
      });
    case 'arithmetic':
      return t('alerthub.step.arithmetic', {
        ...common,
        sign: arithmeticSigns[String(params.operation)] ?? missingValue,
        value: formatValue(params.value ?? params.valuePath),
      });
    case 'lookup-table':
      return t('alerthub.step.lookup-table', { ...common, count: Object.keys(Object(params.table)).length });
    case 'concatenate':
      return t('alerthub.step.concatenate', { template: missingValue, ...common });
    case 'remove-elements':
      return t('alerthub.step.remove-elements', { ...common, elements: formatList(params.elements) });
    default:
      return undefined;
  }
}

/** Describes a trigger's condition. */
export function describeCondition(
  condition: { conditionId: string; params: StepParams },
  t: Translate,
): string {
  const { conditionId, params } = condition;
  const value = params.value === undefined ? missingValue : t(dataKey(`why.value.${params.value}`));
  const common = {
    value,
    sign: comparisonSign(params.comparison),
    number: formatValue(params.number),
    seconds: formatValue(params.seconds),
    countSign: comparisonSign(params.countComparison),
    wantedCount: formatValue(params.count),
  };
  switch (conditionId) {
    case 'severity-changed':
      return t(params.direction === 'down' ? 'why.condition.down' : 'why.condition.up');
    case 'event-value':
      return t('why.condition.value', common);
    case 'recent-events':
      return t('why.condition.recentEvents', common);
    case 'recent-actions':
      return t('why.condition.recentActions', common);
    case 'severity-name':
      return t(params.comparison === 'ne' ? 'why.condition.nameNot' : 'why.condition.name', {
        name: formatValue(params.name),
      });
    case 'scope-status':
      return t(params.comparison === 'ne' ? 'why.condition.statusNot' : 'why.condition.status', {
        when: t(`why.when.${params.when === 'before' ? 'before' : 'after'}`),
        status: params.status === undefined ? missingValue : t(dataKey(`why.status.${params.status}`)),
      });
    case 'event-value-after':
      return t('why.condition.valueAfter', common);
    case 'severity-after':
      return t('why.condition.severityAfter', { ...common, name: formatValue(params.name) });
    case 'scope-status-after':
      return t(params.comparison === 'ne' ? 'why.condition.statusLaterNot' : 'why.condition.statusLater', {
        ...common,
        status: params.status === undefined ? missingValue : t(dataKey(`why.status.${params.status}`)),
      });
    default:
      return describeUnknown(conditionId, params);
  }
}

/** Describes a related message filter. */
export function describeRelatedFilter(
  filter: { filterId: string; params: StepParams },
  t: Translate,
): string {
  const { filterId, params } = filter;
  if (filterId === 'same-severity-name')
    return t(params.comparison === 'ne' ? 'related.same-not' : 'related.same');
  // The remaining filters test the other event as the condition of the same name tests the trigger's event.
  return describeCondition({ conditionId: filterId, params }, t);
}

/** Returns the literal text, or the path where it is read. */
export function sourceText(source: unknown, t: Translate): string {
  if (typeof source === 'string') return formatValue(source);
  const { literal, path } = Object(source) as { literal?: unknown; path?: unknown };
  return path === undefined ? formatValue(literal) : t('alerthub.from-path', { path: formatValue(path) });
}

/** Formats a signed number: `+1`, `-2`. */
export function deltaText(delta: unknown): string {
  return typeof delta === 'number' && delta > 0 ? `+${delta}` : formatValue(delta);
}

/** Describes an event setting of a rule; `scope` is the display text of the affected scope. */
export function describeEvent(
  param: { severityName?: unknown; mode?: unknown; delta?: unknown; value?: unknown; fingerprint?: unknown },
  scope: string,
  t: Translate,
): string {
  const name = sourceText(param.severityName ?? { literal: 'default' }, t);
  if (param.mode !== 'set')
    return t('alerthub.event-sentence', { name, scope, delta: deltaText(param.delta) });
  const value = formatValue(param.value);
  if (!param.fingerprint) return t('alerthub.event-sentence-set', { name, scope, value });
  const { path } = Object(param.fingerprint) as { path?: unknown };
  return t('alerthub.event-sentence-fingerprint', { name, scope, value, path: formatValue(path) });
}

interface SelectedScopes {
  attributes: { name?: unknown; op?: unknown; value?: unknown }[];
  scopeName?: unknown;
  createScope?: unknown;
}

/** Describes the scopes that match attribute conditions and a display name. */
export function describeScopes({ attributes, scopeName, createScope }: SelectedScopes, t: Translate): string {
  const conditions = attributes.map(({ name, op, value }) =>
    t('alerthub.attribute-sentence', {
      name: formatValue(name),
      op: op === undefined ? missingValue : t(dataKey(`value.${op}`)),
      value: op === 'pr' ? '' : sourceText(value ?? '', t),
    })
      .replace(/ {2,}/g, ' ')
      .trim(),
  );
  const wanted = conditions.join(t('alerthub.and')) || missingValue;
  const { template } = Object(scopeName) as { template?: unknown };
  const name = scopeName && sourceText(template ?? scopeName, t);
  const scope = name
    ? t(conditions.length > 0 ? 'alerthub.scope-named-where' : 'alerthub.scope-named', { name, wanted })
    : t('alerthub.scopes-where', { wanted });
  return createScope ? t('alerthub.scope-created', { scope }) : scope;
}

function describeUnknown(id: string, params: StepParams): string {
  const given = Object.entries(params).map(([name, value]) => `${name}: ${formatValue(value)}`);
  return given.length === 0 ? id : `${id} (${given.join(', ')})`;
}

function formatValue(value: unknown): string {
  if (value === undefined || value === null || value === '') return missingValue;
  const whole = typeof value === 'string' ? value : JSON.stringify(value);
  return whole.length > maxCharacters ? `${whole.slice(0, maxCharacters)}…` : whole;
}

function formatList(value: unknown): string {
  return Array.isArray(value) ? formatValue(value.join(', ')) : missingValue;
}

function comparisonSign(comparison: unknown): string {
  return comparisonSigns[comparison as NumberComparison] ?? missingValue;
}

function formatOption(value: unknown, t: Translate): string {
  return value === undefined ? missingValue : t(dataKey(`operator.option.${value}`));
}
