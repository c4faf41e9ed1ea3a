import { expect, test } from 'vitest';
import { countRows } from './import-progress.ts';

test.each([
  ['', 0],
  ['a,b\n', 0],
  ['a,b\n1,2\n', 1],
  ['a,b\n1,2', 1],
  ['a,b\r\n1,"two\r\nlines"\r\n3,4\r\n', 2],
  ['a,b\n1,"a ""quoted"" \n word"\n', 1],
])('rows of %j: %i', (text, rows) => expect(countRows(Buffer.from(text))).toBe(rows));
