// A sign-in that goes by the external provider: the way there, and what the way back leads to.
import type { Language, Translate } from '@yagura/core/i18n/translator';
import { errorFields } from '../../common/log.ts';
import type { IdentityContext } from '../identity-context.ts';
import { accountPageNotice, signingOutPage } from '../pages/notice-page.ts';
import type { Page } from '../pages/page.ts';
import type { OneTimeTokens } from '../tokens/one-time-tokens.ts';
import type { UserAccounts } from '../users/user-accounts.ts';
import {
  type ExternalProvider,
  ExternalProviderError,
  type PendingAuthorization,
} from './external-provider.ts';
import { type AccountResolution, resolveAccount } from './resolve-account.ts';

/** Kept with the sign-in under way. */
export interface ExternalProgress extends PendingAuthorization {
  /** The provider has already asked for a sign-in of its own once. */
  again: boolean;
}

export type ExternalOutcome =
  | { kind: 'go'; address: URL; external: ExternalProgress }
  | { kind: 'in'; userId: string; methods: string[]; idToken: string }
  /** To be told to the client that asked for the sign-in (OpenID Connect Core 1.0, 3.1.2.6). */
  | { kind: 'refused'; code: string; description: string }
  | { kind: 'link'; path: string }
  | { kind: 'page'; page: Page; reason: string };

/** What the page of the sign-in under way knows. */
export interface SignInPageContext {
  language: Language;
  t: Translate;
  /** Path of that page. */
  action: string;
  uid: string;
  /** Only a sign-in that is made now counts. */
  fresh: boolean;
}

export interface ExternalSignIn {
  /** Name of the provider. */
  name: string;
  /** `prompt` and `loginHint` as of OpenID Connect Core 1.0, 3.1.2.1. */
  begin(
    pageContext: SignInPageContext,
    options?: { prompt?: string; loginHint?: string },
  ): Promise<ExternalOutcome>;
  finish(
    pageContext: SignInPageContext,
    query: URLSearchParams,
    progress: ExternalProgress | undefined,
  ): Promise<ExternalOutcome>;
  /** The page that leads on to the sign-out there; null when that is not wanted or not possible. */
  signOut(pageContext: Pick<SignInPageContext, 'language' | 't'>, idToken: string): Promise<Page | null>;
}

/** As long as a sign-in under way may take; in milliseconds. */
const linkLifetimeMs = 3_600_000;

export function createExternalSignIn(
  context: IdentityContext,
  deps: { provider: ExternalProvider; people: UserAccounts; tokens: OneTimeTokens },
): ExternalSignIn {
  const { provider, people, tokens } = deps;
  const { name, createUsers } = provider.settings;

  async function begin(
    { uid, language, fresh }: SignInPageContext,
    options: { prompt?: string; loginHint?: string },
    again: boolean,
  ): Promise<ExternalOutcome> {
    const { address, pending } = await provider.begin({ uid, language, fresh, ...options });
    return { kind: 'go', address, external: { ...pending, again } };
  }

  function notice(
    pageContext: SignInPageContext,
    status: number,
    noticeKey: NoticeKey,
    email = '',
  ): ExternalOutcome {
    const { language, t, action } = pageContext;
    const page = accountPageNotice({
      language,
      t,
      status,
      title: t(`external.${noticeKey}-title`),
      text: t(`external.${noticeKey}`, { provider: name, email }),
      link: { href: `${action}?external=other`, text: t('external.other') },
    });
    return { kind: 'page', page, reason: noticeKey };
  }

  async function finishResolved(
    pageContext: SignInPageContext,
    resolution: AccountResolution,
    identity: Identity,
  ) {
    const { email, methods, issuer, subject, idToken } = identity;
    if (resolution.state === 'in')
      return {
        kind: 'in' as const,
        userId: resolution.userId,
        methods: methods.length > 0 ? methods : ['fed'],
        idToken,
      };
    if (resolution.state !== 'link')
      return notice(pageContext, resolution.state === 'full' ? 409 : 403, resolution.state, email ?? '');
    const token = await tokens.issue(context.database, {
      purpose: 'link-account',
      userId: resolution.userId,
      facts: { issuer, subject, account: email ?? subject, back: `${pageContext.action}?external=start` },
      lifetime: linkLifetimeMs,
    });
    return { kind: 'link' as const, path: `/link-account?token=${token}` };
  }

  /** Wrong configuration is told here, to whoever can have it set right; what the person caused goes back to the client. */
  function handleFailure(pageContext: SignInPageContext, error: unknown): ExternalOutcome {
    if (!(error instanceof ExternalProviderError)) throw error;
    const { code, isConfigurationError, cause } = error;
    context.log({
      level: isConfigurationError ? 'error' : 'warn',
      message: isConfigurationError
        ? 'The external provider cannot be used'
        : 'The external provider let nobody in',
      code,
      ...errorFields(cause),
    });
    if (!isConfigurationError)
      return { kind: 'refused', code: code === 'invalid_answer' ? 'server_error' : code, description: name };
    const { language, t, action } = pageContext;
    const page = accountPageNotice({
      language,
      t,
      status: 502,
      title: t('external.wrong-title'),
      text: t('external.wrong', { provider: name, code }),
      link: { href: action, text: t('signin.start-again') },
    });
    return { kind: 'page', page, reason: code };
  }

  return {
    name,
    async begin(pageContext, options = {}) {
      try {
        return await begin(pageContext, options, false);
      } catch (error) {
        return handleFailure(pageContext, error);
      }
    },
    async finish(pageContext, query, progress) {
      try {
        // Come by an old tab or a foreign link: asked for anew.
        if (!progress || query.get('state') !== progress.state) return await begin(pageContext, {}, false);
        const identity = await provider.finish(query, progress);
        const resolution = await resolveAccount(context, people, identity, { createUsers });
        return await finishResolved(pageContext, resolution, identity);
      } catch (error) {
        const asks =
          error instanceof ExternalProviderError && signInAgain.has(error.code) && !progress?.again;
        try {
          if (asks) return await begin(pageContext, { prompt: 'login' }, true);
        } catch (second) {
          return handleFailure(pageContext, second);
        }
        return handleFailure(pageContext, error);
      }
    },
    async signOut({ language, t }, idToken) {
      if (!provider.settings.signOut) return null;
      try {
        const address = await provider.signOut({ idToken, language });
        return address && signingOutPage({ language, t, provider: name, address });
      } catch (error) {
        if (!(error instanceof ExternalProviderError)) throw error;
        const { code, cause } = error;
        const message = 'The external provider could not be told of a sign-out';
        context.log({ level: 'warn', message, code, ...errorFields(cause) });
        return null;
      }
    },
  };
}

type Identity = Awaited<ReturnType<ExternalProvider['finish']>>;
type NoticeKey = Exclude<AccountResolution['state'], 'in' | 'link'>;

/** The provider has no session, or wants to ask something: the person is sent there once more (spec section 4). */
const signInAgain = new Set(['login_required', 'interaction_required', 'account_selection_required']);
