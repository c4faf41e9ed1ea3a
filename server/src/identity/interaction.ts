// The sign-in page's behaviour: shown for a sign-in under way, takes email and password, sends the browser on.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Problem } from '@yagura/core/http/problem';
import { errorFacts } from '../log.ts';
import { type AttemptLimit, createAttemptLimit } from './attempt-limit.ts';
import type { IdentityContext } from './context.ts';
import { audienceOf, issuerOf } from './embedded-issuer.ts';
import { isForeign, readForm } from './form-body.ts';
import { languageOf, queryOf, type Translators } from './page/language.ts';
import { errorPage, expiredPage } from './page/notice-page.ts';
import { type Page, redirect, rememberLanguage, sendPage } from './page/page.ts';
import { type SignInProblem, signInPage } from './page/sign-in-page.ts';
import { verifyPassword } from './password.ts';
import type { Provider } from './provider.ts';
import { grantAll } from './provider-settings.ts';
import { endSession } from './sign-out.ts';

type UnderWay = Awaited<ReturnType<Provider['interactionDetails']>>;

export interface InteractionPages {
  /** Answers `/oidc/interaction/{uid}`; `req.url` is the whole path. Never rejects. */
  handle(req: IncomingMessage, res: ServerResponse, uid: string): Promise<void>;
  limit: AttemptLimit;
}

export function createInteractionPages(
  context: IdentityContext,
  parts: {
    provider(): Provider;
    translators: Translators;
    /** The network address of the browser, which only the server's proxy settings can tell. */
    clientAddress(req: IncomingMessage): string;
  },
): InteractionPages {
  const { database, spaceId, publicUrl, log } = context;
  const { translators, clientAddress } = parts;
  const limit = createAttemptLimit(context);
  const basePath = new URL(`${issuerOf(publicUrl)}/interaction/`).pathname;

  function signIn(
    req: IncomingMessage,
    underWay: UnderWay,
    facts: { email: string; problem?: SignInProblem },
  ): Page {
    const { ui_locales, redirect_uri } = underWay.params;
    const language = languageOf(req, ui_locales);
    const returnOrigin = typeof redirect_uri === 'string' ? new URL(redirect_uri).origin : undefined;
    return signInPage({
      language,
      t: translators[language],
      action: basePath + underWay.uid,
      returnOrigin,
      ...facts,
    });
  }

  /** The person whose email and password these are, null when they are not right. */
  async function personOf(email: string, password: string): Promise<string | null> {
    const { rows } = await database.query<{ userId: string; passwordHash: string | null; disabled: boolean }>(
      `select user_id as "userId", password_hash as "passwordHash", disabled
       from person where space_id = $1 and lower(email) = lower($2)`,
      [spaceId, email],
    );
    const [person] = rows;
    const fits = await verifyPassword(person?.passwordHash ?? null, password);
    return fits && person && !person.disabled ? person.userId : null;
  }

  async function submit(req: IncomingMessage, underWay: UnderWay): Promise<{ userId: string } | Page> {
    const form = await readForm(req);
    const email = (form?.get('email') ?? '').trim().slice(0, 254);
    const password = form?.get('password') ?? '';
    const again = (problem: SignInProblem) => signIn(req, underWay, { email, problem });
    if (isForeign(req, publicUrl)) return again({ kind: 'foreign' });
    if (email === '' || password === '') return again({ kind: 'fill-in' });

    const address = clientAddress(req);
    const attempt = await limit.begin(email, address);
    if (attempt.wait > 0) return again({ kind: 'wait', milliseconds: attempt.wait });
    const tooLong = password.length > 1024;
    const userId = tooLong ? null : await personOf(email, password);
    if (userId === null) {
      log({ level: 'warn', message: 'Sign-in failed', address });
      if (attempt.waitAfterFailure > 0)
        return again({ kind: 'wait', milliseconds: attempt.waitAfterFailure });
      return again({ kind: 'wrong' });
    }
    await attempt.succeeded();
    log({ level: 'info', message: 'Signed in', userId, address });
    return { userId };
  }

  /** Where the browser goes on to. A session of somebody else in this browser ends first. */
  async function finish(
    req: IncomingMessage,
    res: ServerResponse,
    underWay: UnderWay,
    userId: string,
  ): Promise<string> {
    const provider = parts.provider();
    if (underWay.session && underWay.session.accountId !== userId) {
      const session = await provider.Session.findByUid(underWay.session.uid!);
      delete underWay.session;
      await underWay.persist();
      if (session) await endSession(provider, session);
    }
    return provider.interactionResult(req, res, {
      login: { accountId: userId, remember: true, amr: ['pwd'] },
    });
  }

  async function answer(req: IncomingMessage, res: ServerResponse, uid: string): Promise<void> {
    const provider = parts.provider();
    const underWay = await provider.interactionDetails(req, res);
    if (underWay.uid !== uid) return sendPage(res, expired(req));
    if (underWay.prompt.name !== 'login') {
      // Asked for consent: our own clients have it.
      const grant = await grantAll(
        provider,
        underWay.session!.accountId,
        String(underWay.params.client_id),
        audienceOf(publicUrl),
      );
      const result = { consent: { grantId: grant.jti } };
      return redirect(res, await provider.interactionResult(req, res, result));
    }
    if (req.method === 'POST') {
      const outcome = await submit(req, underWay);
      if (!('userId' in outcome)) return sendPage(res, outcome);
      return redirect(res, await finish(req, res, underWay, outcome.userId));
    }
    const chosen = queryOf(req).get('lng');
    if (chosen === 'en' || chosen === 'ja') rememberLanguage(res, chosen, publicUrl);
    const hint = underWay.params.login_hint;
    const email = typeof hint === 'string' ? hint.slice(0, 254) : '';
    sendPage(res, signIn(req, underWay, { email }), req.method !== 'HEAD');
  }

  function expired(req: IncomingMessage): Page {
    const language = languageOf(req);
    return expiredPage({ language, t: translators[language], home: `${publicUrl}/` });
  }

  function failed(req: IncomingMessage, error: unknown): Page {
    const language = languageOf(req);
    const known = { language, t: translators[language], home: `${publicUrl}/` };
    if ((error as { error?: unknown }).error === 'invalid_request') return expiredPage(known);
    const away =
      (error instanceof Problem && error.kind === 'unavailable') ||
      (error as Error).name === 'StoreUnavailable';
    if (!away) log({ level: 'error', message: 'Sign-in page failed', ...errorFacts(error) });
    return errorPage({
      ...known,
      status: away ? 503 : 500,
      code: away ? 'temporarily_unavailable' : 'server_error',
    });
  }

  return {
    limit,
    async handle(req, res, uid) {
      if (!['GET', 'HEAD', 'POST'].includes(req.method ?? '')) {
        res.writeHead(405, { allow: 'GET, HEAD, POST' }).end();
        return;
      }
      try {
        await answer(req, res, uid);
      } catch (error) {
        if (res.headersSent) res.destroy();
        else sendPage(res, failed(req, error));
      }
    },
  };
}
