// Response of a profile form.

export interface SecurityResult {
  intent: string;
  /** Error messages by field name; the empty name is the whole form. */
  errors?: Record<string, string>;
  setup?: { secret: string; uri: string; qrCode: string };
  recoveryCodes?: string[] | undefined;
  /** Options to create a passkey (WebAuthn, PublicKeyCredentialCreationOptionsJSON). */
  options?: Record<string, unknown>;
}

/** Returns the response if it belongs to one of these intents. */
export function resultFor(
  reply: SecurityResult | undefined,
  ...intents: string[]
): SecurityResult | undefined {
  return reply && intents.includes(reply.intent) ? reply : undefined;
}
