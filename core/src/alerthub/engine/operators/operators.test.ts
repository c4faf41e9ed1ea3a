import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { FlowData, messageView } from '../data/flow-data.ts';
import { WorkBudget } from '../data/work-budget.ts';
import { FlowError } from '../errors/flow-error.ts';
import { maxRenderWork } from '../template/render-template.ts';
import type { StepResult } from './define-operator.ts';
import { findOperator, operators } from './operators.ts';

const body = {
  level: 'CRITICAL',
  count: 12,
  text: ' 42 ',
  flag: true,
  none: null,
  list: ['a', 'b'],
  nested: { 'a.b': { c: 'deep' } },
  json: '{"x":{"y":[1,2]}}',
  at: '2026-01-02T03:00:00Z',
  html: '<head><style>p{}</style></head><p>Disk <b>full</b></p><script>x()</script>',
  huge: 'x'.repeat(1_100_000),
};

function run(operatorId: string, params: Record<string, unknown>): StepResult {
  const data = new FlowData({
    message: messageView({
      receivedAt: '2026-01-02T03:04:05.000Z',
      receiveSlotId: 's',
      receiveSlotKind: 'webhook',
      content: { body: JSON.stringify(body) },
      metadata: { headers: { 'user-agent': 'probe/1.0' } },
    }),
  });
  return findOperator(operatorId)!.compile(params)(data);
}

const at = (name: string): string => `message.content.data.${name}`;

