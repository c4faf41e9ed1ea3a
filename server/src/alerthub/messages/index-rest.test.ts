import { expect, test } from 'vitest';
import { indexRestMs } from './index-rest.ts';

test('indexing rests longer while more than a thousand messages wait for evaluation', () => {
  expect(indexRestMs(10, 0)).toBe(60);
  expect(indexRestMs(10, 1000)).toBe(60);
  expect(indexRestMs(10, 1001)).toBe(600);
});

test('indexing rests five seconds at most, however long the transaction waited behind others', () => {
  expect(indexRestMs(1500, 1001)).toBe(5000);
  expect(indexRestMs(1500, 0)).toBe(5000);
});
