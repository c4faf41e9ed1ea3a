// What is known of a sign-in in progress; stored at the provider, out of the browser's reach.
import type { ExternalProgress } from '../external/external-sign-in.ts';
import type { Provider } from '../provider/provider.ts';
import type { VerifiedUser } from './verify-credentials.ts';

export type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

export interface FirstStep extends VerifiedUser {
  /** The external provider's ID token, encrypted, when it authenticated the user. */
  external?: string | undefined;
}

export interface InteractionProgress {
  /** What was passed first, when (milliseconds), and the methods if not a password. */
  second?: FirstStep & { at: number; methods?: string[] };
  /** Challenge for a passkey. */
  challenge?: string;
  /** State of the request to the external provider. */
  external?: ExternalProgress;
}

/** Milliseconds allowed for the second step; after that the sign-in starts over. */
const secondStepLifetimeMs = 10 * 60_000;

/** `now` in milliseconds since the Unix epoch. */
export function progressOf(interaction: Interaction, now: number): InteractionProgress {
  const { second, challenge, external } = (interaction.result ?? {}) as InteractionProgress;
  const stale = second !== undefined && second.at + secondStepLifetimeMs <= now;
  return {
    ...(second && !stale ? { second } : {}),
    ...(challenge ? { challenge } : {}),
    ...(external ? { external } : {}),
  };
}

export async function saveProgress(interaction: Interaction, progress: InteractionProgress): Promise<void> {
  interaction.result = { ...progress };
  await interaction.persist();
}
