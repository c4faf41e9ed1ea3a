// The sign-in page's behaviour: shown for a sign-in under way, takes email and password, sends the browser on.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Problem } from '@yagura/core/http/problem';
import type { Language } from '@yagura/core/words/translate';
import { errorFacts } from '../log.ts';
import type { AttemptLimit } from './attempt-limit.ts';
import type { IdentityContext } from './context.ts';
import { audienceOf, issuerOf } from './embedded-issuer.ts';
import type { Passkeys } from './factor/passkey.ts';
import { rememberBrowser, rememberedBrowser } from './factor/remembered-browser.ts';
import { rememberedDays, type Totp } from './factor/totp.ts';
import { isForeign, readForm } from './form-body.ts';
import { languageOf, queryOf, type Translators } from './page/language.ts';
import { errorPage, expiredPage } from './page/notice-page.ts';
import { type Page, redirect, rememberLanguage, sendPage } from './page/page.ts';
import { secondStepPage } from './page/second-step-page.ts';
import { type SignInProblem, signInPage } from './page/sign-in-page.ts';
import { verifyPassword } from './password.ts';
import type { Provider } from './provider.ts';
import { grantAll } from './provider-settings.ts';
import { endSession } from './sign-out.ts';

type UnderWay = Awaited<ReturnType<Provider['interactionDetails']>>;

/** What a sign-in under way has come to; kept at the provider, out of the browser's hands. */
interface Progress {
  /** Whose password was right, and when, in milliseconds. */
  second?: { userId: string; at: number };
  /** What a passkey has to answer to. */
  challenge?: string;
}

/** How somebody has shown who they are, in the words of RFC 8176. */
interface Proven {
  userId: string;
  methods: string[];
}

export interface InteractionPages {
  /** Answers `/oidc/interaction/{uid}`; `req.url` is the whole path. Never rejects. */
  handle(req: IncomingMessage, res: ServerResponse, uid: string): Promise<void>;
}

/** Whoever takes longer for the second step starts over; in milliseconds. */
const secondStepLife = 10 * 60_000;

