// What comes back from a form of the profile.

export interface SecurityResult {
  intent: string;
  /** Reasons by name of the field; the empty name is the whole form. */
  errors?: Record<string, string>;
  setup?: { secret: string; uri: string; qrCode: string };
  recoveryCodes?: string[] | undefined;
  /** What a browser makes a passkey from (WebAuthn, PublicKeyCredentialCreationOptionsJSON). */
  options?: Record<string, unknown>;
}

/** The reply when it belongs to one of these intents. */
export function resultFor(
  reply: SecurityResult | undefined,
  ...intents: string[]
): SecurityResult | undefined {
  return reply && intents.includes(reply.intent) ? reply : undefined;
}
