// Passwords: policy for new ones, argon2id hashing with limited concurrency, and generation of readable ones.
import { randomInt } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { invalidField, Problem } from '@yagura/core/http/problem';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import { isPassword, passwordLimits } from '@yagura/core/validation/password';

// OWASP's second recommendation; 19 MiB and about 18 ms per call.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
// Maximum concurrent hashes: each occupies one of the four libuv threads that also serve file and DNS access.
const maxConcurrentHashes = 2;
const maxQueuedHashes = 100;

/** Hash of no password: verifying against it takes as long as against a real one. */
const dummyHash =
  '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

/** Why a new password is refused, as a message key of core's rules. */
export interface PasswordProblem {
  word: 'rule.minLength' | 'rule.maxLength' | 'rule.password' | 'rule.passwordCommon';
  params: Record<string, number>;
}

/**
 * Null for 12 to 256 characters with a letter, a digit and a symbol that are neither a common password nor a
 * variation of one, of keyboard rows, dates, repetitions or `own` (the user's name and address).
 */
export async function findPasswordProblem(
  password: string,
  personalWords: readonly string[] = [],
): Promise<PasswordProblem | null> {
  const length = [...password].length;
  const { shortest, longest } = passwordLimits;
  if (length < shortest) return { word: 'rule.minLength', params: { count: shortest } };
  if (length > longest) return { word: 'rule.maxLength', params: { count: longest } };
  if (!isPassword(password)) return { word: 'rule.password', params: {} };
  const { isGuessablePassword } = await import('./password-strength.ts');
  return isGuessablePassword(normalizePassword(password), personalWords)
    ? { word: 'rule.passwordCommon', params: {} }
    : null;
}

/** Throws the 400 naming `password` when a new password is refused. */
export async function checkNewPassword(
  password: string,
  personalWords: readonly string[] = [],
): Promise<void> {
  const fault = await findPasswordProblem(password, personalWords);
  if (fault) throw invalidField('password', (await loadTranslator('en'))(fault.word, fault.params));
}

/** Hashes to PHC format. Throws Problem 'unavailable' when too many calls are queued. */
export function hashPassword(password: string): Promise<string> {
  return withHashSlot(() => hash(normalizePassword(password), cost));
}

/**
 * Whether the password matches. Without a hash it takes as long and returns false. Throws Problem
 * 'unavailable' when too many calls are queued.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const fits = await withHashSlot(() => verify(stored ?? dummyHash, normalizePassword(password)));
  return fits && stored !== null;
}

/** Generates a password of four groups of five characters, about 112 bits, without look-alike characters. */
export function generatePassword(): string {
  const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  const letter = () => alphabet[randomInt(alphabet.length)];
  const password = Array.from({ length: 4 }, () => Array.from({ length: 5 }, letter).join('')).join('-');
  return /\d/.test(password) && /[A-Za-z]/.test(password) ? password : generatePassword();
}

// Normalizes the output of different keyboards and input methods (NIST SP 800-63B, 5.1.1.2).
function normalizePassword(password: string): string {
  return password.normalize('NFKC');
}

let running = 0;
const waiting: (() => void)[] = [];

async function withHashSlot<T>(work: () => Promise<T>): Promise<T> {
  if (running >= maxConcurrentHashes) {
    if (waiting.length >= maxQueuedHashes) throw new Problem('unavailable', { retryAfter: 5 });
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
