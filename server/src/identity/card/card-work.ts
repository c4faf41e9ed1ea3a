// What a card page is given and what it gives back.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Actor } from '../../audit/audit-log.ts';
import type { AttemptLimit } from '../attempt-limit.ts';
import type { IdentityContext } from '../context.ts';
import type { Totp } from '../factor/totp.ts';
import type { Invitations } from '../invitation.ts';
import type { KnownDevices } from '../known-device.ts';
import type { OneTimeTokens } from '../one-time-token.ts';
import type { Page } from '../page/page.ts';
import type { UserAccounts } from '../person.ts';
import type { SecurityNotice } from '../security-notice.ts';
import type { AccountPage } from './card-context.ts';

export interface AccountPageDeps {
  people: UserAccounts;
  tokens: OneTimeTokens;
  invitations: Invitations;
  limit: AttemptLimit;
  devices: KnownDevices;
  totp: Pick<Totp, 'isEnabled' | 'check'>;
  tellSecurity: SecurityNotice;
  clientAddress(req: IncomingMessage): string;
}

/** What a card page does with a request: `form` is null when the page is only looked at. */
export type AccountPageContext = (facts: {
  context: IdentityContext;
  deps: AccountPageDeps;
  card: AccountPage;
  form: URLSearchParams | null;
  address: string;
  req: IncomingMessage;
  res: ServerResponse;
  /** Goes on after the reply, which must not tell by its time whether there is anything to do. */
  later(work: () => Promise<void>): void;
}) => Promise<{
  page: Page;
  /** The link is used up, or never good again. */
  done?: boolean;
  /** The person whose sign-in was changed. */
  actor?: Actor;
}>;
