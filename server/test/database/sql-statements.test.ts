// Every SQL statement in the sources is understood by a database with all tables, and returns what the code expects.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DescribedStatement, openDescriber } from '../support/sql/describe-statement.ts';
import { type FoundStatement, findStatements, type ValueKind } from '../support/sql/find-statements.ts';

let statements: FoundStatement[];
let describer: Awaited<ReturnType<typeof openDescriber>>;
beforeAll(async () => {
  statements = findStatements();
  describer = await openDescriber();
});
afterAll(() => describer.close());

/** What does not fit between a call and its statement. */
function mismatches({ row, values }: FoundStatement, { parameters, columns }: DescribedStatement): string[] {
  const found: string[] = [];
  if (values !== undefined && values !== parameters)
    found.push(`has ${parameters} parameters, but the call passes ${values} values`);
  for (const { name, optional, kinds } of row ?? []) {
    const column = columns.get(name);
    if (column === undefined && !optional) found.push(`does not return the column "${name}" of the row type`);
    if (column !== undefined && column !== 'any' && !kinds.includes('any') && !kinds.includes(column))
      found.push(`returns "${name}" as ${column}, but the row type declares ${kinds.join(' or ')}`);
  }
  for (const name of row ? columns.keys() : [])
    if (!row!.some((property) => property.name === name))
      found.push(`returns the column "${name}", which the row type does not declare`);
  return found;
}

test('a statement that does not fit its call is reported', async () => {
  const property = (name: string, kind: ValueKind) => ({ name, optional: false, kinds: [kind] });
  const row = [property('at', 'number'), property('size', 'text'), property('missing', 'text')];
  const text = 'select received_at as at, size, headers from message where message_id = $1';
  const call = { location: '', texts: [text], row, values: 2 };
  expect(mismatches(call, await describer.describe(text))).toEqual([
    'has 1 parameters, but the call passes 2 values',
    'returns "at" as text, but the row type declares number',
    'returns "size" as number, but the row type declares text',
    'does not return the column "missing" of the row type',
    'returns the column "headers", which the row type does not declare',
  ]);
  await expect(describer.describe('select nothing from message')).rejects.toThrow('does not exist');
});

test('every statement fits the tables and the row type that the code declares', async () => {
  const problems: string[] = [];
  for (const statement of statements) {
    for (const text of statement.texts ?? []) {
      try {
        const found = mismatches(statement, await describer.describe(text));
        problems.push(...found.map((problem) => `${statement.location} ${problem}`));
      } catch (error) {
        problems.push(`${statement.location} ${error instanceof Error ? error.message : error}: ${text}`);
      }
    }
  }
  expect([...new Set(problems)]).toEqual([]);
}, 120_000);

/**
 * Statements that only exist at run time, by file: from descriptors and filters, from parts, or passed on by a
 * wrapper. Other tests run them: the contract tests the statements of lists and items, for every resource.
 */
const composed: Record<string, number> = {
  'server/src/alerthub/intake/store-arrivals.ts': 1,
  'server/src/alerthub/messages/find-messages.ts': 1,
  'server/src/alerthub/pipeline/delayed-job-timer.ts': 1,
  'server/src/alerthub/pipeline/statements/decision-store.ts': 1,
  'server/src/commands/open-for-command.ts': 1,
  'server/src/db/copy-database.ts': 5,
  'server/src/db/pglite/maintenance.ts': 1,
  'server/src/hosting/seal-stored-rows.ts': 2,
  'server/src/identity/sign-in/known-devices.ts': 1,
  'server/src/jobs/advisory-lock.ts': 1,
  'server/src/jobs/task-store.ts': 1,
  'server/src/jobs/update-rows.ts': 3,
  'server/src/ksocket/ksocket-hub.ts': 1,
  'server/src/resource/find-items.ts': 1,
  'server/src/resource/item-store.ts': 3,
  'server/src/resource/list-items.ts': 2,
  'server/src/resource/list/chunked-list.ts': 1,
  'server/src/resource/list/chunked-scan.ts': 1,
  'server/src/resource/retention/create-retention-behaviour.ts': 2,
  'server/src/resource/retention/retention-job.ts': 4,
  'server/src/sonar/aggregation/snapshot-hosts.ts': 1,
  'server/src/sonar/snapshot-retention.ts': 1,
  'server/src/space/behaviours/audit-export.ts': 3,
  'server/src/space/behaviours/space-usage-behaviour.ts': 1,
  'server/src/space/erase-space.ts': 1,
};

test('no other statement is composed at run time', () => {
  const found: Record<string, number> = {};
  for (const { location, texts } of statements) {
    const [file] = location.split(':');
    if (!texts) found[file!] = (found[file!] ?? 0) + 1;
  }
  expect(
    found,
    'Write the statement with constants only, so that it is checked against the tables, or add its file to `composed` with a test that runs it',
  ).toEqual(composed);
});
