// Identity of a space: users, tokens, the embedded OpenID provider and authentication of requests.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import type { Item } from '@yagura/core/resource/define-resource';
import type { settings } from '@yagura/core/space/client-settings';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Clock } from '../common/clock.ts';
import { FailureLog } from '../common/failure-log.ts';
import { createIdSource, type NextId } from '../common/id.ts';
import { errorFields, type Log } from '../common/log.ts';
import { deriveSecret } from '../common/secrets/server-secret.ts';
import type { Database } from '../db/database.ts';
import type { MailOutbox } from '../delivery/mail-outbox/mail-outbox.ts';
import { PeriodicJob } from '../jobs/periodic-job.ts';
import { accountPagePath } from './account-pages/account-page-paths.ts';
import { type AccountPages, createAccountPages } from './account-pages/account-pages.ts';
import { createOwnPassword, type OwnPassword } from './account-pages/own-password.ts';
import { type Authentication, createAuthenticate } from './authenticate.ts';
import { callbackRedirect } from './external/callback-redirect.ts';
import { createExternalProvider } from './external/external-provider.ts';
import type { ExternalSettings } from './external/external-settings.ts';
import { createExternalSignIn } from './external/external-sign-in.ts';
import { openIdToken } from './external/sealed-id-token.ts';
import type { IdentityContext } from './identity-context.ts';
import { createPasskeys, type Passkeys } from './mfa/passkeys.ts';
import { createTotp, type Totp } from './mfa/totp.ts';
import { languageOf } from './pages/language.ts';
import { redirect } from './pages/page.ts';
import type { Principal } from './principal.ts';
import { createPrincipalCache } from './principal-cache.ts';
import { sweepPayloads } from './provider/payload-adapter.ts';
import { createProvider, type Provider } from './provider/provider.ts';
import { createUserInfo } from './provider/user-info.ts';
import { createAttemptLimit } from './sign-in/attempt-limit.ts';
import { createInteractionPages } from './sign-in/interaction-pages.ts';
import { createKnownDevices } from './sign-in/known-devices.ts';
import { createReauthenticate, type Reauthenticate } from './sign-in/reauthentication.ts';
import { createSecurityNotice, type SecurityNotice } from './sign-in/security-notice.ts';
import { createSignInLog } from './sign-in/sign-in-log.ts';
import { createSignInSessions, type SignInSessions } from './sign-in/sign-in-sessions.ts';
import { type ApiTokens, createApiTokens } from './tokens/api-tokens.ts';
import { cliClientId, createEmbeddedIssuer, issuerOf } from './tokens/embedded-issuer.ts';
import { createOneTimeTokens } from './tokens/one-time-tokens.ts';
import { loadSigningKeys, type SigningKeys } from './tokens/signing-keys.ts';
import { ensureInitialAdmin, type InitialAdmin } from './users/initial-admin.ts';
import { createInvitations, type Invitations } from './users/invitations.ts';
import { createUserAccounts, type UserAccounts } from './users/user-accounts.ts';

export interface IdentityOptions {
  database: Database;
  clock: Clock;
  /** Origin under which browsers reach the server, such as https://alerts.example.com. */
  publicUrl: string;
  /** Id of the space; its row must exist. A server with several spaces creates one identity for each. */
  spaceId: string;
  /** At least 32 bytes, the same in every replica; changing it ends all sessions. */
  secret: Uint8Array;
  log: Log;
  mail: Pick<MailOutbox, 'queue' | 'wake' | 'canSend'>;
  audit: Pick<AuditLog, 'enqueue' | 'applyRetention'>;
  /** External identity provider; none when absent. */
  external?: ExternalSettings | undefined;
  /** Maximum number of users of the space; unlimited when absent. */
  maxUsers?: number | null;
  nextId?: NextId;
  /** Client address of a request behind a trusted proxy; by default that of the connection. */
  clientAddress?: (req: IncomingMessage) => string;
}

export interface ClientInfo {
  /** Host of the issuer, with its port if any. */
  domain: string;
  clientId: string;
  issuer: string;
  cliClientId: string;
}

