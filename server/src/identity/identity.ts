// Sign-in and identity: the people of a space, their tokens, the embedded OpenID provider, and who is calling.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { loadTranslator } from '@yagura/core/words/dictionary';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { idSource, type NextId } from '../id.ts';
import { errorFacts, type Log } from '../log.ts';
import type { MailOutbox } from '../mail/mail-room.ts';
import { type ApiTokens, createApiTokens } from './api-token.ts';
import { createAttemptLimit } from './attempt-limit.ts';
import { type CredentialHeaders, createAuthenticate } from './authenticate.ts';
import { type AccountPages, createAccountPages } from './card/card-pages.ts';
import { accountPagePath } from './card/card-paths.ts';
import type { IdentityContext } from './context.ts';
import { createEmbeddedIssuer, issuerOf } from './embedded-issuer.ts';
import { createExternalProvider } from './external/external-provider.ts';
import type { ExternalSettings } from './external/external-settings.ts';
import { createExternalSignIn } from './external/external-sign-in.ts';
import { returnPath } from './external/return-path.ts';
import { openVouched } from './external/vouched-token.ts';
import { createPasskeys, type Passkeys } from './factor/passkey.ts';
import { createTotp, type Totp } from './factor/totp.ts';
import { ensureInitialAdmin, type InitialAdmin } from './first-person.ts';
import { createInteractionPages } from './interaction.ts';
import { createInvitations, type Invitations } from './invitation.ts';
import { createKnownDevices } from './known-device.ts';
import { createOneTimeTokens } from './one-time-token.ts';
import { redirect } from './page/page.ts';
import { sweepPayloads } from './payload-adapter.ts';
import { createUserAccounts, type UserAccounts } from './person.ts';
import type { Principal } from './principal.ts';
import { createPrincipalCache } from './principal-cache.ts';
import { createProvider, type Provider } from './provider.ts';
import { createReauthenticate, type Reauthenticate } from './reauthentication.ts';
import { createSecurityNotice, type SecurityNotice } from './security-notice.ts';
import { deriveSecret } from './server-secret.ts';
import { createSignInSessions, type SignInSessions } from './sign-in-session.ts';
import { openSigningKeys, type SigningKeys } from './signing-keys.ts';

export interface IdentityOptions {
  database: Database;
  clock: Clock;
  /** Origin under which browsers reach the server, such as https://alerts.example.com. */
  publicUrl: string;
  /** The space whose people these are; its row must exist. A server of several spaces makes one identity for each. */
  spaceId: string;
  /** At least 32 bytes, the same in every replica; another secret ends all sessions. */
  secret: Uint8Array;
  log: Log;
  mail: Pick<MailOutbox, 'queue' | 'wake' | 'sends'>;
  audit: Pick<AuditLog, 'later' | 'tidy'>;
  /** The external provider that people sign in with; none when absent. */
  external?: ExternalSettings | undefined;
  /** Most people that the space may have; no limit when absent. */
  maxUsers?: number | null;
  nextId?: NextId;
  /** The network address of a caller when a trusted proxy stands in front; by default that of the connection. */
  clientAddress?: (req: IncomingMessage) => string;
}

export interface ClientInfo {
  /** Host, and port if any, of the issuer. */
  domain: string;
  clientId: string;
  issuer: string;
  cliClientId: string;
}

export interface Identity
  extends UserAccounts,
    Omit<ApiTokens, 'principalOf' | 'noteUse' | 'settle'>,
    Pick<Invitations, 'invite' | 'resend'>,
    Pick<AccountPages, 'requestEmailChange'> {
  /** The caller of a request with these headers. Throws Problem 'sign-in-required'; answer it with WWW-Authenticate: Bearer. */
  authenticate(headers: CredentialHeaders, address?: string): Promise<Principal>;
  /** Makes the first privileged person of an empty space. */
  ensureFirstUser(wanted: { email: string; password?: string | undefined }): Promise<InitialAdmin>;
  /** Answers everything under /oidc and the card pages; reads the body itself, so it must come before any body parser. */
  handler(req: IncomingMessage, res: ServerResponse): void;
  totp: Totp;
  passkeys: Passkeys;
  signInSessions: SignInSessions;
  reauthenticate: Reauthenticate;
  /** Queues the mail that tells a person of a change to their sign-in. */
  tellSecurity: SecurityNotice;
  clientInfo(): ClientInfo;
  /** Resolves when what card pages do after their reply has ended. */
  settleCards(): Promise<void>;
  /** Call after writing to person or api_token by other ways than these: the next request sees it at once. */
  forget(): void;
  /** What is otherwise done every minute: drops what has expired, rotates keys, takes over keys of other replicas. */
  tidy(): Promise<void>;
  /** Stops the timer and lets running writes end; the database stays open. */
  close(): Promise<void>;
}

const cleanupIntervalMs = 60_000;
// Changes of people and tokens made by another replica are seen after this time at the latest.
const rememberedFor = 3_000;
const maxRemembered = 5_000;

