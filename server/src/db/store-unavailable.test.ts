import pg from 'pg';
import { expect, test } from 'vitest';
import {
  isCanceledTransaction,
  isConnectionError,
  StoreUnavailable,
  toStoreError,
} from './store-unavailable.ts';

function databaseError(code: string): Error {
  return Object.assign(new pg.DatabaseError(`state ${code}`, 0, 'error'), { code });
}

function systemError(code: string): Error {
  return Object.assign(new Error(`connect ${code}`), { code, syscall: 'connect' });
}

test.each([
  ['a refused connection', systemError('ECONNREFUSED'), true, true],
  ['an unknown host', systemError('ENOTFOUND'), true, true],
  ['a lost connection', new Error('Connection terminated unexpectedly'), true, true],
  ['a full pool', new Error('timeout exceeded when trying to connect'), true, true],
  ['a server that shuts down', databaseError('57P01'), true, true],
  ['a connection failure told by the server', databaseError('08006'), true, true],
  ['too many connections', databaseError('53300'), true, false],
  ['a full disk', databaseError('53100'), true, false],
  ['a statement that took too long', databaseError('57014'), true, false],
  ['a duplicate key', databaseError('23505'), false, false],
  ['a deadlock', databaseError('40P01'), true, false],
  ['a fault of the caller', new TypeError('Converting circular structure to JSON'), false, false],
])('%s', (_name, error, isUnavailable, isConnection) => {
  expect(toStoreError(error) instanceof StoreUnavailable).toBe(isUnavailable);
  if (!isUnavailable) expect(toStoreError(error)).toBe(error);
  expect(isConnectionError(error)).toBe(isConnection);
});

test('a transaction that was canceled for another one is told from a database that is away', () => {
  const isCanceled = (code: string) => isCanceledTransaction(toStoreError(databaseError(code)));
  expect(['40001', '40P01', '53100', '57P01'].map(isCanceled)).toEqual([true, true, false, false]);
});
