import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { QueryError } from './query-error.ts';
import { parseSearch } from './search.ts';
import { matchesSearch } from './search-match.ts';
import { printSearch } from './search-print.ts';
import type { Search } from './search-tree.ts';
import { searchFields, searchLimits } from './search-tree.ts';
import { matchesWildcard, wildcardLiteral, wildcardToLike } from './wildcard.ts';

// Fixed seed, so that every run tests the same cases.
fc.configureGlobal({ seed: 20260131 });

const text = (field: string | null, value: string): Search => ({ op: 'text', field, value });
const range = (field: string, from: string | null, to: string | null, brackets = '[]'): Search => ({
  op: 'range',
  field,
  from,
  to,
  includesFrom: brackets[0] === '[',
  includesTo: brackets[1] === ']',
});

describe('parseSearch', () => {
  test.each<[string, Search]>([
    ['', { op: 'all' }],
    [' * ', { op: 'all' }],
    ['router', text(null, 'router')],
    ['"Main Router"', text(null, 'Main Router')],
    ['a b', { op: 'and', items: [text(null, 'a'), text(null, 'b')] }],
    ['a AND b c', { op: 'and', items: [text(null, 'a'), text(null, 'b'), text(null, 'c')] }],
    [
      'a b OR c',
      { op: 'or', items: [{ op: 'and', items: [text(null, 'a'), text(null, 'b')] }, text(null, 'c')] },
    ],
    ['NOT a b', { op: 'and', items: [{ op: 'not', item: text(null, 'a') }, text(null, 'b')] }],
    ['NOT(a OR b)', { op: 'not', item: { op: 'or', items: [text(null, 'a'), text(null, 'b')] } }],
    ['and or not', { op: 'and', items: [text(null, 'and'), text(null, 'or'), text(null, 'not')] }],
    ['\\AND', text(null, 'AND')],
    ['hostname:web01', text('hostname', 'web01')],
    ['hostname:"web 01"', text('hostname', 'web 01')],
    ['hostname:""', text('hostname', '')],
    ['hostname:web*', { op: 'like', field: 'hostname', pattern: 'web*' }],
    ['we?01*', { op: 'like', field: null, pattern: 'we?01*' }],
    ['a\\*b', text(null, 'a*b')],
    ['a\\*b*', { op: 'like', field: null, pattern: 'a\\*b*' }],
    ['serial:*', { op: 'present', field: 'serial' }],
    ['tag.env:prod', text('tag.env', 'prod')],
    ['tag.my\\ key:prod', text('tag.my key', 'prod')],
    ['タグ:本番', text('タグ', '本番')],
    ['hostname:(a OR b)', { op: 'or', items: [text('hostname', 'a'), text('hostname', 'b')] }],
    ['mac:(00:11:22:33:44:55 b)', { op: 'and', items: [text('mac', '00:11:22:33:44:55'), text('mac', 'b')] }],
    ['addr:10.0.0.0/24', { op: 'cidr', field: 'addr', network: '10.0.0.0/24' }],
    ['10.0.0.77/24', { op: 'cidr', field: null, network: '10.0.0.0/24' }],
    ['addr:2001:db8::1/32', { op: 'cidr', field: 'addr', network: '2001:db8::/32' }],
    ['2001:db8::1', text(null, '2001:db8::1')],
    ['aa:bb:cc:dd:ee:ff', text(null, 'aa:bb:cc:dd:ee:ff')],
    ['aa:bb:cc', text(null, 'aa:bb:cc')],
    ['ifname:Gi0/1', text('ifname', 'Gi0/1')],
    [
      'package:openssl<3.0.0',
      { op: 'version', field: 'package', name: 'openssl', comparator: 'lt', version: '3.0.0' },
    ],
    [
      'package:openssl*>=1:1.1',
      { op: 'version', field: 'package', name: 'openssl*', comparator: 'ge', version: '1:1.1' },
    ],
    [
      'package:"my app"="1 2"',
      { op: 'version', field: 'package', name: 'my app', comparator: 'eq', version: '1 2' },
    ],
    ['cores:>=4', { op: 'compare', field: 'cores', comparator: 'ge', value: '4' }],
    ['state:=new', text('state', 'new')],
    ['addr:[10.0.0.1 TO 10.0.0.9]', range('addr', '10.0.0.1', '10.0.0.9')],
    ['at:{2026-01-01 TO *]', range('at', '2026-01-01', null, '{]')],
    ['at:["a b" TO TOM}', range('at', 'a b', 'TOM', '[}')],
    ['networkId:n1 AND (web)', { op: 'and', items: [text('networkId', 'n1'), text(null, 'web')] }],
  ])('%s', (query, tree) => {
    expect(parseSearch(query)).toEqual(tree);
    expect(parseSearch(printSearch(tree))).toEqual(tree);
  });

  test.each([
    ['AND a', 0, 'term'],
    ['a AND', 5, 'term'],
    ['a OR OR b', 5, 'term'],
    ['NOT', 3, 'term'],
    ['()', 1, 'term'],
    ['(a', 2, 'closing-bracket'],
    ['a)', 1, 'end'],
    ['a "b', 4, 'string-end'],
    ['""', 0, 'term'],
    ['host:', 5, 'value'],
    ['host: web', 5, 'value'],
    [':web', 0, 'field'],
    ['ho*t:web', 2, 'field'],
    ['openssl<3', 7, 'field'],
    ['[a TO b]', 0, 'field'],
    ['cores:>', 7, 'value'],
    ['cores:>=a*', 9, 'value'],
    ['package:a<1<2', 11, 'value'],
    ['addr:10.0.0.0/33', 5, 'cidr'],
    ['addr:10.0.0.256/24', 5, 'cidr'],
    ['addr:2001:db8::/129', 5, 'cidr'],
    ['at:[a b]', 6, 'range-to'],
    ['at:[a TO]', 8, 'value'],
    ['at:[a TO b', 10, 'range-end'],
    ['at:[TO b]', 4, 'value'],
    ['a\\', 2, 'value'],
  ])('%j fails at %i: %s', (query, position, expected) => {
    expect(() => parseSearch(query)).toThrow(expect.objectContaining({ position, expected }));
  });

  test('bounds hostile input', () => {
    const { length, depth, terms } = searchLimits;
    expect(() => parseSearch('a'.repeat(length + 1))).toThrow(
      expect.objectContaining({ expected: 'shorter' }),
    );
    expect(() => parseSearch('('.repeat(depth + 1))).toThrow(
      expect.objectContaining({ expected: 'shallower' }),
    );
    expect(() => parseSearch('NOT '.repeat(1000))).toThrow(
      expect.objectContaining({ expected: 'shallower' }),
    );
    expect(() => parseSearch('a:('.repeat(1000))).toThrow(expect.objectContaining({ expected: 'shallower' }));
    expect(() => parseSearch('a '.repeat(terms + 1))).toThrow(
      expect.objectContaining({ expected: 'fewer-terms' }),
    );
  });

  test('names its fields', () => {
    expect(searchFields(parseSearch('a:1 OR NOT (b:2 c a:[1 TO 2])'))).toEqual(['a', 'b']);
  });
});

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
  fc.constantFrom('AND', 'OR', 'NOT', 'TO', '*', 'a:b', '<', '10.0.0.0/8', 'a\\', '::1', '"'),
);
const fieldName = fc.oneof(fc.constantFrom('addr', 'tag.env', 'AND', 'b', '12'), anyText);
const field = fc.oneof(fc.constant(null), fieldName);
const pattern = fc
  .array(fc.oneof(fc.constantFrom('*', '?'), anyText.map(wildcardLiteral)), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(''));
