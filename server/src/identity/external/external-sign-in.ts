// A sign-in that goes by the external provider: the way there, and what the way back leads to.
import type { Language, Translate } from '@yagura/core/words/translate';
import { errorFacts } from '../../log.ts';
import type { IdentityContext } from '../context.ts';
import type { OneTimeTokens } from '../one-time-token.ts';
import { accountPageNotice, signingOutPage } from '../page/notice-page.ts';
import type { Page } from '../page/page.ts';
import type { UserAccounts } from '../person.ts';
import { type Admission, admit } from './admit.ts';
import { type ExternalProvider, ExternalRefusal, type Pending } from './external-provider.ts';

/** Kept with the sign-in under way. */
export interface ExternalProgress extends Pending {
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
export interface PageFacts {
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
  begin(facts: PageFacts, wanted?: { prompt?: string; loginHint?: string }): Promise<ExternalOutcome>;
  finish(
    facts: PageFacts,
    query: URLSearchParams,
    progress: ExternalProgress | undefined,
  ): Promise<ExternalOutcome>;
  /** The page that leads on to the sign-out there; null when that is not wanted or not possible. */
  signOut(facts: Pick<PageFacts, 'language' | 't'>, idToken: string): Promise<Page | null>;
}

/** As long as a sign-in under way may take; in milliseconds. */
const linkLifetime = 3_600_000;

export function createExternalSignIn(
  context: IdentityContext,
  parts: { provider: ExternalProvider; people: UserAccounts; tokens: OneTimeTokens },
): ExternalSignIn {
  const { provider, people, tokens } = parts;
  const { name, createUsers } = provider.settings;

  async function begin(
    { uid, language, fresh }: PageFacts,
    wanted: { prompt?: string; loginHint?: string },
    again: boolean,
  ): Promise<ExternalOutcome> {
    const { address, pending } = await provider.begin({ uid, language, fresh, ...wanted });
    return { kind: 'go', address, external: { ...pending, again } };
  }

  function notice(facts: PageFacts, status: number, word: NoticeWord, email = ''): ExternalOutcome {
    const { language, t, action } = facts;
    const page = accountPageNotice({
      language,
      t,
      status,
      title: t(`external.${word}-title`),
      text: t(`external.${word}`, { provider: name, email }),
      link: { href: `${action}?external=other`, text: t('external.other') },
    });
    return { kind: 'page', page, reason: word };
  }

  async function admitted(facts: PageFacts, admission: Admission, identity: Identity) {
    const { email, methods, issuer, subject, idToken } = identity;
    if (admission.state === 'in')
      return {
        kind: 'in' as const,
        userId: admission.userId,
        methods: methods.length > 0 ? methods : ['fed'],
        idToken,
      };
    if (admission.state !== 'link')
      return notice(facts, admission.state === 'full' ? 409 : 403, admission.state, email ?? '');
    const token = await tokens.issue(context.database, {
      purpose: 'link-account',
      userId: admission.userId,
      facts: { issuer, subject, account: email ?? subject, back: `${facts.action}?external=start` },
      lifetime: linkLifetime,
    });
    return { kind: 'link' as const, path: `/link-account?token=${token}` };
  }

  /** Wrong configuration is told here, to whoever can have it set right; what the person caused goes back to the client. */
  function failed(facts: PageFacts, error: unknown): ExternalOutcome {
    if (!(error instanceof ExternalRefusal)) throw error;
    const { code, ours, cause } = error;
    context.log({
      level: ours ? 'error' : 'warn',
      message: ours ? 'The external provider cannot be used' : 'The external provider let nobody in',
      code,
      ...errorFacts(cause),
    });
    if (!ours)
      return { kind: 'refused', code: code === 'invalid_answer' ? 'server_error' : code, description: name };
    const { language, t, action } = facts;
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
    async begin(facts, wanted = {}) {
      try {
        return await begin(facts, wanted, false);
      } catch (error) {
        return failed(facts, error);
      }
    },
    async finish(facts, query, progress) {
      try {
        // Come by an old tab or a foreign link: asked for anew.
        if (!progress || query.get('state') !== progress.state) return await begin(facts, {}, false);
        const identity = await provider.finish(query, progress);
        const admission = await admit(context, people, identity, { createUsers });
        return await admitted(facts, admission, identity);
      } catch (error) {
        const asks = error instanceof ExternalRefusal && signInAgain.has(error.code) && !progress?.again;
        try {
          if (asks) return await begin(facts, { prompt: 'login' }, true);
        } catch (second) {
          return failed(facts, second);
        }
        return failed(facts, error);
      }
    },
    async signOut({ language, t }, idToken) {
      if (!provider.settings.signOut) return null;
      try {
        const address = await provider.signOut({ idToken, language });
        return address && signingOutPage({ language, t, provider: name, address });
      } catch (error) {
        if (!(error instanceof ExternalRefusal)) throw error;
        const { code, cause } = error;
        const message = 'The external provider could not be told of a sign-out';
        context.log({ level: 'warn', message, code, ...errorFacts(cause) });
        return null;
      }
    },
  };
}

type Identity = Awaited<ReturnType<ExternalProvider['finish']>>;
type NoticeWord = Exclude<Admission['state'], 'in' | 'link'>;

/** The provider has no session, or wants to ask something: the person is sent there once more (spec section 4). */
const signInAgain = new Set(['login_required', 'interaction_required', 'account_selection_required']);
