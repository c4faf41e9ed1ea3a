// Types of an account page's input and result.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Actor } from '../../audit/audit-log.ts';
import type { IdentityContext } from '../identity-context.ts';
import type { Totp } from '../mfa/totp.ts';
import type { Page } from '../pages/page.ts';
import type { AttemptLimit } from '../sign-in/attempt-limit.ts';
import type { KnownDevices } from '../sign-in/known-devices.ts';
import type { SecurityNotice } from '../sign-in/security-notice.ts';
import type { SignInLog } from '../sign-in/sign-in-log.ts';
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
  signInLog: Pick<SignInLog, 'failed'>;
  clientAddress(req: IncomingMessage): string;
}

/** Handles a request to an account page; `form` is null for a GET. */
export type AccountPageHandler = (input: {
  context: IdentityContext;
  deps: AccountPageDeps;
  accountPage: AccountPage;
  form: URLSearchParams | null;
  address: string;
  req: IncomingMessage;
  res: ServerResponse;
  /** Runs after the reply, so that the response time does not reveal whether there is work to do. */
  afterReply(work: () => Promise<void>): void;
}) => Promise<{
  page: Page;
  /** The link is used up or permanently invalid. */
  done?: boolean;
  /** The user whose sign-in was changed. */
  actor?: Actor;
}>;