const wild = pattern.filter((value) => /[*?]/.test(value.replace(/\\./gsu, '')) && value !== '*');
const trees = fc.letrec<{ tree: Search }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    fc.constant<Search>({ op: 'all' }),
    fc.record({ op: fc.constant('text' as const), field, value: anyText }),
    fc.record({ op: fc.constant('like' as const), field, pattern: wild }),
    fc.record({ op: fc.constant('present' as const), field: fieldName }),
    fc.record({
      op: fc.constant('compare' as const),
      field: fieldName,
      comparator: fc.constantFrom('lt' as const, 'le' as const, 'gt' as const, 'ge' as const),
      value: anyText,
    }),
    fc.record({
      op: fc.constant('range' as const),
      field: fieldName,
      from: fc.oneof(fc.constant(null), anyText),
      to: fc.oneof(fc.constant(null), anyText),
      includesFrom: fc.boolean(),
      includesTo: fc.boolean(),
    }),
    fc.record({
      op: fc.constant('cidr' as const),
      field,
      network: fc.constantFrom('10.0.0.0/8', '2001:db8::/32', '::/0'),
    }),
    fc.record({
      op: fc.constant('version' as const),
      field: fieldName,
      name: pattern,
      comparator: fc.constantFrom('lt' as const, 'le' as const, 'gt' as const, 'ge' as const, 'eq' as const),
      version: anyText,
    }),
    fc.record({ op: fc.constant('not' as const), item: tie('tree') }),
    fc.record({
      op: fc.constantFrom('and' as const, 'or' as const),
      items: fc.array(tie('tree'), { minLength: 2, maxLength: 3 }),
    }),
  ),
})).tree;

