// A parameter at its limit is taken, and one beyond it is refused by name: for operators, branches and conditions.
import { expect, it } from 'vitest';
import { FlowError } from '../errors/flow-error.ts';
import { conditions } from '../evaluation/trigger-conditions.ts';
import { findBranchCondition } from './branch-conditions.ts';
import { findOperator } from './operators.ts';

type Make = (size: number) => unknown;

const text: Make = (size) => 'a'.repeat(size);
const digits: Make = (size) => '1'.repeat(size);
const same: Make = (size) => size;
const list: Make = (size) => Array.from({ length: size }, () => 'a');
const table: Make = (size) => Object.fromEntries(Array.from({ length: size }, (_, at) => [at, 'a']));
const groups = (count: number, name = '') => (name ? `(?<${name}>a)` : '(a)').repeat(count);

const read = { source: 'a' };
const write = { source: 'a', destination: 'd' };
const event = { value: 'latest', comparison: 'ge', number: 1 };
const counted = { countComparison: 'ge', count: 1 };
const kinds = {
  operator: (id: string) => findOperator(id),
  branch: (id: string) => findBranchCondition(id),
  condition: (id: string) => conditions.find(({ conditionId }) => conditionId === id),
};

/** The dotted path of what is wrong, or none. */
function refusal(kind: keyof typeof kinds, id: string, params: object): string | undefined {
  try {
    kinds[kind](id)!.compile(params);
    return undefined;
  } catch (error) {
    if (!(error instanceof FlowError)) throw error;
    return `${error.path} ${error.reason.word}`;
  }
}

it.each<[keyof typeof kinds, string, string, object, number, Make]>([
  ['operator', 'exists', 'source', {}, 512, text],
  ['operator', 'extract', 'destination', read, 64, text],
  ['operator', 'text-compare', 'value', { ...read, comparison: 'equals' }, 65_536, text],
  ['operator', 'text-compare', 'values', { ...read, comparison: 'inList' }, 1000, list],
  ['operator', 'text-compare', 'values.0', { ...read, comparison: 'inList' }, 2048, (size) => [text(size)]],
  ['operator', 'number-compare', 'value', { ...read, comparison: 'eq' }, 200, digits],
  ['operator', 'date-time-compare', 'seconds', { ...read, comparison: 'within' }, 3_155_760_000, same],
  ['operator', 'date-shift', 'seconds', { ...write, direction: 'add' }, 3_155_760_000, same],
  ['operator', 'regex-extract', 'group', { ...write, pattern: groups(100) }, 99, same],
  [
    'operator',
    'regex-extract',
    'group',
    { ...write, pattern: `${groups(1, 'a'.repeat(64))}${groups(1, 'a'.repeat(65))}` },
    64,
    text,
  ],
  ['operator', 'replace', 'search', write, 65_536, text],
  ['operator', 'replace', 'replacement', { ...write, search: 'a' }, 65_536, text],
  ['operator', 'split', 'separator', write, 1000, text],
  ['operator', 'lookup-table', 'table', write, 1000, table],
  ['operator', 'lookup-table', 'table.a', write, 65_536, (size) => ({ a: text(size) })],
  ['operator', 'lookup-table', 'otherwise', { ...write, table: {} }, 65_536, text],
  ['operator', 'concatenate', 'template', { destination: 'd' }, 65_536, text],
  ['operator', 'remove-elements', 'elements', write, 100, list],
  ['operator', 'html-to-text', 'elements', write, 100, list],
  ['branch', 'step-outcome', 'step', {}, 64, text],
  ['branch', 'status-class', 'step', {}, 64, text],
  ['condition', 'severity-name', 'name', { comparison: 'eq' }, 64, text],
  ['condition', 'severity-after', 'name', { seconds: 1, comparison: 'ge', number: 1 }, 64, text],
  ['condition', 'severity-after', 'seconds', { name: 'a', comparison: 'ge', number: 1 }, 86_400, same],
  ['condition', 'event-value-after', 'seconds', event, 86_400, same],
  ['condition', 'scope-status-after', 'seconds', { comparison: 'eq', status: 'normal' }, 86_400, same],
  ['condition', 'recent-events', 'seconds', { ...event, ...counted }, 86_400, same],
  ['condition', 'recent-actions', 'seconds', counted, 86_400, same],
])('%s %s takes %s up to its limit', (kind, id, path, others, max, make) => {
  const [name = ''] = path.split('.');
  const refused = (size: number) => refusal(kind, id, { ...others, [name]: make(size) });
  expect(refused(max)).toBe(undefined);
  expect(refused(max + 1)).toMatch(new RegExp(`^params\\.${path} why\\.param\\.(tooBig|invalid)$`));
});

it.each<[keyof typeof kinds, string, string, object, number, Make]>([
  ['operator', 'exists', 'source', {}, 1, text],
  ['operator', 'extract', 'destination', read, 1, text],
  ['operator', 'regex-match', 'pattern', read, 1, text],
  ['operator', 'replace', 'search', write, 1, text],
  ['operator', 'split', 'separator', write, 1, text],
  ['operator', 'concatenate', 'template', { destination: 'd' }, 1, text],
  ['operator', 'text-compare', 'values', { ...read, comparison: 'inList' }, 1, list],
  ['operator', 'date-time-compare', 'seconds', { ...read, comparison: 'within' }, 0, same],
  ['operator', 'date-shift', 'seconds', { ...write, direction: 'add' }, 0, same],
  ['operator', 'regex-extract', 'group', { ...write, pattern: 'a' }, 0, same],
  ['operator', 'regex-extract', 'group', { ...write, pattern: '(?<a>a)' }, 1, text],
  ['branch', 'step-outcome', 'step', {}, 1, text],
  ['condition', 'severity-name', 'name', { comparison: 'eq' }, 1, text],
  ['condition', 'event-value-after', 'seconds', event, 1, same],
  ['condition', 'recent-events', 'count', { ...event, seconds: 1, countComparison: 'ge' }, 0, same],
  ['condition', 'recent-actions', 'count', { seconds: 1, countComparison: 'ge' }, 0, same],
])('%s %s takes %s down to its limit', (kind, id, name, others, least, make) => {
  const refused = (size: number) => refusal(kind, id, { ...others, [name]: make(size) });
  expect(refused(least)).toBe(undefined);
  expect(refused(least - 1)).toMatch(
    new RegExp(`^params\\.${name} why\\.param\\.(tooSmall|missing|invalid)$`),
  );
});
