// What is known of a sign-in in progress; stored at the provider, out of the browser's reach.
import type { ExternalProgress } from '../external/external-sign-in.ts';
import type { IssuedChallenge } from '../mfa/passkeys.ts';
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
  challenge?: IssuedChallenge;
  /** State of the request to the external provider. */
  external?: ExternalProgress;
}

/** Milliseconds allowed for the second step; after that the sign-in starts over. */
const secondStepLifetimeMs = 10 * 60_000;

/** The form in which a provider keeps it. A replica of an earlier version does not store `challengedAt`. */
type StoredProgress = Omit<InteractionProgress, 'challenge'> & { challenge?: string; challengedAt?: number };

/** `now` in milliseconds since the Unix epoch. */
export function progressOf(interaction: Interaction, now: number): InteractionProgress {
  const { second, challenge, challengedAt = now, external } = (interaction.result ?? {}) as StoredProgress;
  const stale = second !== undefined && second.at + secondStepLifetimeMs <= now;
  return {
    ...(second && !stale ? { second } : {}),
    ...(challenge ? { challenge: { text: challenge, issuedAt: challengedAt } } : {}),
    ...(external ? { external } : {}),
  };
}

export async function saveProgress(
  interaction: Interaction,
  { challenge, ...rest }: InteractionProgress,
): Promise<void> {
  const stored: StoredProgress = challenge
    ? { ...rest, challenge: challenge.text, challengedAt: challenge.issuedAt }
    : rest;
  interaction.result = { ...stored };
  await interaction.persist();
}
