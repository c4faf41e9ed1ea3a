import { describe, expect, it } from 'vitest';
import { FlowError } from '../errors/flow-error.ts';
import { toDisplayText, toEpochMs, toNumber, toText } from './convert-values.ts';
import { parsePath, readPath } from './data-path.ts';
import { FlowData } from './flow-data.ts';
import { JsonPath, queryBudget } from './json-path.ts';
import { WorkBudget } from './work-budget.ts';

const alerts = [
  { status: 'firing', labels: { alertname: 'Disk', 'a.b': 'x' }, value: 90 },
  { status: 'resolved', labels: { alertname: 'Cpu' }, value: 10 },
  { status: 'firing', labels: { alertname: 'Memory' }, value: 95 },
];
const select = (query: string, root: unknown, max = 1000) =>
  new JsonPath(query).select(root, max, queryBudget());
const reasonOf = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    if (error instanceof FlowError) return [error.path, error.reason.word];
    throw error;
  }
  return undefined;
};

describe('select', () => {
  it.each<[string, unknown[]]>([
    ['$.alerts[*].labels.alertname', ['Disk', 'Cpu', 'Memory']],
    ['$.alerts[?@.status=="firing"].labels.alertname', ['Disk', 'Memory']],
    ['$.alerts[?@.value > 90].value', [95]],
    ['$.alerts[-1].value', [95]],
    ['$.alerts[0:2].value', [90, 10]],
    ['$..["a.b"]', ['x']],
    ['$.alerts[?match(@.labels.alertname, "D.*k|x")].value', [90]],
    ['$.alerts[?match(@.labels.alertname, "is")].value', []],
    ['$.alerts[?search(@.labels.alertname, "is|or")].value', [90, 95]],
    ['$.alerts[?search(@.status, $.pattern)].value', [90, 95]],
    ['$.alerts[?search(@.status, $.badPattern)].value', []],
    ['$.alerts[?length(@.labels) == 2].value', [90]],
    ['$.alerts[?count(@.labels.*) == 1].value', [10, 95]],
    ['$.alerts[?length(@.labels.alertname) == 3].value', [10]],
    ['$.alerts[?@.labels == $.wanted].value', [10]],
    ['$.alerts[?@.value == $.none].value', []],
    ['$.alerts[?$.none == null].value', [90, 10, 95]],
    ['$.constructor', []],
    ['$.nothing[*]', []],
  ])('%s', (query, values) => {
    const root = { alerts, pattern: '^f', badPattern: '(', wanted: { alertname: 'Cpu' }, none: null };
    expect(select(query, root)).toEqual({ values, hasMore: false });
  });

  it('stops at the maximum and says that there are more', () => {
    expect(select('$[*]', [1, 2, 3], 2)).toEqual({ values: [1, 2], hasMore: true });
    expect(select('$[*]', [1, 2], 2)).toEqual({ values: [1, 2], hasMore: false });
  });

  it.each<[string, unknown]>([
    ['$[', ['', 'why.jsonPath.invalid']],
    ['$.a[?@.b', ['', 'why.jsonPath.invalid']],
    ['$.a[?nope(@)]', ['', 'why.jsonPath.invalid']],
    ['$.a[?match(@.b, "(")]', ['', 'why.regex.invalid']],
    ['$.a[?match(@.b, "a)(b")]', ['', 'why.regex.invalid']],
    ['$.a[?search(@.b, "a(?=b)")]', ['', 'why.regex.lookAround']],
    [`$.${'a'.repeat(600)}`, ['', 'why.jsonPath.long']],
    [`$[?${'('.repeat(200)}@${')'.repeat(200)}]`, undefined],
  ])('%s is checked when it is compiled', (query, because) => {
    expect(reasonOf(() => new JsonPath(query))).toEqual(because);
  });

  const wide = Array.from({ length: 3000 }, (_, index) => ({ id: index, text: 'a'.repeat(50) }));
  it.each<[string, string, unknown]>([
    ['compares every pair', '$[?count($[?@.id == 1]) == 1]', wide],
    ['compares large values', '$.list[?$.large == $.other]', { list: wide, large: wide, other: [...wide] }],
    [
      'searches a large text often',
      '$.list[?search($.text, "a.*b.*c$")]',
      { list: wide, text: 'ab'.repeat(20_000) },
    ],
    [
      'searches a text of medium length often',
      '$.list[?search($.text, "a.*b.*c$")]',
      { list: wide, text: 'ab'.repeat(500) },
    ],
    ['compares long texts often', '$.list[?$.text == "x"]', { list: wide, text: 'x'.repeat(10_000) }],
    [
      'asks for the length of a long text often',
      '$.list[?length($.text) == 1]',
      { list: wide, text: 'x'.repeat(10_000) },
    ],
    ['asks for the length of a long list often', '$.list[?length($.list) == 1]', { list: wide }],
    ['descends everywhere at every value', '$..[?count($..*) > 0]', wide],
    ['reads a list longer than a call has arguments', '$[?count($[*]) > 0]', Array(150_000).fill(0)],
    ['searches a text that is too long', '$[?search(@, "a")]', ['a'.repeat(1_000_000)]],
  ])('is refused when it %s', (_name, query, root) => {
    expect(reasonOf(() => select(query, root))).toEqual(['', 'why.jsonPath.tooMuchWork']);
  });

  const patterns = (count: number) => Array.from({ length: count }, (_, index) => `^${index}$`);
  const repeated = (count: number, times: number) => Array<string[]>(times).fill(patterns(count)).flat();

  it('searches with 99 different patterns from the data within the budget, and not with 101', () => {
    expect(select('$[?search("5", @)]', patterns(99)).values).toEqual(['^5$']);
    expect(reasonOf(() => select('$[?search("5", @)]', patterns(101)))).toEqual([
      '',
      'why.jsonPath.tooMuchWork',
    ]);
  });

  it('compiles up to 20 patterns from the data once, and more again each time', () => {
    expect(select('$[?search("5", @)]', repeated(20, 10)).values).toHaveLength(10);
    expect(reasonOf(() => select('$[?search("5", @)]', repeated(21, 10)))).toEqual([
      '',
      'why.jsonPath.tooMuchWork',
    ]);
  });

  it('is refused on data nested too deep', () => {
    const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
    expect(select('$..x', nested(63)).values).toEqual([]);
    for (const depth of [65, 10_000])
      expect(reasonOf(() => select('$..x', nested(depth)))).toEqual(['', 'why.jsonPath.tooDeep']);
  });
});