describe('tests', () => {
  it.each<[string, Record<string, unknown>, StepResult['outcome'], string | null]>([
    ['text-compare', { source: at('level'), comparison: 'equals', value: 'CRITICAL' }, 'passed', 'CRITICAL'],
    ['text-compare', { source: at('level'), comparison: 'equals', value: 'critical' }, 'stopped', 'CRITICAL'],
    [
      'text-compare',
      { source: at('level'), comparison: 'equals', value: 'critical', ignoreCase: true },
      'passed',
      'CRITICAL',
    ],
    ['text-compare', { source: at('level'), comparison: 'notEquals', value: 'ok' }, 'passed', 'CRITICAL'],
    ['text-compare', { source: at('level'), comparison: 'contains', value: 'RIT' }, 'passed', 'CRITICAL'],
    ['text-compare', { source: at('level'), comparison: 'contains', value: '' }, 'passed', 'CRITICAL'],
    ['text-compare', { source: at('level'), comparison: 'notContains', value: 'RIT' }, 'stopped', 'CRITICAL'],
    ['text-compare', { source: at('level'), comparison: 'startsWith', value: 'CRIT' }, 'passed', 'CRITICAL'],
    ['text-compare', { source: at('level'), comparison: 'endsWith', value: 'CRIT' }, 'stopped', 'CRITICAL'],
    [
      'text-compare',
      { source: at('level'), comparison: 'inList', values: ['a', 'CRITICAL'] },
      'passed',
      'CRITICAL',
    ],
    ['text-compare', { source: at('level'), comparison: 'inList', values: ['a'] }, 'stopped', 'CRITICAL'],
    [
      'text-compare',
      { source: at('level'), comparison: 'inList', values: ['Critical'], ignoreCase: true },
      'passed',
      'CRITICAL',
    ],
    ['text-compare', { source: at('count'), comparison: 'equals', value: '12' }, 'passed', '12'],
    ['text-compare', { source: at('flag'), comparison: 'equals', value: 'true' }, 'passed', 'true'],
    ['text-compare', { source: at('list'), comparison: 'contains', value: '"a"' }, 'passed', '["a","b"]'],
    ['text-compare', { source: at('gone'), comparison: 'equals', value: '' }, 'stopped', null],
    ['text-compare', { source: at('gone'), comparison: 'notEquals', value: 'x' }, 'passed', null],
    ['text-compare', { source: at('none'), comparison: 'notContains', value: 'x' }, 'passed', null],
    [
      'text-compare',
      { source: at('constructor.name'), comparison: 'equals', value: 'Object' },
      'stopped',
      null,
    ],
    [
      'text-compare',
      { source: at('nested["a.b"].c'), comparison: 'equals', value: 'deep' },
      'passed',
      'deep',
    ],
    [
      'text-compare',
      { source: 'message.metadata.headers.user-agent', comparison: 'startsWith', value: 'probe' },
      'passed',
      'probe/1.0',
    ],
    ['number-compare', { source: at('count'), comparison: 'eq', value: 12 }, 'passed', '12'],
    ['number-compare', { source: at('count'), comparison: 'ne', value: 12 }, 'stopped', '12'],
    ['number-compare', { source: at('count'), comparison: 'ge', value: 12 }, 'passed', '12'],
    ['number-compare', { source: at('count'), comparison: 'le', value: 11.5 }, 'stopped', '12'],
    ['number-compare', { source: at('count'), comparison: 'gt', value: 12 }, 'stopped', '12'],
    ['number-compare', { source: at('count'), comparison: 'lt', value: 13 }, 'passed', '12'],
    ['number-compare', { source: at('text'), comparison: 'eq', value: 42 }, 'passed', ' 42 '],
    [
      'number-compare',
      { source: at('text'), comparison: 'lt', value: '42.00000000000000000001' },
      'passed',
      ' 42 ',
    ],
    ['number-compare', { source: at('level'), comparison: 'ne', value: 1 }, 'stopped', 'CRITICAL'],
    ['number-compare', { source: at('list'), comparison: 'ge', value: 0 }, 'stopped', '["a","b"]'],
    ['number-compare', { source: at('list.length'), comparison: 'eq', value: 2 }, 'passed', '2'],
    ['date-time-compare', { source: at('at'), comparison: 'before' }, 'passed', '2026-01-02T03:00:00Z'],
    ['date-time-compare', { source: at('at'), comparison: 'after' }, 'stopped', '2026-01-02T03:00:00Z'],
    [
      'date-time-compare',
      { source: at('at'), comparison: 'within', seconds: 245 },
      'passed',
      '2026-01-02T03:00:00Z',
    ],
    [
      'date-time-compare',
      { source: at('at'), comparison: 'within', seconds: 0, time: '2026-01-02T12:00:00+09:00' },
      'passed',
      '2026-01-02T03:00:00Z',
    ],
    [
      'date-time-compare',
      { source: at('at'), comparison: 'within', seconds: 244 },
      'stopped',
      '2026-01-02T03:00:00Z',
    ],
    [
      'date-time-compare',
      { source: at('at'), comparison: 'after', time: '2026/1/2 11:00', zone: 'Asia/Tokyo' },
      'passed',
      '2026-01-02T03:00:00Z',
    ],
    ['date-time-compare', { source: at('level'), comparison: 'before' }, 'stopped', 'CRITICAL'],
    ['exists', { source: at('level') }, 'passed', 'CRITICAL'],
    ['exists', { source: at('none') }, 'stopped', null],
    ['exists', { source: at('__proto__') }, 'stopped', null],
    ['not-exists', { source: at('none') }, 'passed', null],
    ['not-exists', { source: at('level') }, 'stopped', 'CRITICAL'],
    ['regex-match', { source: at('level'), pattern: '^CRIT' }, 'passed', 'CRITICAL'],
    ['regex-match', { source: at('level'), pattern: '^crit', ignoreCase: true }, 'passed', 'CRITICAL'],
    ['regex-match', { source: at('level'), pattern: 'x', matches: false }, 'passed', 'CRITICAL'],
    ['regex-match', { source: at('gone'), pattern: '' + '.*' }, 'stopped', null],
    ['regex-match', { source: at('gone'), pattern: 'x', matches: false }, 'passed', null],
    ['regex-match', { source: at('huge'), pattern: 'x' }, 'failed', `${'x'.repeat(199)}…`],
  ])('%s %j', (operatorId, params, outcome, seen) => {
    const result = run(operatorId, params);
    expect({ outcome: result.outcome, seen: result.seen }).toEqual({ outcome, seen });
    expect(result.write).toBe(undefined);
  });
});

