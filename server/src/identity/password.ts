// Passwords: the rule for new ones, argon2id hashes made a few at a time, and generated ones that people can read.
import { randomInt } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { invalidField, Problem } from '@yagura/core/http/problem';
import { isPassword } from '@yagura/core/rules/password';

const passwordLimits = { shortest: 8, longest: 256 };
// OWASP's second recommendation; 19 MiB and about 18 ms a call.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
// Each hash holds one of the four threads that also read files and resolve names.
const atOnce = 2;
const mayWait = 100;

/** A hash of no password: verifying against it takes as long as against a real one. */
const nobodysHash =
  '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

/** Throws the 400 that names `password` unless it has 8 to 256 characters with a letter, a digit and a symbol (spec section 5). */
export function checkNewPassword(password: string): void {
  const length = [...password].length;
  if (length < passwordLimits.shortest || length > passwordLimits.longest) {
    throw invalidField(
      'password',
      `must have ${passwordLimits.shortest} to ${passwordLimits.longest} characters`,
    );
  }
  if (!isPassword(password))
    throw invalidField('password', 'must have at least one letter, one digit and one symbol');
}

/** Hashes to PHC form. Throws Problem 'unavailable' when too many wait. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(normal(password), cost));
}

/** Whether the password fits; without a hash it takes as long and is false. Throws Problem 'unavailable' when too many wait. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const fits = await inTurn(() => verify(stored ?? nobodysHash, normal(password)));
  return fits && stored !== null;
}

/** A password of four groups of five, about 112 bits, without letters that look alike. */
export function generatePassword(): string {
  const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  const letter = () => alphabet[randomInt(alphabet.length)];
  const password = Array.from({ length: 4 }, () => Array.from({ length: 5 }, letter).join('')).join('-');
  return /\d/.test(password) && /[A-Za-z]/.test(password) ? password : generatePassword();
}

// One spelling for what different keyboards and input methods produce (NIST SP 800-63B, 5.1.1.2).
function normal(password: string): string {
  return password.normalize('NFKC');
}

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) {
    if (waiting.length >= mayWait) throw new Problem('unavailable', { retryAfter: 5 });
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    running++;
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}
