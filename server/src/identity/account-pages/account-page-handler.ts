// What a card page is given and what it gives back.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Actor } from '../../audit/audit-log.ts';
import type { IdentityContext } from '../identity-context.ts';
import type { Totp } from '../mfa/totp.ts';
import type { Page } from '../pages/page.ts';
import type { AttemptLimit } from '../sign-in/attempt-limit.ts';
import type { KnownDevices } from '../sign-in/known-devices.ts';
import type { SecurityNotice } from '../sign-in/security-notice.ts';
import type { OneTimeTokens } from '../tokens/one-time-tokens.ts';
import type { Invitations } from '../users/invitations.ts';
import type { UserAccounts } from '../users/user-accounts.ts';
import type { AccountPage } from './account-page.ts';

export interface AccountPageDeps {
  users: UserAccounts;
  tokens: OneTimeTokens;
  invitations: Invitations;
  limit: AttemptLimit;
  devices: KnownDevices;
  totp: Pick<Totp, 'isEnabled' | 'check'>;
  notifySecurityChange: SecurityNotice;
  clientAddress(req: IncomingMessage): string;
}

/** What a card page does with a request: `form` is null when the page is only looked at. */
export type AccountPageHandler = (input: {
  context: IdentityContext;
  deps: AccountPageDeps;
  accountPage: AccountPage;
  form: URLSearchParams | null;
  address: string;
  req: IncomingMessage;
  res: ServerResponse;
  /** Goes on after the reply, which must not tell by its time whether there is anything to do. */
  afterReply(work: () => Promise<void>): void;
}) => Promise<{
  page: Page;
  /** The link is used up, or never good again. */
  done?: boolean;
  /** The person whose sign-in was changed. */
  actor?: Actor;
}>;
