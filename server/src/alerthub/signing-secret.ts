// The secret that signs an action's webhooks: derived, so that it is kept nowhere; a copy of the action has another one.
import type { ServerSecret } from '../identity/server-secret.ts';

/** 32 bytes (Standard Webhooks wants 24 to 64). */
export function signingSecret(secret: Pick<ServerSecret, 'keyedHash'>, actionId: string): Buffer {
  return secret.keyedHash(`webhook signature of action ${actionId}`);
}

/** As receivers' libraries take it. */
export function signingSecretText(secret: Pick<ServerSecret, 'keyedHash'>, actionId: string): string {
  return `whsec_${signingSecret(secret, actionId).toString('base64')}`;
}