describe('as a data path', () => {
  const root = { message: { alerts }, $type: 'kept' };
  const read = (path: string) => readPath(root, parsePath(path));

  it('reads nothing, the one value, or a list whose text is that of the first value', () => {
    expect(read('$.message.nothing')).toBe(undefined);
    expect(read('$.message.alerts[1].value')).toBe(10);
    const list = read('$.message.alerts[*].value');
    expect(list).toHaveLength(3);
    expect([toText(list), toNumber(list), toEpochMs(list), toDisplayText(list)]).toEqual([
      '90',
      90,
      90_000,
      '[90,10,95]',
    ]);
  });

  it('leaves dotted paths as they are', () => {
    expect(read('$type')).toBe('kept');
    expect(parsePath('$type').keys).toEqual(['$type']);
    expect(toText(read('message.alerts'))).toBe(JSON.stringify(alerts));
  });

  it('refuses more than 1,000 values', () => {
    const many = { list: Array(1001).fill(0) };
    expect(reasonOf(() => readPath(many, parsePath('$.list[*]')))).toEqual(['', 'why.jsonPath.tooMany']);
  });

  it('writes a selection as a plain list', () => {
    const data = new FlowData(root);
    data.write('names', data.read(parsePath('$.message.alerts[*].labels.alertname')));
    expect(toText(data.root.names)).toBe('["Disk","Cpu","Memory"]');
  });

  it('counts against a shared budget', () => {
    const budget = new WorkBudget(10_000, 'why.elements.tooMuchWork');
    const data = new FlowData({ text: 'x'.repeat(4000), list: wideList() }, budget);
    data.read(parsePath('text'));
    data.read(parsePath('text'));
    expect(reasonOf(() => data.read(parsePath('text')))).toEqual(['', 'why.elements.tooMuchWork']);
    expect(reasonOf(() => data.read(parsePath('$.nothing')))).toEqual(['', 'why.elements.tooMuchWork']);
  });
});

const wideList = () => Array.from({ length: 10 }, (_, index) => index);