describe('transforms', () => {
  it.each<[string, Record<string, unknown>, unknown]>([
    ['json-parse', { source: at('json') }, { x: { y: [1, 2] } }],
    ['extract', { source: at('nested["a.b"].c') }, 'deep'],
    ['extract', { source: at('none') }, null],
    ['regex-extract', { source: at('json'), pattern: '"y":\\[(\\d)' }, '1'],
    ['regex-extract', { source: at('level'), pattern: 'RIT' }, 'RIT'],
    ['regex-extract', { source: at('level'), pattern: '(?<head>C.)(I)', group: 'head' }, 'CR'],
    ['regex-extract', { source: at('level'), pattern: '(C.)(I)', group: 2 }, 'I'],
    ['regex-extract', { source: at('level'), pattern: '(C.)(I)', group: 0 }, 'CRI'],
    ['replace', { source: at('level'), search: 'C', replacement: 'k' }, 'kRITIkAL'],
    ['replace', { source: at('level'), search: 'c', replacement: '', ignoreCase: true }, 'RITIAL'],
    ['replace', { source: at('level'), search: '.', replacement: 'x' }, 'CRITICAL'],
    ['replace', { source: at('level'), search: '(I)(.)', replacement: '$2$1', regex: true }, 'CRTICIAL'],
    ['replace', { source: at('level'), search: 'C', replacement: '$1' }, '$1RITI$1AL'],
    ['change-case', { source: at('level'), to: 'lower' }, 'critical'],
    ['change-case', { source: at('list'), to: 'upper' }, '["A","B"]'],
    ['trim', { source: at('text') }, '42'],
    ['split', { source: at('level'), separator: 'I' }, ['CR', 'T', 'CAL']],
    ['split', { source: at('text'), separator: '4', trim: true }, ['', '2']],
    ['date-shift', { source: at('at'), direction: 'add', seconds: 90 }, '2026-01-02T03:01:30.000Z'],
    ['date-shift', { source: at('at'), direction: 'subtract', seconds: 3600 }, '2026-01-02T02:00:00.000Z'],
    ['arithmetic', { source: at('count'), operation: 'divide', value: 5 }, 2.4],
    ['arithmetic', { source: at('text'), operation: 'subtract', valuePath: at('count') }, 30],
    ['arithmetic', { source: at('count'), operation: 'multiply', value: 0 }, 0],
    ['arithmetic', { source: at('count'), operation: 'add', value: -12 }, 0],
    ['lookup-table', { source: at('level'), table: { CRITICAL: 'red' } }, 'red'],
    ['lookup-table', { source: at('gone'), table: {}, otherwise: 'grey' }, 'grey'],
    [
      'concatenate',
      {
        template:
          '{{message.content.data.level}}: {{message.content.data.gone}}<{{{message.content.data.list}}}>',
      },
      'CRITICAL: <["a","b"]>',
    ],
    ['remove-elements', { source: at('html') }, '<p>Disk <b>full</b></p>'],
    [
      'remove-elements',
      { source: at('html'), elements: ['P', 'style'] },
      '<head></head><script>x()</script>',
    ],
    ['html-to-text', { source: at('html') }, 'Disk full'],
  ])('%s %j', (operatorId, params, value) => {
    const result = run(operatorId, { ...params, destination: 'made' });
    expect(result).toMatchObject({ outcome: 'passed', write: { name: 'made', value } });
  });

  it.each<[string, Record<string, unknown>, StepResult['outcome'], string]>([
    ['json-parse', { source: at('level') }, 'stopped', 'why.json.invalid'],
    ['json-parse', { source: at('count') }, 'stopped', 'why.noText'],
    ['extract', { source: at('gone') }, 'stopped', 'why.noValue'],
    ['extract', { source: 'constructor' }, 'stopped', 'why.noValue'],
    ['regex-extract', { source: at('level'), pattern: 'x' }, 'stopped', 'why.regex.noMatch'],
    ['regex-extract', { source: at('level'), pattern: 'C|(x)' }, 'stopped', 'why.regex.noMatch'],
    ['regex-extract', { source: at('gone'), pattern: 'x' }, 'stopped', 'why.noValue'],
    ['regex-extract', { source: at('huge'), pattern: 'x' }, 'failed', 'why.tooLong'],
    ['replace', { source: at('huge'), search: 'x' }, 'failed', 'why.tooLong'],
    ['replace', { source: at('level'), search: 'C', replacement: 'x'.repeat(65_536) }, 'passed', 'why.wrote'],
    ['replace', { source: at('none'), search: 'C' }, 'stopped', 'why.noValue'],
    ['trim', { source: at('huge') }, 'failed', 'why.tooLong'],
    ['date-shift', { source: at('level'), direction: 'add', seconds: 1 }, 'stopped', 'why.time.none'],
    ['arithmetic', { source: at('count'), operation: 'divide', value: 0 }, 'failed', 'why.arithmetic.byZero'],
    [
      'arithmetic',
      { source: at('count'), operation: 'multiply', value: 1e308 },
      'failed',
      'why.arithmetic.outOfRange',
    ],
    ['arithmetic', { source: at('level'), operation: 'add', value: 1 }, 'stopped', 'why.noNumber'],
    [
      'arithmetic',
      { source: at('count'), operation: 'add', valuePath: at('level') },
      'stopped',
      'why.noNumber',
    ],
    ['lookup-table', { source: at('level'), table: { x: 'y' } }, 'stopped', 'why.table.none'],
    ['concatenate', { template: '{{message.content.data.huge}}' }, 'failed', 'why.template.outputLong'],
  ])('%s %j does not write', (operatorId, params, outcome, word) => {
    const result = run(operatorId, { ...params, destination: 'made' });
    expect([result.outcome, result.reason.word]).toEqual([outcome, word]);
  });

  it('never looks up a table entry on the prototype', () => {
    const params = { source: 'message.receiveSlotKind', table: { a: 'b' }, destination: 'made' };
    const data = new FlowData({ message: { receiveSlotKind: 'constructor' } });
    expect(findOperator('lookup-table')!.compile(params)(data).outcome).toBe('stopped');
  });

  it('counts a template that fails as one that takes all it may', () => {
    const template = findOperator('concatenate')!.compile({
      template: '{{long}}{{long}}',
      destination: 'made',
    });
    const long = 'x'.repeat(600_000);
    const data = new FlowData({ long }, new WorkBudget(maxRenderWork, 'why.elements.tooMuchWork'));
    expect(template(data)).toMatchObject({ outcome: 'failed', reason: { word: 'why.template.outputLong' } });
    expect(() => template(data)).toThrow(FlowError);
  });

  it('bounds the work of a step that grows text', () => {
    const source = at('list');
    const result = run('replace', {
      source,
      search: 'a',
      replacement: 'x'.repeat(65_536),
      destination: 'made',
    });
    expect(result.outcome).toBe('passed');
    const data = new FlowData({ t: 'a'.repeat(1000) });
    const grow = findOperator('replace')!.compile({
      source: 't',
      search: 'a',
      replacement: 'x'.repeat(2000),
      destination: 'u',
    });
    expect(grow(data)).toMatchObject({ outcome: 'failed', reason: { word: 'why.tooLong' } });
  });
});