test('parse(print(x)) is x', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(trees, (tree) => {
      expect(parseSearch(printSearch(tree))).toEqual(tree);
    }),
    { numRuns: 2000 },
  );
});

test('any text gives a tree that survives printing, or a QueryError inside the text', {
  timeout: 60_000,
}, () => {
  const pieces = fc.constantFrom(
    'a',
    'b:',
    '(',
    ')',
    '"',
    '\\',
    '[',
    ' TO ',
    ']',
    '<',
    '=',
    '*',
    ' AND ',
    ' NOT ',
    ' ',
    '/',
    '1.1.1.1',
    ':',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(pieces).map((list) => list.join('')),
      ),
      (query) => {
        let tree: Search;
        try {
          tree = parseSearch(query);
        } catch (error) {
          expect(error).toBeInstanceOf(QueryError);
          expect((error as QueryError).position).toBeLessThanOrEqual(query.length);
          return;
        }
        expect(parseSearch(printSearch(tree))).toEqual(tree);
      },
    ),
    { numRuns: 2000 },
  );
});

describe('matchesSearch', () => {
  const node = {
    networkId: 'n1',
    displayName: 'Core Switch 1',
    state: 'stable',
    addresses: [
      { addr: '10.0.0.7', macaddr: '00:1b:21:aa:bb:cc' },
      { addr: '2001:db8::7', macaddr: '00:1b:21:aa:bb:cd' },
    ],
    cores: 8,
    lastSeenAt: '2026-03-01T00:00:00.000Z',
    tag: { env: 'prod', 'app.kubernetes.io/name': 'edge' },
    package: [
      { name: 'openssl', version: '1.1.1f-1ubuntu2.8' },
      { name: 'bash', version: '5.1' },
    ],
  };
  const defaults = ['displayName', 'addresses.addr', 'addresses.macaddr', 'package'];
  test.each([
    ['switch', true],
    ['SWITCH core', true],
    ['"switch core"', false],
    ['core*1', true],
    ['core*2', false],
    ['00:1B:21', true],
    ['10.0.0.0/24', true],
    ['10.0.1.0/24', false],
    ['addresses.addr:2001:db8::/32', true],
    ['addresses.addr:10.0.0.7', true],
    ['addresses.addr:10.0.0', false],
    ['addresses.addr:[10.0.0.1 TO 10.0.0.10]', true],
    ['addresses.addr:[10.0.0.1 TO 10.0.0.7}', false],
    ['openssl', true],
    ['package:openssl', true],
    ['package:openssl<3.0.0', true],
    ['package:openssl<1.1.1', false],
    ['package:bash<3.0.0', false],
    ['package:*sh>=5.1', true],
    ['tag.env:prod', true],
    ['tag.app.kubernetes.io\\/name:edge', true],
    ['tag.env:*', true],
    ['tag.zone:*', false],
    ['cores:>7', true],
    ['cores:>10', false],
    ['cores:[4 TO *]', true],
    ['lastSeenAt:<2026-03-02', true],
    ['lastSeenAt:[* TO 2026-02-28]', false],
    ['NOT state:new', true],
    ['state:(new OR stable) NOT bash', false],
    ['constructor:*', false],
  ])('%s is %s', (query, expected) => {
    expect(matchesSearch(parseSearch(query), node, defaults)).toBe(expected);
  });
});

describe('wildcards', () => {
  test('agree with a regular expression', () => {
    const wanted = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '\\*'), maxLength: 8 });
    const given = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '*'), maxLength: 8 });
    fc.assert(
      fc.property(wanted, given, (pattern, value) => {
        const source = pattern.replace(/\\\*|\*|\?/g, (found) => ({ '*': '.*', '?': '.' })[found] ?? '\\*');
        expect(matchesWildcard(pattern, value)).toBe(new RegExp(`^${source}$`, 'i').test(value));
      }),
      { numRuns: 2000 },
    );
  });

  test('end soon on hostile input', () => {
    const started = process.cpuUsage();
    expect(matchesWildcard(`${'*a'.repeat(200)}b`, 'a'.repeat(5000))).toBe(false);
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(5000);
  });

  test('become LIKE patterns', () => {
    expect(wildcardToLike('a*b?c%_\\*\\\\')).toBe('a%b_c\\%\\_*\\\\');
  });
});
