import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FieldMeta } from '../../resource/field.ts';
import { readCell, writeCell } from './csv-cell.ts';

const text: FieldMeta = { kind: 'text', required: true, nullable: false };

describe('a cell of text', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', "'\r=1"],
    ['\n=1', "'\n=1"],
    ['＝1+1', "'＝1+1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠SUM(A1)', "'＠SUM(A1)"],
    ["'＝1", "''＝1"],
    ['ー', 'ー'],
    ["'=1", "''=1"],
    ["''", "'''"],
    ['plain', 'plain'],
    ['a=1', 'a=1'],
  ])('%j is written as %j and comes back', (value, cell) => {
    expect(writeCell(text, value)).toBe(cell);
    expect(readCell(text, cell)).toEqual({ value });
  });
  it('never begins as a formula, and comes back as it was', () => {
    const sign = fc.constantFrom('=', '＝', '+', '＋', '-', '－', '@', '＠', '\t', '\r', '\n', "'", 'a', ' ');
    fc.assert(
      fc.property(fc.array(sign, { minLength: 1, maxLength: 5 }), (signs) => {
        const value = signs.join('');
        const cell = writeCell(text, value);
        expect(cell).not.toMatch(/^[=+\-@＝＋－＠\t\r\n]/);
        expect(readCell(text, cell)).toEqual({ value });
        expect(readCell(text, writeCell(text, value, true))).toEqual({ value });
      }),
    );
  });
  it.each([
    ['=1+1', '=1+1'],
    ["'tis", "'tis"],
    ["'", "'"],
    ["'=1", "''=1"],
    ["''", "'''"],
  ])('%j is written raw as %j and comes back', (value, cell) => {
    expect(writeCell(text, value, true)).toBe(cell);
    expect(readCell(text, cell)).toEqual({ value });
  });
  it('is taken as it stands where somebody typed an apostrophe before anything else', () => {
    expect(readCell(text, "'tis")).toEqual({ value: "'tis" });
    expect(readCell(text, "'")).toEqual({ value: "'" });
    expect(readCell(text, '=1')).toEqual({ value: '=1' });
  });
  it('keeps a date as it is', () => {
    const date: FieldMeta = { ...text, kind: 'date' };
    expect(writeCell(date, '2026-01-31')).toBe('2026-01-31');
    expect(readCell(date, '2026-01-31')).toEqual({ value: '2026-01-31' });
  });
  it('leaves negative numbers alone', () => {
    expect(writeCell({ ...text, kind: 'integer' }, -5)).toBe('-5');
  });
});
