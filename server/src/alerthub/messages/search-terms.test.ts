import { describe, expect, test } from 'vitest';
import { extractTerms, toSearchQuery } from './search-terms.ts';

describe('the terms of a text', () => {
  test.each([
    ['Disk FULL on db-01.example.com', ['disk', 'full', 'on', 'db', '01', 'example', 'com']],
    ['障害発生', ['障害', '害発', '発生', '生']],
    ['ＤＢサーバー01で障害', ['サー', 'ーバ', 'バー', 'ー', 'で障', '障害', '害', 'db', '01']],
    ['ﾃﾞｨｽｸ', ['ディ', 'ィス', 'スク', 'ク']],
    ['火', ['火']],
    ['Größe größe', ['größe']],
    [`'; drop table message; --`, ['drop', 'table', 'message']],
    ['', []],
  ])('%s', (text, terms) => {
    expect(extractTerms(text)).toEqual(terms);
  });

  test('are bounded in number and length', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `w${index}`).join(' ');
    expect(extractTerms(many)).toHaveLength(4000);
    expect(extractTerms('x'.repeat(1000))).toEqual(['x'.repeat(64)]);
  });
});

describe('what finds a text', () => {
  test.each([
    ['disk Full', "'disk':* & 'full':*"],
    ['障害発生 db', "'障害' & '害発' & '発生' & 'db':*"],
    ['障', "'障':*"],
    // A character of two code units, which also occurs before others.
    ['𠮷', "'𠮷':*"],
    ['𠮷野', "'𠮷野'"],
    ['!? "', null],
    [`' | 'x`, "'x':*"],
  ])('%s', (search, query) => {
    expect(toSearchQuery(search)).toBe(query);
  });
});
