// Signs in through the external provider: starts the authorization and handles its response.
import type { Language, Translate } from '@yagura/core/i18n/translator';
import { errorFields } from '../../common/log.ts';
import type { IdentityContext } from '../identity-context.ts';
import { accountPageNotice, signingOutPage } from '../pages/notice-page.ts';
import type { Page } from '../pages/page.ts';
import type { VerifiedUser } from '../sign-in/verify-credentials.ts';
import type { OneTimeTokens } from '../tokens/one-time-tokens.ts';
import type { UserAccounts } from '../users/user-accounts.ts';
import {
  type ExternalProvider,
  ExternalProviderError,
  type PendingAuthorization,
} from './external-provider.ts';
import { type AccountChange, type AccountResolution, resolveAccount } from './resolve-account.ts';

/** Stored with the sign-in in progress. */
export interface ExternalProgress extends PendingAuthorization {
  /** The provider was already asked a second time, after it required interaction. */
  again: boolean;
}

export type ExternalOutcome =
  | { kind: 'go'; address: URL; external: ExternalProgress }
  | ({ kind: 'in'; methods: string[]; idToken: string } & VerifiedUser)
  /** Reported to the client that requested the sign-in (OpenID Connect Core 1.0, 3.1.2.6). */
  | { kind: 'refused'; code: string; description: string }
  | { kind: 'link'; path: string }
  | { kind: 'page'; page: Page; reason: string };

/** Page data of the sign-in in progress. */
export interface SignInPageContext {
  language: Language;
  t: Translate;
  /** Path of that page. */
  action: string;
  uid: string;
  /** Existing provider sessions are not accepted. */
  fresh: boolean;
}

export interface ExternalSignIn {
  /** Display name of the provider. */
  name: string;
  /** `prompt` and `loginHint` as in OpenID Connect Core 1.0, 3.1.2.1. */
  begin(
    pageContext: SignInPageContext,
    options?: { prompt?: string; loginHint?: string },
  ): Promise<ExternalOutcome>;
  /** `record` takes what the provider has changed in the space. */
  finish(
    pageContext: SignInPageContext,
    query: URLSearchParams,
    progress: ExternalProgress | undefined,
    record: (change: AccountChange) => void,
  ): Promise<ExternalOutcome>;
  /** Page that continues to the sign-out at the provider; null when that is disabled or not supported. */
  signOut(pageContext: Pick<SignInPageContext, 'language' | 't'>, idToken: string): Promise<Page | null>;
}

/** Maximum duration of a sign-in in progress, in milliseconds. */
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
        epoch: resolution.epoch,
        methods: methods.length > 0 ? methods : ['fed'],
        idToken,
      };
    if (resolution.state !== 'link')
      return notice(pageContext, resolution.state === 'full' ? 409 : 403, resolution.state, email ?? '');
    const token = await tokens.issue(context.database, {
      purpose: 'link-account',
      userId: resolution.userId,
      data: { issuer, subject, account: email ?? subject, back: `${pageContext.action}?external=start` },
      lifetime: linkLifetimeMs,
    });
    return { kind: 'link' as const, path: `/link-account?token=${token}` };
  }

  /**
   * Configuration errors are shown here, to someone who can have them fixed; errors caused by the user are
   * returned to the client.
   */
  function handleFailure(pageContext: SignInPageContext, error: unknown): ExternalOutcome {
    if (!(error instanceof ExternalProviderError)) throw error;
    const { code, isConfigurationError } = error;
    context.log({
      level: isConfigurationError ? 'error' : 'warn',
      message: isConfigurationError
        ? 'The external provider cannot be used'
        : 'The external provider let nobody in',
      ...failureFields(error),
    });
    if (!isConfigurationError)
      return { kind: 'refused', code: code === 'invalid_answer' ? 'server_error' : code, description: name };
    const { language, t, action } = pageContext;
    const key = code === 'unreachable' ? 'unreachable' : 'wrong';
    const page = accountPageNotice({
      language,
      t,
      status: 502,
      title: t(`external.${key}-title`),
      text: t(`external.${key}`, { provider: name, code }),
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
    async finish(pageContext, query, progress, record) {
      try {
        // The response belongs to an old tab or a foreign link: start again.
        if (!progress || query.get('state') !== progress.state) return await begin(pageContext, {}, false);
        const identity = await provider.finish(query, progress);
        const resolution = await resolveAccount(context, people, identity, { createUsers, record });
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
        const message = 'The external provider could not be told of a sign-out';
        context.log({ level: 'warn', message, ...failureFields(error) });
        return null;
      }
    },
  };
}

/** The library's own messages are general: the cause of a failed request and the provider's words say more. */
function failureFields({ code, cause }: ExternalProviderError): Record<string, unknown> {
  const { cause: reason, error_description: description } = (cause ?? {}) as {
    cause?: unknown;
    error_description?: unknown;
  };
  return {
    ...errorFields(cause),
    ...(reason instanceof Error ? { cause: reason.message } : {}),
    ...(typeof description === 'string' ? { description: description.slice(0, maxDescriptionLength) } : {}),
    code,
  };
}

/** Characters; the text comes from outside. */
const maxDescriptionLength = 500;

type Identity = Awaited<ReturnType<ExternalProvider['finish']>>;
type NoticeKey = Exclude<AccountResolution['state'], 'in' | 'link'>;

/** The provider has no session or needs interaction: redirect the user again with a prompt. */
const signInAgain = new Set(['login_required', 'interaction_required', 'account_selection_required']);
