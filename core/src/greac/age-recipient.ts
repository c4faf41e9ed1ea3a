/** Whether this is an X25519 recipient of age by its form: 52 characters of Bech32 with a checksum of 6. */
export function isAgeRecipient(text: string): boolean {
  return /^age1[02-9ac-hj-np-z]{58}$/.test(text);
}