describe('parameters', () => {
  it.each<[string, Record<string, unknown>, string, string]>([
    ['text-compare', {}, 'params.source', 'why.param.missing'],
    ['text-compare', { source: 'a', comparison: 'equals' }, 'params.value', 'why.param.missing'],
    ['text-compare', { source: 'a', comparison: 'inList', value: 'x' }, 'params.values', 'why.param.missing'],
    [
      'text-compare',
      { source: 'a', comparison: 'like', value: 'x' },
      'params.comparison',
      'why.param.choice',
    ],
    ['text-compare', { source: 'a..b', comparison: 'equals', value: 'x' }, 'params.source', 'why.path.bad'],
    ['text-compare', { source: 'a', comparison: 'equals', value: 5 }, 'params.value', 'why.param.type'],
    [
      'text-compare',
      { source: 'a', comparison: 'equals', value: 'x', extra: 1 },
      'params.extra',
      'why.param.unknown',
    ],
    ['number-compare', { source: 'a', comparison: 'eq', value: 'x' }, 'params.value', 'why.param.type'],
    ['number-compare', { source: 'a', comparison: 'eq' }, 'params.value', 'why.param.missing'],
    [
      'number-compare',
      { source: 'a', comparison: 'eq', value: Number.NaN },
      'params.value',
      'why.param.invalid',
    ],
    ['date-time-compare', { source: 'a', comparison: 'within' }, 'params.seconds', 'why.param.missing'],
    ['date-time-compare', { source: 'a', comparison: 'before', time: 'x' }, 'params.time', 'why.param.time'],
    [
      'date-time-compare',
      { source: 'a', comparison: 'before', zone: 'Mars/One' },
      'params.zone',
      'why.param.zone',
    ],
    ['exists', { source: '' }, 'params.source', 'why.param.missing'],
    ['not-exists', { source: 5 }, 'params.source', 'why.param.type'],
    ['regex-match', { source: 'a', pattern: '(' }, 'params.pattern', 'why.regex.invalid'],
    ['regex-match', { source: 'a', pattern: '(?=x)' }, 'params.pattern', 'why.regex.lookAround'],
    [
      'regex-extract',
      { source: 'a', pattern: '(x)', group: 2, destination: 'd' },
      'params.group',
      'why.regex.noGroup',
    ],
    [
      'regex-extract',
      { source: 'a', pattern: '(x)', destination: 'message' },
      'params.destination',
      'why.name.reserved',
    ],
    ['json-parse', { source: 'a', destination: '1x' }, 'params.destination', 'why.name.bad'],
    ['extract', { source: 'a', destination: '__proto__' }, 'params.destination', 'why.name.reserved'],
    ['replace', { source: 'a', search: '', destination: 'd' }, 'params.search', 'why.param.missing'],
    [
      'replace',
      { source: 'a', search: '(', regex: true, destination: 'd' },
      'params.search',
      'why.regex.invalid',
    ],
    [
      'replace',
      { source: 'a', search: 'a', replacement: '$1', regex: true, destination: 'd' },
      'params.replacement',
      'why.regex.noGroup',
    ],
    ['change-case', { source: 'a', to: 'title', destination: 'd' }, 'params.to', 'why.param.choice'],
    ['trim', { source: 'a' }, 'params.destination', 'why.param.missing'],
    ['split', { source: 'a', separator: '', destination: 'd' }, 'params.separator', 'why.param.missing'],
    [
      'date-shift',
      { source: 'a', direction: 'add', seconds: -1, destination: 'd' },
      'params.seconds',
      'why.param.tooSmall',
    ],
    ['arithmetic', { source: 'a', operation: 'add', destination: 'd' }, 'params.value', 'why.param.missing'],
    ['lookup-table', { source: 'a', table: { x: 1 }, destination: 'd' }, 'params.table.x', 'why.param.type'],
    ['concatenate', { template: '{{a', destination: 'd' }, 'params.template', 'why.template.unclosedTag'],
    [
      'remove-elements',
      { source: 'a', elements: ['<b>'], destination: 'd' },
      'params.elements.0',
      'why.param.invalid',
    ],
    ['html-to-text', { source: 'a', elements: 'b', destination: 'd' }, 'params.elements', 'why.param.type'],
  ])('%s %j names %s', (operatorId, params, path, word) => {
    let thrown: unknown;
    try {
      findOperator(operatorId)!.compile(params);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(FlowError);
    expect([(thrown as FlowError).path, (thrown as FlowError).reason.word]).toEqual([path, word]);
  });
});

describe('catalogue', () => {
  it('has ids of its own and no prototype members', () => {
    expect(new Set(operators.map(({ operatorId }) => operatorId)).size).toBe(operators.length);
    expect(findOperator('constructor')).toBe(undefined);
  });
  it.each(operators.map((operator) => [operator.operatorId, operator] as const))(
    '%s describes itself',
    (_id, operator) => {
      expect(operator.params).toMatchObject({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        additionalProperties: false,
      });
      expect(JSON.parse(JSON.stringify(operator.params))).toEqual(operator.params);
      for (const property of Object.values(
        operator.params.properties as Record<string, { title?: string }>,
      )) {
        expect(property.title).toBeTruthy();
      }
      expect(() => z.fromJSONSchema(operator.params as Parameters<typeof z.fromJSONSchema>[0])).not.toThrow();
      expect(operator.displayName.ja).not.toBe(operator.displayName.en);
    },
  );
});

describe.each([
  ['json-parse', 6],
  ['html-to-text', 2],
  ['remove-elements', 2],
])('%s', (operatorId, maxSteps) => {
  const million = '1'.padEnd(1_000_000);
  const stepOf = (id: string) => findOperator(id)!.compile({ source: 'text', destination: 'made' });
  const parse = stepOf(operatorId);

  it('fails once a flow has parsed five million characters, of which one of HTML counts as five', () => {
    const data = new FlowData({ text: million });
    for (let count = 0; count < maxSteps; count++) expect(parse(data).outcome).toBe('passed');
    for (const step of [parse, stepOf('json-parse'), stepOf('html-to-text')])
      expect(() => step(data)).toThrow(
        expect.objectContaining({ reason: { word: 'why.parse.tooMuchWork', params: { path: 'text' } } }),
      );
    expect(stepOf('trim')(data).outcome).toBe('passed');
    expect(parse(new FlowData({ text: million })).outcome).toBe('passed');
  });

  it('counts more than reading does, of what all elements may take', () => {
    const budget = new WorkBudget(
      (maxSteps === 2 ? 25 : 5) * 1_000_000 + 3_000_000,
      'why.elements.tooMuchWork',
    );
    const dataOf = () => new FlowData({ text: million }, budget);
    expect(parse(dataOf()).outcome).toBe('passed');
    expect(() => parse(dataOf())).toThrow(FlowError);
  });
});
