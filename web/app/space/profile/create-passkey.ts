// Creates a passkey with the browser and converts the result to JSON (WebAuthn Level 3, 5.1.1 and 5.1.8).

const fromBase64Url = (text: string) =>
  Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0));

const toBase64Url = (buffer: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '');

/** `options` in JSON form with base64url byte strings; rejects if the user or the device refuses. */
export async function createPasskey(options: Record<string, unknown>): Promise<Record<string, unknown>> {
  const creationOptions = options as unknown as {
    challenge: string;
    user: { id: string };
    excludeCredentials?: { id: string }[];
  };
  const publicKey = {
    ...options,
    challenge: fromBase64Url(creationOptions.challenge),
    user: { ...creationOptions.user, id: fromBase64Url(creationOptions.user.id) },
    excludeCredentials: (creationOptions.excludeCredentials ?? []).map((one) => ({
      ...one,
      id: fromBase64Url(one.id),
    })),
  } as unknown as PublicKeyCredentialCreationOptions;
  const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
  const response = credential.response as AuthenticatorAttestationResponse;
  return {
    id: credential.id,
    rawId: toBase64Url(credential.rawId),
    type: credential.type,
    clientExtensionResults: {},
    response: {
      clientDataJSON: toBase64Url(response.clientDataJSON),
      attestationObject: toBase64Url(response.attestationObject),
      transports: response.getTransports?.() ?? [],
    },
  };
}
