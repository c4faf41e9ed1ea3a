// What issues access tokens: the embedded provider, or one that a configuration puts in its place.

/** What a verified access token says. Powers are not read from it; they come from the person's row. */
export interface VerifiedToken {
  /** The subject: a user id of the space. */
  subject: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  /** The person's token epoch when it was issued; a lower one than the person's now means revoked. */
  epoch?: number;
  /** The grant under which it was issued; gone means revoked. */
  grantId?: string;
}

/** An access token that does not verify, whatever the reason. Carries no part of the token. */
export class InvalidToken extends Error {
  override readonly name = 'InvalidToken';
}

/** A source of access tokens that people and their browsers sign in with. */
export interface TokenIssuer {
  readonly issuer: string;
  /** Client id of the web console. */
  readonly clientId: string;
  /** Client id of the command line. */
  readonly cliClientId: string;
  /** Checks signature, issuer, audience, expiry and space. Throws InvalidToken. */
  verify(token: string): Promise<VerifiedToken>;
}
