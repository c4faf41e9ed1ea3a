// A step, a condition or an event setting as one plain sentence, so that a flow can be read without opening it.
import { comparisonSigns, type NumberComparison } from '@yagura/core/alerthub/decide/compare-numbers';
import type { Translate } from '@yagura/core/words/translate';

type Params = Record<string, unknown>;

/** Stands for what is not filled in yet. */
const blank = '…';
const maxCharacters = 120;

/** What a step does; `kind` is that of its operator. An unknown operator is told by its id and parameters. */
export function stepSentence(
  step: { operatorId: string; params: Params },
  kind: 'test' | 'transform' | undefined,
  t: Translate,
): string {
  const { operatorId, params } = step;
  if (kind === 'test') {
    const wanted = testSentence(operatorId, params, t);
    if (wanted) return t('alerthub.continue-if', { sentence: wanted });
  }
  return (
    (kind === 'transform' ? transformSentence(operatorId, params, t) : undefined) ?? bare(operatorId, params)
  );
}

function testSentence(id: string, params: Params, t: Translate): string | undefined {
  const path = text(params.source);
  switch (id) {
    case 'text-compare': {
      const wanted = params.comparison === 'inList' ? list(params.values) : text(params.value);
      return t(`why.text.${text(params.comparison ?? 'equals')}`, { path, wanted });
    }
    case 'number-compare':
      return t('why.number', { path, sign: sign(params.comparison), wanted: text(params.value) });
    case 'date-time-compare':
      return t(`why.time.${text(params.comparison ?? 'before')}`, {
        path,
        reference: text(params.time ?? params.reference ?? 'message.receivedAt'),
        seconds: text(params.seconds),
      });
    case 'exists':
      return t('why.exists', { path });
    case 'not-exists':
      return t('why.notExists', { path });
    case 'regex-match':
      return t(params.matches === false ? 'why.regex.matchesNot' : 'why.regex.matches', {
        path,
        pattern: text(params.pattern),
      });
    default:
      return undefined;
  }
}

const arithmeticSigns: Record<string, string> = { add: '+', subtract: '−', multiply: '×', divide: '÷' };

function transformSentence(id: string, params: Params, t: Translate): string | undefined {
  const words = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, text(value)]));
  const common = { source: blank, destination: blank, ...words };
  switch (id) {
    case 'json-parse':
    case 'extract':
    case 'trim':
    case 'html-to-text':
      return t(`alerthub.step.${id}`, common);
    case 'regex-extract':
      return t('alerthub.step.regex-extract', { pattern: blank, ...common });
    case 'replace':
      return t('alerthub.step.replace', {
        search: blank,
        ...common,
        replacement: String(params.replacement ?? ''),
      });
    case 'split':
      return t('alerthub.step.split', { separator: blank, ...common });
    case 'change-case':
      return t('alerthub.step.change-case', { ...common, to: option(params.to, t) });
    case 'date-shift':
      return t(`alerthub.step.date-shift.${params.direction === 'subtract' ? 'subtract' : 'add'}`, {
        seconds: blank,
        ...common,
      });
    case 'arithmetic':
      return t('alerthub.step.arithmetic', {
        ...common,
        sign: arithmeticSigns[String(params.operation)] ?? blank,
        value: text(params.value ?? params.valuePath),
      });
    case 'lookup-table':
      return t('alerthub.step.lookup-table', { ...common, count: Object.keys(Object(params.table)).length });
    case 'concatenate':
      return t('alerthub.step.concatenate', { template: blank, ...common });
    case 'remove-elements':
      return t('alerthub.step.remove-elements', { ...common, elements: list(params.elements) });
    default:
      return undefined;
  }
}

/** What a trigger's condition asks. */
export function conditionSentence(condition: { conditionId: string; params: Params }, t: Translate): string {
  const { conditionId, params } = condition;
  const value = params.value === undefined ? blank : t(`why.value.${params.value}`);
  const common = {
    value,
    sign: sign(params.comparison),
    number: text(params.number),
    seconds: text(params.seconds),
    countSign: sign(params.countComparison),
    wantedCount: text(params.count),
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
        name: text(params.name),
      });
    case 'scope-status':
      return t(params.comparison === 'ne' ? 'why.condition.statusNot' : 'why.condition.status', {
        when: t(`why.when.${params.when === 'before' ? 'before' : 'after'}`),
        status: params.status === undefined ? blank : t(`why.status.${params.status}`),
      });
    case 'event-value-after':
      return t('why.condition.valueAfter', common);
    case 'severity-after':
      return t('why.condition.severityAfter', { ...common, name: text(params.name) });
    case 'scope-status-after':
      return t(params.comparison === 'ne' ? 'why.condition.statusLaterNot' : 'why.condition.statusLater', {
        ...common,
        status: params.status === undefined ? blank : t(`why.status.${params.status}`),
      });
    default:
      return bare(conditionId, params);
  }
}

/** What a filter of related messages asks. */
export function relatedSentence(filter: { filterId: string; params: Params }, t: Translate): string {
  const { filterId, params } = filter;
  if (filterId === 'same-severity-name')
    return t(params.comparison === 'ne' ? 'related.same-not' : 'related.same');
  // The others ask of another event what a condition of the same name asks of the trigger's.
  return conditionSentence({ conditionId: filterId, params }, t);
}

/** A literal text, or where it is read. */
export function sourceText(source: unknown, t: Translate): string {
  if (typeof source === 'string') return text(source);
  const { literal, path } = Object(source) as { literal?: unknown; path?: unknown };
  return path === undefined ? text(literal) : t('alerthub.from-path', { path: text(path) });
}

/** `+1`, `-2`. */
export function deltaText(delta: unknown): string {
  return typeof delta === 'number' && delta > 0 ? `+${delta}` : text(delta);
}

/** What an event setting of a rule does; `scope` names whom it is done to. */
export function eventSentence(
  param: { severityName?: unknown; delta?: unknown },
  scope: string,
  t: Translate,
): string {
  return t('alerthub.event-sentence', {
    name: sourceText(param.severityName ?? { literal: 'default' }, t),
    scope,
    delta: deltaText(param.delta),
  });
}

/** The scopes that attribute conditions pick. */
export function attributesSentence(
  attributes: { name?: unknown; op?: unknown; value?: unknown }[],
  t: Translate,
): string {
  const wanted = attributes.map(({ name, op, value }) =>
    t('alerthub.attribute-sentence', {
      name: text(name),
      op: op === undefined ? blank : t(`value.${op}`),
      value: op === 'pr' ? '' : sourceText(value ?? '', t),
    })
      .replace(/ {2,}/g, ' ')
      .trim(),
  );
  return t('alerthub.scopes-where', { wanted: wanted.join(t('alerthub.and')) || blank });
}

function bare(id: string, params: Params): string {
  const given = Object.entries(params).map(([name, value]) => `${name}: ${text(value)}`);
  return given.length === 0 ? id : `${id} (${given.join(', ')})`;
}

function text(value: unknown): string {
  if (value === undefined || value === null || value === '') return blank;
  const whole = typeof value === 'string' ? value : JSON.stringify(value);
  return whole.length > maxCharacters ? `${whole.slice(0, maxCharacters)}…` : whole;
}

function list(value: unknown): string {
  return Array.isArray(value) ? text(value.join(', ')) : blank;
}

function sign(comparison: unknown): string {
  return comparisonSigns[comparison as NumberComparison] ?? blank;
}

function option(value: unknown, t: Translate): string {
  return value === undefined ? blank : t(`operator.option.${value}`);
}
