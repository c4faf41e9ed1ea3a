import { expect, test } from 'vitest';
import { type CliProcess, supportsColour, terminalColumns } from './terminal.ts';

test.each([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: '1' }, true, false],
  [{ NO_COLOR: '' }, true, true],
  [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '0' }, true, false],
  [{ TERM: 'dumb' }, true, false],
])('colours with %j on a terminal (%s): %s', (env, live, wanted) =>
  expect(supportsColour(env, live)).toBe(wanted),
);

test.each([
  [{ COLUMNS: '40' }, 120, 40],
  [{ COLUMNS: '0' }, 120, 120],
  [{ COLUMNS: 'wide' }, 120, 120],
  [{ COLUMNS: '-5' }, 0, 80],
  [{}, undefined, 80],
])('columns with %j of %s: %i', (env, columns, wanted) => {
  expect(terminalColumns({ env, stdout: { columns } as unknown as CliProcess['stdout'] })).toBe(wanted);
});
