import { expect, test } from 'vitest';
import { closeReasons } from '../session.ts';
import { describeFailure, interruptionText } from './reason-texts.ts';

test.each([
  ['PROTOCOL', {}, 'stream.protocol', {}],
  ['PROTOCOL', { reason: 'NO_RDP' }, 'stream.other-protocol', { reason: 'NO_RDP' }],
  ['PROTOCOL', { reason: 'NO_COMMON_ALGORITHM' }, 'stream.no-common-algorithm', {}],
  ['SIGN_IN_FAILED', {}, 'stream.sign-in-failed', {}],
  ['SIGN_IN_FAILED', { reason: 'NO_CREDENTIAL' }, 'stream.no-credential', {}],
  ['CREDENTIAL_UNREADABLE', { reason: 'PRIVATE_KEY' }, 'stream.private-key-unreadable', {}],
  ['CREDENTIAL_UNREADABLE', { reason: 'PASSPHRASE_MISSING' }, 'stream.passphrase-missing', {}],
  ['CREDENTIAL_UNREADABLE', { reason: 'PASSPHRASE_WRONG' }, 'stream.passphrase-wrong', {}],
  ['CREDENTIAL_UNREADABLE', { reason: 'PUBLIC_KEY' }, 'stream.public-key', {}],
  [
    'UNREACHABLE',
    { host: 'a.example', reason: 'NAME_NOT_FOUND' },
    'stream.name-not-found',
    { host: 'a.example' },
  ],
  ['UNREACHABLE', { reason: 'EHOSTUNREACH' }, 'stream.unreachable', { reason: 'EHOSTUNREACH' }],
  ['SIGN_IN_FAILED', { reason: 'toString' }, 'stream.sign-in-failed', { reason: 'toString' }],
  [
    'HOST_KEY_CHANGED',
    { expected: 'a', found: 'b' },
    'stream.host-key-changed',
    { expected: 'a', found: 'b' },
  ],
  ['HOST_KEY_UNKNOWN', { expected: '', found: 'b' }, 'stream.host-key-unknown', { found: 'b' }],
  [
    'HOST_KEY_UNKNOWN',
    { expected: '', found: 'b', reason: 'NOT_ACCEPTED' },
    'stream.not-accepted',
    { found: 'b' },
  ],
] as [string, Record<string, string>, string, Record<string, string>][])(
  '%s with %j is told by %s',
  (code, params, text, details) => {
    expect(describeFailure(code, params)).toEqual({ text, details });
  },
);

test('of the close reasons, those that nobody wanted are errors', () => {
  expect(closeReasons.filter((reason) => interruptionText(reason) !== null)).toEqual([
    'disconnected',
    'failed',
    'limit',
  ]);
  for (const reason of ['', 'toString']) expect(interruptionText(reason)).toBeNull();
});
