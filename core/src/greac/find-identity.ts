// Finds the private key in a key file of age (https://age-encryption.org/v1).

/** The first secret key of a file written by `age-keygen`, whose comments are skipped; null without one. */
export function findIdentity(text: string): string | null {
  return /^AGE-SECRET-KEY-1[0-9A-Z]+$/im.exec(text)?.[0].toUpperCase() ?? null;
}