export interface Identity
  extends UserAccounts,
    Omit<ApiTokens, 'principalOf' | 'principalOfId' | 'noteUse' | 'settle'>,
    Pick<Invitations, 'invite' | 'resend'>,
    OwnPassword,
    Pick<AccountPages, 'countEmailChange' | 'queueEmailChange' | 'requestEmailChange'> {
  /**
   * Authenticates a request by its headers. Throws Problem 'sign-in-required'; answer it with
   * WWW-Authenticate: Bearer.
   */
  authenticate: Authentication['authenticate'];
  recheck: Authentication['recheck'];
  /** Creates the first privileged user of an empty space. */
  ensureInitialAdmin(credentials: { email: string; password?: string | undefined }): Promise<InitialAdmin>;
  /**
   * Handles everything under /oidc and the account pages. Reads the body itself, so it must run before any
   * body parser.
   */
  handler(req: IncomingMessage, res: ServerResponse): void;
  totp: Totp;
  passkeys: Passkeys;
  signInSessions: SignInSessions;
  reauthenticate: Reauthenticate;
  /** Queues the mail that notifies a user of a change to their sign-in. */
  notifySecurityChange: SecurityNotice;
  clientInfo(): ClientInfo;
  /** How a user without a password gets one. */
  newPasswords: Item<typeof settings>['newPasswords'];
  /** Resolves when the work of account pages after their replies is done. */
  settleAccountPages(): Promise<void>;
  /** Call after writing to person or api_token by other means; the next request sees the change at once. */
  clearPrincipalCache(): void;
  /**
   * Runs the maintenance otherwise done every minute: deletes expired data, rotates keys, loads keys of other
   * replicas.
   */
  cleanup(): Promise<void>;
  /** Stops the timer and waits for running writes; the database stays open. */
  close(): Promise<void>;
}

const cleanupIntervalMs = 60_000;
const cleanupFailed = 'Identity was not tidied';
// Milliseconds after which changes to users and tokens by another replica are seen at the latest.
const principalCacheTtlMs = 3_000;
const maxCachedPrincipals = 5_000;

/** Opens the identity of a space: creates signing keys if none exist and starts the timer. */
export async function createIdentity(options: IdentityOptions): Promise<Identity> {
  const { clock, database, log, spaceId } = options;
  const cache = createPrincipalCache<Principal>({
    now: () => clock.now(),
    lifetime: principalCacheTtlMs,
    size: maxCachedPrincipals,
  });
  const translators = { en: await loadTranslator('en'), ja: await loadTranslator('ja') };
  const clientAddress = options.clientAddress ?? ((req: IncomingMessage) => req.socket.remoteAddress ?? '');
  const context: IdentityContext = {
    database,
    clock,
    log,
    spaceId,
    nextId: options.nextId ?? createIdSource(clock),
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
    passwordsEnabled: options.external?.passwords !== false,
    maxUsers: options.maxUsers ?? null,
    async recordSignIn(req, details) {
      await signInSessions.record({
        ...details,
        address: clientAddress(req),
        userAgent: req.headers['user-agent'] ?? '',
        language: languageOf(req),
      });
      if (details.clientId === cliClientId) await signInLog.cliAuthorized(req, details.userId);
    },
    recordProof: (grantId, strong) => signInSessions.recordProof(grantId, strong),
    clearPrincipalCache: () => cache.forget(),
  };
  const keys = await loadSigningKeys(context);
  const issuer = createEmbeddedIssuer(context, keys);
  const users = createUserAccounts(context);
  const { principalOf, principalOfId, noteUse, settle, ...apiTokens } = createApiTokens(context);
  const limit = createAttemptLimit(context);
  const devices = createKnownDevices(context);
  const host = await createProviderHost(context, keys, translators, {
    limit,
    clientAddress,
    async signOutExternally(details, grantIds) {
      const sealed = external && (await signInSessions.externalToken(grantIds));
      const idToken = sealed && openIdToken(context.secret, sealed);
      return external && idToken ? external.signOut(details, idToken) : null;
    },
  });
  const signInSessions = createSignInSessions(context);
  const signInLog = createSignInLog(context, clientAddress);
  const tokens = createOneTimeTokens(context);
  const totp = createTotp(context);
  const notifySecurityChange = createSecurityNotice(context, users);
  const passkeys = createPasskeys(context, {
    tokens,
    tellCopied: (userId, passkey, language) =>
      notifySecurityChange(userId, 'passkey-copied', language, { passkey }),
  });
  const external =
    options.external &&
    createExternalSignIn(context, {
      provider: createExternalProvider(options.external, context),
      people: users,
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
    onRecoveryCodeUsed: (userId, language) => notifySecurityChange(userId, 'recovery-code-used', language),
    clientAddress,
  });
  const invitations = createInvitations(context);
  const accountPages = createAccountPages(context, {
    users,
    tokens,
    invitations,
    limit,
    devices,
    totp,
    notifySecurityChange,
    signInLog,
    clientAddress,
  });

  const cleanupSteps: Record<string, () => Promise<unknown>> = {
    payloads: () => sweepPayloads(context),
    'audit-retention': () => options.audit.applyRetention(),
    'attempt-limits': () => limit.sweep(),
    'known-devices': () => devices.sweep(),
    totp: () => totp.sweep(),
    'sign-in-sessions': () => signInSessions.sweep(),
    'one-time-tokens': () => tokens.sweep(),
    invitations: () => invitations.sweep(),
    'signing-keys': () => keys.refresh(),
    provider: () => host.refresh(),
  };
  const failures = new FailureLog({ clock, log });
  /**
   * A step that fails, such as an audit anchor that cannot be written, does not keep the others from running. Steps that fail
   * for the same reason, as all do without the database, are logged together.
   */
  async function cleanup(): Promise<void> {
    const failed = new Map<string, { error: unknown; steps: string[] }>();
    for (const [step, run] of Object.entries(cleanupSteps)) {
      try {
        await run();
      } catch (error) {
        const same = failed.get(String(error));
        if (same) same.steps.push(step);
        else failed.set(String(error), { error, steps: [step] });
      }
    }
    for (const { error, steps } of failed.values())
      failures.failed({ level: 'warn', message: cleanupFailed, steps }, error);
    if (failed.size === 0) failures.succeeded(cleanupFailed);
  }

  const { authenticate, recheck } = createAuthenticate(context, {
    issuer,
    apiTokens: { ...apiTokens, principalOf, principalOfId, noteUse, settle },
    cache,
  });
  const sendUserInfo = createUserInfo(context, authenticate);

  const cleanupJob = new PeriodicJob({
    ...{ clock, log },
    intervalMs: cleanupIntervalMs,
    failureMessage: cleanupFailed,
    work: cleanup,
  });
  cleanupJob.start();

  return {
    ...users,
    ...apiTokens,
    ...createOwnPassword(context, users),
    invite: invitations.invite,
    resend: invitations.resend,
    countEmailChange: accountPages.countEmailChange,
    queueEmailChange: accountPages.queueEmailChange,
    requestEmailChange: accountPages.requestEmailChange,
    totp,
    passkeys,
    signInSessions,
    reauthenticate: createReauthenticate(context, { limit, totp, sessions: signInSessions }),
    notifySecurityChange,
    settleAccountPages: accountPages.settle,
    authenticate,
    recheck,
    ensureInitialAdmin: (credentials) => ensureInitialAdmin(context, users, credentials),
    handler(req, res) {
      if (isMetadataPath(req.url)) req.url = `/oidc${metadataPrefix}`;
      const interaction = /^\/oidc\/interaction\/([\w-]{1,64})\/?(?:\?|$)/.exec(req.url ?? '');
      const accountPath = accountPagePath(req.url);
      const back = callbackRedirect(req.url);
      if (accountPath) void accountPages.handle(req, res, accountPath);
      else if (external && back) redirect(res, back);
      else if (/^\/oidc\/userinfo\/?(?:\?|$)/.test(req.url ?? '')) void sendUserInfo(req, res);
      else if (interaction) void pages.handle(req, res, interaction[1]!);
      else void host.handle(req, res);
    },
    clientInfo: () => ({
      domain: new URL(issuer.issuer).host,
      clientId: issuer.clientId,
      issuer: issuer.issuer,
      cliClientId: issuer.cliClientId,
    }),
    newPasswords: !context.passwordsEnabled ? 'none' : context.mail.canSend ? 'mail' : 'command',
    clearPrincipalCache: context.clearPrincipalCache,
    cleanup: () => cleanupJob.runNow(),
    async close() {
      await cleanupJob.close();
      await accountPages.settle();
      await settle();
    },
  };
}

