// Interface of an access token issuer: the embedded provider, or a configured replacement.

/** Content of a verified access token. Privileges are not read from it but from the user's row. */
export interface VerifiedToken {
  /** The subject: a user id of the space. */
  subject: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  /** The user's token epoch at issue; lower than the current one means revoked. */
  epoch?: number;
  /** The grant it was issued under; a deleted grant means revoked. */
  grantId?: string;
}

/** An access token that failed verification for any reason. Contains no part of the token. */
export class InvalidToken extends Error {
  override readonly name = 'InvalidToken';
}

/** Issues the access tokens that users and their browsers sign in with. */
export interface TokenIssuer {
  readonly issuer: string;
  /** Client id of the web console. */
  readonly clientId: string;
  /** Client id of the CLI. */
  readonly cliClientId: string;
  /** Verifies signature, issuer, audience, expiry and space. Throws InvalidToken. */
  verify(token: string): Promise<VerifiedToken>;
}