/** Opens identity for a space: makes signing keys when there are none and starts the timer. */
export async function createIdentity(options: IdentityOptions): Promise<Identity> {
  const { clock, database, log, spaceId } = options;
  const cache = createPrincipalCache<Principal>({
    now: () => clock.now(),
    lifetime: rememberedFor,
    size: maxRemembered,
  });
  const translators = { en: await loadTranslator('en'), ja: await loadTranslator('ja') };
  const clientAddress = options.clientAddress ?? ((req: IncomingMessage) => req.socket.remoteAddress ?? '');
  const context: IdentityContext = {
    database,
    clock,
    log,
    spaceId,
    nextId: options.nextId ?? idSource(clock),
    publicUrl: new URL(options.publicUrl).origin,
    secret: deriveSecret(options.secret),
    mail: options.mail,
    audit: options.audit,
    translators,
    async spaceName(db) {
      const { rows } = await db.query<{ name: string }>(
        'select display_name as name from space where space_id = $1',
        [spaceId],
      );
      return rows[0]?.name ?? '';
    },
    passwords: options.external?.passwords !== false,
    maxUsers: options.maxUsers ?? null,
    noteSignIn: (req, facts) =>
      signInSessions.note({
        ...facts,
        address: clientAddress(req),
        userAgent: req.headers['user-agent'] ?? '',
      }),
    noteProof: (grantId, strong) => signInSessions.prove(grantId, strong),
    forget: () => cache.forget(),
  };
  const keys = await openSigningKeys(context);
  const issuer = createEmbeddedIssuer(context, keys);
  const people = createUserAccounts(context);
  const { principalOf, noteUse, settle, ...apiTokens } = createApiTokens(context);
  const limit = createAttemptLimit(context);
  const devices = createKnownDevices(context);
  const host = await hostProvider(context, keys, translators, {
    limit,
    clientAddress,
    async signOutElsewhere(facts, grantIds) {
      const sealed = external && (await signInSessions.externalToken(grantIds));
      const idToken = sealed && openVouched(context.secret, sealed);
      return external && idToken ? external.signOut(facts, idToken) : null;
    },
  });
  const signInSessions = createSignInSessions(context);
  const tokens = createOneTimeTokens(context);
  const totp = createTotp(context);
  const tellSecurity = createSecurityNotice(context, people);
  const passkeys = createPasskeys(context, {
    tokens,
    tellCopied: (userId, passkey, language) => tellSecurity(userId, 'passkey-copied', language, { passkey }),
  });
  const external =
    options.external &&
    createExternalSignIn(context, {
      provider: createExternalProvider(options.external, context),
      people,
      tokens,
    });
  const pages = createInteractionPages(context, {
    external,
    provider: host.provider,
    translators,
    totp,
    passkeys,
    limit,
    devices,
    recoveryCodeUsed: (userId, language) => tellSecurity(userId, 'recovery-code-used', language),
    clientAddress,
  });
  const invitations = createInvitations(context);
  const cards = createAccountPages(context, {
    people,
    tokens,
    invitations,
    limit,
    devices,
    totp,
    tellSecurity,
    clientAddress,
  });

  async function tidy(): Promise<void> {
    await sweepPayloads(context);
    await options.audit.tidy();
    await limit.sweep();
    await devices.sweep();
    await totp.sweep();
    await signInSessions.sweep();
    await tokens.sweep();
    await invitations.sweep();
    await keys.refresh();
    await host.refresh();
  }

  let tidying: Promise<void> | undefined;
  const stopTidying = clock.every(cleanupIntervalMs, () => {
    tidying ??= tidy()
      .catch((error: unknown) =>
        log({ level: 'warn', message: 'Identity was not tidied', ...errorFacts(error) }),
      )
      .finally(() => {
        tidying = undefined;
      });
  });

  return {
    ...people,
    ...apiTokens,
    invite: invitations.invite,
    resend: invitations.resend,
    requestEmailChange: cards.requestEmailChange,
    totp,
    passkeys,
    signInSessions,
    reauthenticate: createReauthenticate(context, { limit, totp, sessions: signInSessions }),
    tellSecurity,
    settleCards: cards.settle,
    authenticate: createAuthenticate(context, {
      issuer,
      apiTokens: { ...apiTokens, principalOf, noteUse, settle },
      cache,
    }),
    ensureFirstUser: (wanted) => ensureInitialAdmin(context, people, wanted),
    handler(req, res) {
      const interaction = /^\/oidc\/interaction\/([\w-]{1,64})\/?(?:\?|$)/.exec(req.url ?? '');
      const card = accountPagePath(req.url);
      const back = returnPath(req.url);
      if (card) void cards.handle(req, res, card);
      else if (external && back) redirect(res, back);
      else if (interaction) void pages.handle(req, res, interaction[1]!);
      else host.handle(req, res);
    },
    clientInfo: () => ({
      domain: new URL(issuer.issuer).host,
      clientId: issuer.clientId,
      issuer: issuer.issuer,
      cliClientId: issuer.cliClientId,
    }),
    forget: context.forget,
    tidy,
    async close() {
      stopTidying();
      await tidying;
      await cards.settle();
      await settle();
    },
  };
}

interface ProviderHost {
  provider(): Provider;
  handle(req: IncomingMessage, res: ServerResponse): void;
  /** Makes a new provider when the keys have changed; the library reads them only once. */
  refresh(): Promise<void>;
}

async function hostProvider(
  context: IdentityContext,
  keys: SigningKeys,
  translators: Parameters<typeof createProvider>[2],
  parts: Parameters<typeof createProvider>[3],
): Promise<ProviderHost> {
  const mount = new URL(issuerOf(context.publicUrl)).pathname;
  let signedWith = keys.current();
  let provider = await createProvider(context, signedWith, translators, parts);
  let callback = provider.callback();
  return {
    provider: () => provider,
    handle(req, res) {
      const mounted = req as IncomingMessage & { originalUrl?: string };
      mounted.originalUrl = req.url ?? '/';
      const inside = mounted.originalUrl.slice(mount.length);
      req.url = inside.startsWith('/') ? inside : `/${inside}`;
      void callback(req, res);
    },
    async refresh() {
      if (keys.current() === signedWith) return;
      signedWith = keys.current();
      provider = await createProvider(context, signedWith, translators, parts);
      callback = provider.callback();
    },
  };
}