const metadataPrefix = '/.well-known/oauth-authorization-server';
/** Path of the metadata (RFC 8414, section 3.1): the well-known prefix comes before the path of the issuer. */
export const metadataPath = `${metadataPrefix}/oidc`;
const isMetadataPath = (url: string | undefined) => url?.split('?')[0]?.replace(/\/$/, '') === metadataPath;

interface ProviderHost {
  provider(): Provider;
  handle(req: IncomingMessage, res: ServerResponse): Promise<void>;
  /** Recreates the provider after a key change; the library reads keys only once. */
  refresh(): Promise<void>;
}

async function createProviderHost(
  context: IdentityContext,
  keys: SigningKeys,
  translators: Parameters<typeof createProvider>[2],
  deps: Parameters<typeof createProvider>[3],
): Promise<ProviderHost> {
  const mount = new URL(issuerOf(context.publicUrl)).pathname;
  let signedWith = keys.current();
  let provider = await createProvider(context, signedWith, translators, deps);
  let callback = provider.callback();
  let preparing: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    if (keys.current() === signedWith) return;
    signedWith = keys.current();
    provider = await createProvider(context, signedWith, translators, deps);
    callback = provider.callback();
  }

  /** Runs before the first request. If it fails, the existing keys are used, and the next request tries again. */
  async function prepare(): Promise<void> {
    try {
      await keys.prepareIdTokens();
      await refresh();
    } catch (error) {
      preparing = undefined;
      context.log({ level: 'warn', message: 'Signing keys were not created', ...errorFields(error) });
    }
  }

  return {
    provider: () => provider,
    async handle(req, res) {
      preparing ??= prepare();
      await preparing;
      const mounted = req as IncomingMessage & { originalUrl?: string };
      mounted.originalUrl = req.url ?? '/';
      const inside = mounted.originalUrl.slice(mount.length);
      req.url = inside.startsWith('/') ? inside : `/${inside}`;
      await callback(req, res);
    },
    refresh,
  };
}
