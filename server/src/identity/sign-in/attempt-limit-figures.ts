// Number of password guesses that are evaluated, as stated in docs/security.md and measured by the rate limit
// tests.
import type { AttemptPurpose } from './attempt-limit.ts';

export interface AttemptLimitFigure {
  what: string;
  purpose: AttemptPurpose;
  on: 'one account' | 'many accounts' | 'no account';
  from: 'one address' | 'many addresses' | 'known device';
  /** In the first hour, and at most in each later hour. */
  first: number;
  later: number;
}

export const attemptLimitFigures: readonly AttemptLimitFigure[] = [
  {
    what: 'password of one account, from one address',
    purpose: 'password',
    on: 'one account',
    from: 'one address',
    first: 13,
    later: 4,
  },
  {
    what: 'password of one account, from any number of addresses',
    purpose: 'password',
    on: 'one account',
    from: 'many addresses',
    first: 55,
    later: 20,
  },
  {
    what: 'password of one account, from a device that has signed in to it before',
    purpose: 'password',
    on: 'one account',
    from: 'known device',
    first: 13,
    later: 4,
  },
  {
    what: 'passwords of any number of accounts, from one address',
    purpose: 'password',
    on: 'many accounts',
    from: 'one address',
    first: 423,
    later: 120,
  },
  {
    what: 'second step of one account, from one address',
    purpose: 'second-step',
    on: 'one account',
    from: 'one address',
    first: 13,
    later: 4,
  },
  {
    what: 'second step of one account, from any number of addresses',
    purpose: 'second-step',
    on: 'one account',
    from: 'many addresses',
    first: 18,
    later: 4,
  },
  {
    what: 'password or code asked again of one signed-in account, from any number of its sign-ins',
    purpose: 'proof',
    on: 'one account',
    from: 'many addresses',
    first: 18,
    later: 4,
  },
  {
    what: 'passkeys, from one address',
    purpose: 'passkey',
    on: 'no account',
    from: 'one address',
    first: 423,
    later: 120,
  },
  {
    what: 'codes of devices, from one address',
    purpose: 'device-code',
    on: 'no account',
    from: 'one address',
    first: 63,
    later: 30,
  },
  {
    what: 'devices that ask for a code, from one address',
    purpose: 'device-request',
    on: 'no account',
    from: 'one address',
    first: 241,
    later: 180,
  },
  {
    what: 'sign-ins that are begun, from one address',
    purpose: 'sign-in-request',
    on: 'no account',
    from: 'one address',
    first: 2_399,
    later: 1_800,
  },
  {
    what: 'mails with a link for a new password, for one account',
    purpose: 'reset-mail',
    on: 'one account',
    from: 'many addresses',
    first: 13,
    later: 4,
  },
];
