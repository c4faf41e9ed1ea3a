// Masks credentials of a request in its response: some targets repeat what they were sent.
import { isPathKey, isSafeHeader, maskedValue } from './mask-request.ts';

/** Shorter values are not masked: they would be found in ordinary words. */
const minLength = 6;
const credentialName = /^cookie$|auth|token|secret|passw|credential|api[-_]?key|^key$/i;

export interface EchoRedaction {
  /** Masks whatever `maskRequest` masks, for a text that only people read. */
  redact(text: string): string;
  /** Masks only what its name says to be a credential, for data that a runbook continues with. */
  redactCredentials(text: string): string;
}

export function createEchoRedaction(request: unknown): EchoRedaction {
  const values = secretValues(request);
  const all = formsOf(values.map(({ value }) => value));
  const credentials = formsOf(values.filter((one) => one.isCredential).map(({ value }) => value));
  return {
    redact: (text) => maskCutEnd(mask(text, all), all),
    redactCredentials: (text) => mask(text, credentials),
  };
}

interface SecretValue {
  value: string;
  isCredential: boolean;
}

function secretValues(request: unknown): SecretValue[] {
  if (typeof request !== 'object' || request === null) return [];
  const { url, headers } = request as { url?: unknown; headers?: unknown };
  const named = (name: string, value: string) => ({ value, isCredential: credentialName.test(name) });
  const found = Object.entries(typeof headers === 'object' && headers !== null ? headers : {})
    .filter(([name, value]) => typeof value === 'string' && !isSafeHeader(name))
    .map(([name, value]) => named(name, String(value)));
  if (typeof url !== 'string' || !URL.canParse(url)) return found;
  const { pathname, searchParams, hash } = new URL(url);
  const keys = pathname.split('/').filter(isPathKey);
  return [
    ...found,
    ...[...searchParams].map(([name, value]) => named(name, value)),
    ...keys.map((value) => ({ value, isCredential: true })),
    { value: hash.slice(1), isCredential: false },
  ];
}

/** The values in the forms in which a target may repeat them, the longest first. */
function formsOf(values: readonly string[]): string[] {
  const parts = values.flatMap((value) => {
    // `Authorization: <scheme> <credentials>` (RFC 9110 section 11.4).
    const [, scheme, bare] = /^(\S+) (\S+)$/.exec(value) ?? [];
    if (scheme === undefined || bare === undefined) return [value];
    if (scheme.toLowerCase() !== 'basic') return [value, bare];
    const pair = Buffer.from(bare, 'base64').toString();
    return [value, bare, pair, pair.slice(pair.indexOf(':') + 1)];
  });
  const forms = parts.flatMap((part) => [
    part,
    JSON.stringify(part).slice(1, -1),
    encodeURIComponent(part.toWellFormed()),
  ]);
  return [...new Set(forms)]
    .filter((form) => form.length >= minLength)
    .sort((one, other) => other.length - one.length);
}

function mask(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, maskedValue), text);
}

/** Masks the beginning of a secret at the end of a text, which may have been cut there. */
function maskCutEnd(text: string, secrets: readonly string[]): string {
  for (const secret of secrets) {
    for (let length = secret.length - 1; length >= minLength; length--) {
      if (text.endsWith(secret.slice(0, length))) return text.slice(0, -length) + maskedValue;
    }
  }
  return text;
}