export function createInteractionPages(
  context: IdentityContext,
  parts: {
    provider(): Provider;
    translators: Translators;
    totp: Totp;
    passkeys: Passkeys;
    limit: AttemptLimit;
    /** Tells the person of it. */
    recoveryCodeUsed(userId: string, language: Language): Promise<void>;
    /** The network address of the browser, which only the server's proxy settings can tell. */
    clientAddress(req: IncomingMessage): string;
  },
): InteractionPages {
  const { database, spaceId, publicUrl, log, clock } = context;
  const { translators, clientAddress, totp, passkeys, limit } = parts;
  const basePath = new URL(`${issuerOf(publicUrl)}/interaction/`).pathname;

  function progressOf(underWay: UnderWay): Progress {
    const { second, challenge } = (underWay.result ?? {}) as Progress;
    const stale = second !== undefined && second.at + secondStepLife <= clock.now();
    return { ...(second && !stale ? { second } : {}), ...(challenge ? { challenge } : {}) };
  }

  async function keep(underWay: UnderWay, progress: Progress): Promise<void> {
    underWay.result = { ...progress };
    await underWay.persist();
  }

  function common(req: IncomingMessage, underWay: UnderWay) {
    const { ui_locales, redirect_uri } = underWay.params;
    const language = languageOf(req, ui_locales);
    const returnOrigin = typeof redirect_uri === 'string' ? new URL(redirect_uri).origin : undefined;
    return { language, t: translators[language], action: basePath + underWay.uid, returnOrigin };
  }

  async function signIn(
    req: IncomingMessage,
    underWay: UnderWay,
    facts: { email: string; problem?: SignInProblem },
  ): Promise<Page> {
    const passkey = (await passkeys.inUse()) ? await passkeys.requestOptions(null) : null;
    if (passkey) await keep(underWay, { challenge: passkey.challenge });
    return signInPage({ ...common(req, underWay), passkey, ...facts });
  }

  async function secondStep(
    req: IncomingMessage,
    underWay: UnderWay,
    second: NonNullable<Progress['second']>,
    problem?: SignInProblem,
  ): Promise<Page> {
    const { passkeys: owned } = await totp.state(second.userId);
    const passkey = owned > 0 ? await passkeys.requestOptions(second.userId) : null;
    await keep(underWay, { second, ...(passkey ? { challenge: passkey.challenge } : {}) });
    return secondStepPage({
      ...common(req, underWay),
      passkey,
      rememberedDays,
      ...(problem ? { problem } : {}),
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

  async function submit(
    req: IncomingMessage,
    res: ServerResponse,
    underWay: UnderWay,
  ): Promise<Proven | Page> {
    const form = (await readForm(req)) ?? new URLSearchParams();
    const email = (form.get('email') ?? '').trim().slice(0, 254);
    if (isForeign(req, publicUrl)) return signIn(req, underWay, { email, problem: { kind: 'foreign' } });
    const progress = progressOf(underWay);
    if (form.has('restart')) {
      await keep(underWay, {});
      return signIn(req, underWay, { email: '' });
    }
    if (progress.second && (form.has('code') || form.has('passkey')))
      return submitSecond(req, res, underWay, form, { ...progress, second: progress.second });
    if (form.has('passkey')) return submitPasskey(req, underWay, form, progress);
    return submitPassword(req, underWay, email, form.get('password') ?? '');
  }

  async function submitPassword(
    req: IncomingMessage,
    underWay: UnderWay,
    email: string,
    password: string,
  ): Promise<Proven | Page> {
    const again = (problem: SignInProblem) => signIn(req, underWay, { email, problem });
    if (email === '' || password === '') return again({ kind: 'fill-in' });
    const address = clientAddress(req);
    const attempt = await limit.begin(email, address);
    if (attempt.wait > 0) return again({ kind: 'wait', milliseconds: attempt.wait });
    const tooLong = password.length > 1024;
    const userId = tooLong ? null : await personOf(email, password);
    if (userId === null) {
      refused(req, 'password', null);
      if (attempt.waitAfterFailure > 0)
        return again({ kind: 'wait', milliseconds: attempt.waitAfterFailure });
      return again({ kind: 'wrong' });
    }
    await attempt.succeeded();
    const remembered = rememberedBrowser(req, publicUrl);
    const asks =
      (await totp.isEnabled(userId)) &&
      !(remembered !== undefined && (await totp.isRemembered(userId, remembered)));
    if (asks) return secondStep(req, underWay, { userId, at: clock.now() });
    return { userId, methods: ['pwd'] };
  }

  async function submitSecond(
    req: IncomingMessage,
    res: ServerResponse,
    underWay: UnderWay,
    form: URLSearchParams,
    progress: Progress & { second: NonNullable<Progress['second']> },
  ): Promise<Proven | Page> {
    const { second, challenge } = progress;
    const { userId } = second;
    const again = (problem: SignInProblem) => secondStep(req, underWay, second, problem);
    const attempt = await limit.begin(`second step ${userId}`, clientAddress(req));
    if (attempt.wait > 0) return again({ kind: 'wait', milliseconds: attempt.wait });
    const passkey = form.get('passkey');
    const used = passkey
      ? challenge && (await passkeys.verify(passkey, { challenge, userId, alone: false })) && 'passkey'
      : await totp.check(userId, form.get('code') ?? '');
    if (!used) {
      refused(req, passkey ? 'passkey' : 'code', userId);
      if (attempt.waitAfterFailure > 0)
        return again({ kind: 'wait', milliseconds: attempt.waitAfterFailure });
      return again({ kind: passkey ? 'passkey' : 'wrong' });
    }
    await attempt.succeeded();
    if (form.get('remember') === 'yes') rememberBrowser(res, publicUrl, await totp.remember(userId));
    if (used === 'recovery-code') await parts.recoveryCodeUsed(userId, common(req, underWay).language);
    return { userId, methods: ['pwd', used === 'passkey' ? 'hwk' : 'otp', 'mfa'] };
  }

  /** A passkey alone: what the person has, and, verified by their device, what they know or are. */
  async function submitPasskey(
    req: IncomingMessage,
    underWay: UnderWay,
    form: URLSearchParams,
    { challenge }: Progress,
  ): Promise<Proven | Page> {
    const again = (problem: SignInProblem) => signIn(req, underWay, { email: '', problem });
    const address = clientAddress(req);
    const attempt = await limit.begin(`passkey ${address}`, address);
    if (attempt.wait > 0) return again({ kind: 'wait', milliseconds: attempt.wait });
    const userId =
      challenge &&
      (await passkeys.verify(form.get('passkey') ?? '', { challenge, userId: null, alone: true }));
    if (!userId) {
      refused(req, 'passkey', null);
      return again({ kind: 'passkey' });
    }
    await attempt.succeeded();
    return { userId, methods: ['hwk', 'user', 'mfa'] };
  }

  /** A sign-in for the audit log; what was typed as a name is not kept, for it may be a password. */
  async function noted(
    req: IncomingMessage,
    facts: { userId: string | null; outcome: 'done' | 'failed'; detail: string },
  ): Promise<void> {
    const { rows } = await database.query<{ name: string }>(
      'select display_name as name from person where space_id = $1 and user_id = $2',
      [spaceId, facts.userId],
    );
    context.audit.later({
      actor: { kind: facts.userId ? 'person' : 'guest', userId: facts.userId, name: rows[0]?.name ?? '' },
      from: { address: clientAddress(req), userAgent: req.headers['user-agent'] ?? '' },
      action: 'sign-in',
      outcome: facts.outcome,
      resource: 'sign-in',
      detail: facts.detail,
    });
  }

  function refused(req: IncomingMessage, way: string, userId: string | null): void {
    void noted(req, { userId, outcome: 'failed', detail: way }).catch((error: unknown) =>
      log({ level: 'error', message: 'Not written to the audit log', ...errorFacts(error) }),
    );
    log({
      level: 'warn',
      message: 'Sign-in failed',
      way,
      ...(userId ? { userId } : {}),
      address: clientAddress(req),
    });
  }

  /** Where the browser goes on to. A session of somebody else in this browser ends first. */
  async function finish(
    req: IncomingMessage,
    res: ServerResponse,
    underWay: UnderWay,
    { userId, methods }: Proven,
  ): Promise<string> {
    const provider = parts.provider();
    if (underWay.session && underWay.session.accountId !== userId) {
      const session = await provider.Session.findByUid(underWay.session.uid!);
      delete underWay.session;
      await underWay.persist();
      if (session) await endSession(provider, session);
    }
    return provider.interactionResult(req, res, {
      login: { accountId: userId, remember: true, amr: methods },
    });
  }

  async function answer(req: IncomingMessage, res: ServerResponse, uid: string): Promise<void> {
    const provider = parts.provider();
    const underWay = await provider.interactionDetails(req, res);
    if (underWay.uid !== uid) return sendPage(res, expired(req));
    if (underWay.prompt.name !== 'login') {
      // Asked for consent: our own clients have it.
      const { accountId } = underWay.session!;
      const clientId = String(underWay.params.client_id);
      const grant = await grantAll(provider, accountId, clientId, audienceOf(publicUrl));
      await context.noteSignIn(req, { grantId: grant.jti, userId: accountId, clientId });
      const result = { consent: { grantId: grant.jti } };
      return redirect(res, await provider.interactionResult(req, res, result));
    }
    if (req.method === 'POST') {
      const outcome = await submit(req, res, underWay);
      if (!('userId' in outcome)) return sendPage(res, outcome);
      const { userId, methods } = outcome;
      log({ level: 'info', message: 'Signed in', userId, methods, address: clientAddress(req) });
      await noted(req, { userId, outcome: 'done', detail: methods.join(' ') });
      return redirect(res, await finish(req, res, underWay, outcome));
    }
    const chosen = queryOf(req).get('lng');
    if (chosen === 'en' || chosen === 'ja') rememberLanguage(res, chosen, publicUrl);
    const hint = underWay.params.login_hint;
    const email = typeof hint === 'string' ? hint.slice(0, 254) : '';
    const { second } = progressOf(underWay);
    const page = second ? secondStep(req, underWay, second) : signIn(req, underWay, { email });
    sendPage(res, await page, req.method !== 'HEAD');
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
