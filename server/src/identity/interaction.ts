// The sign-in page's behaviour: shown for a sign-in under way, takes email and password, sends the browser on.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Problem } from '@yagura/core/http/problem';
import type { Language } from '@yagura/core/words/translate';
import { errorFacts } from '../log.ts';
import type { AttemptLimit } from './attempt-limit.ts';
import type { IdentityContext } from './context.ts';
import { audienceOf, issuerOf } from './embedded-issuer.ts';
import type { ExternalOutcome, ExternalProgress, ExternalSignIn } from './external/external-sign-in.ts';
import { sealVouched, vouchedToken } from './external/vouched-token.ts';
import type { Passkeys } from './factor/passkey.ts';
import { rememberBrowser, rememberedBrowser } from './factor/remembered-browser.ts';
import { rememberedDays, type Totp } from './factor/totp.ts';
import { isForeign, readForm } from './form-body.ts';
import { isStrong, requestsPromptLogin } from './fresh-sign-in.ts';
import type { KnownDevices } from './known-device.ts';
import { languageOf, queryOf, type Translators } from './page/language.ts';
import { errorPage, expiredPage } from './page/notice-page.ts';
import { type Page, redirect, rememberLanguage, sendPage } from './page/page.ts';
import { secondStepPage } from './page/second-step-page.ts';
import { type SignInProblem, signInPage } from './page/sign-in-page.ts';
import { personOf } from './person-of-password.ts';
import type { Provider } from './provider.ts';
import { grantAll } from './provider-settings.ts';
import { createSignInRecord } from './sign-in-record.ts';
import { endSession } from './sign-out.ts';

type UnderWay = Awaited<ReturnType<Provider['interactionDetails']>>;

/** What a sign-in under way has come to; kept at the provider, out of the browser's hands. */
interface Progress {
  /** Who has done the first step, when, in milliseconds, and how if not by password. */
  second?: { userId: string; at: number; methods?: string[]; external?: string | undefined };
  /** What a passkey has to answer to. */
  challenge?: string;
  /** What the external provider has to answer to. */
  external?: ExternalProgress;
}

/** How somebody has shown who they are, in the words of RFC 8176. */
interface Proven {
  userId: string;
  methods: string[];
  /** The external provider's ID token, sealed, when it has vouched for them. */
  external?: string | undefined;
}

/** What comes of a request: the person is known, a page is shown, or the browser is sent on. */
type Step = Proven | Page | { go: string } | { error: string; description: string };

export interface InteractionPages {
  /** Answers `/oidc/interaction/{uid}`; `req.url` is the whole path. Never rejects. */
  handle(req: IncomingMessage, res: ServerResponse, uid: string): Promise<void>;
}

/** Whoever takes longer for the second step starts over; in milliseconds. */
const secondStepLifetimeMs = 10 * 60_000;

export function createInteractionPages(
  context: IdentityContext,
  parts: {
    provider(): Provider;
    translators: Translators;
    totp: Totp;
    passkeys: Passkeys;
    limit: AttemptLimit;
    devices: KnownDevices;
    /** The other provider with which people may, or must, sign in. */
    external: ExternalSignIn | undefined;
    /** Tells the person of it. */
    recoveryCodeUsed(userId: string, language: Language): Promise<void>;
    /** The network address of the browser, which only the server's proxy settings can tell. */
    clientAddress(req: IncomingMessage): string;
  },
): InteractionPages {
  const { publicUrl, log, clock, passwords } = context;
  const { translators, clientAddress, totp, passkeys, limit, devices, external } = parts;
  const record = createSignInRecord(context, clientAddress);
  const basePath = new URL(`${issuerOf(publicUrl)}/interaction/`).pathname;

  function progressOf(underWay: UnderWay): Progress {
    const { second, challenge, external } = (underWay.result ?? {}) as Progress;
    const stale = second !== undefined && second.at + secondStepLifetimeMs <= clock.now();
    return {
      ...(second && !stale ? { second } : {}),
      ...(challenge ? { challenge } : {}),
      ...(external ? { external } : {}),
    };
  }

  async function keep(underWay: UnderWay, progress: Progress): Promise<void> {
    underWay.result = { ...progress };
    await underWay.persist();
  }

  function common(req: IncomingMessage, underWay: UnderWay) {
    const { ui_locales, redirect_uri } = underWay.params;
    const language = languageOf(req, ui_locales);
    const returnOrigin = typeof redirect_uri === 'string' ? new URL(redirect_uri).origin : undefined;
    const { uid } = underWay;
    const fresh = requestsPromptLogin(underWay.params);
    return { language, t: translators[language], action: basePath + uid, uid, returnOrigin, fresh };
  }

  async function signIn(
    req: IncomingMessage,
    underWay: UnderWay,
    facts: { email: string; problem?: SignInProblem },
  ): Promise<Page> {
    const passkey = passwords && (await passkeys.inUse()) ? await passkeys.requestOptions(null) : null;
    if (passkey) await keep(underWay, { challenge: passkey.challenge });
    return signInPage({ ...common(req, underWay), passkey, passwords, external: external?.name, ...facts });
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

  async function submit(req: IncomingMessage, res: ServerResponse, underWay: UnderWay): Promise<Step> {
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
    if (!passwords) return signIn(req, underWay, { email: '' });
    if (form.has('passkey')) return submitPasskey(req, underWay, form, progress);
    return submitPassword(req, underWay, email, form.get('password') ?? '');
  }

  async function submitPassword(
    req: IncomingMessage,
    underWay: UnderWay,
    email: string,
    password: string,
  ): Promise<Step> {
    const again = (problem: SignInProblem) => signIn(req, underWay, { email, problem });
    if (email === '' || password === '') return again({ kind: 'fill-in' });
    const address = clientAddress(req);
    const device = await devices.ofEmail(req, email);
    const attempt = await limit.begin({ purpose: 'password', account: email, address, device });
    if (attempt.wait > 0) return again({ kind: 'wait', milliseconds: attempt.wait });
    const userId = await personOf(context, email, password);
    if (userId === null) {
      record.refused(req, 'password', null);
      if (attempt.waitAfterFailure > 0)
        return again({ kind: 'wait', milliseconds: attempt.waitAfterFailure });
      return again({ kind: 'wrong' });
    }
    await attempt.succeeded();
    if (await asksSecond(req, userId)) return secondStep(req, underWay, { userId, at: clock.now() });
    return { userId, methods: ['pwd'] };
  }

  async function asksSecond(req: IncomingMessage, userId: string): Promise<boolean> {
    if (!(await totp.isEnabled(userId))) return false;
    const remembered = rememberedBrowser(req, publicUrl);
    return remembered === undefined || !(await totp.isRemembered(userId, remembered));
  }

  /** What an answer of the external provider leads to; the second step is asked for unless the provider did so. */
  async function byExternal(
    req: IncomingMessage,
    underWay: UnderWay,
    outcome: ExternalOutcome,
  ): Promise<Step> {
    if (outcome.kind === 'go') {
      await keep(underWay, { external: outcome.external });
      return { go: outcome.address.href };
    }
    if (outcome.kind === 'link') return { go: outcome.path };
    if (outcome.kind === 'in') {
      const { userId, methods } = outcome;
      const external = sealVouched(context.secret, outcome.idToken);
      await keep(underWay, {});
      if (!isStrong(methods) && (await asksSecond(req, userId)))
        return secondStep(req, underWay, { userId, at: clock.now(), methods, external });
      return { userId, methods, external };
    }
    record.refused(req, `external ${outcome.kind === 'page' ? outcome.reason : outcome.code}`, null);
    if (outcome.kind === 'page') return outcome.page;
    return { error: outcome.code, description: outcome.description };
  }

  async function submitSecond(
    req: IncomingMessage,
    res: ServerResponse,
    underWay: UnderWay,
    form: URLSearchParams,
    progress: Progress & { second: NonNullable<Progress['second']> },
  ): Promise<Step> {
    const { second, challenge } = progress;
    const { userId } = second;
    const again = (problem: SignInProblem) => secondStep(req, underWay, second, problem);
    const device = await devices.of(req, userId, { secondStep: true });
    const address = clientAddress(req);
    const attempt = await limit.begin({ purpose: 'second-step', account: userId, address, device });
    if (attempt.wait > 0) return again({ kind: 'wait', milliseconds: attempt.wait });
    const passkey = form.get('passkey');
    const { language } = common(req, underWay);
    const used = passkey
      ? challenge &&
        (await passkeys.verify(passkey, { challenge, userId, alone: false, language })) &&
        'passkey'
      : await totp.check(userId, form.get('code') ?? '');
    if (!used) {
      record.refused(req, passkey ? 'passkey' : 'code', userId);
      if (attempt.waitAfterFailure > 0)
        return again({ kind: 'wait', milliseconds: attempt.waitAfterFailure });
      return again({ kind: passkey ? 'passkey' : 'wrong' });
    }
    await attempt.succeeded();
    if (form.get('remember') === 'yes') rememberBrowser(res, publicUrl, await totp.remember(userId));
    if (used === 'recovery-code') await parts.recoveryCodeUsed(userId, language);
    const methods = [...(second.methods ?? ['pwd']), used === 'passkey' ? 'hwk' : 'otp', 'mfa'];
    return { userId, methods, external: second.external };
  }

  /** A passkey alone: what the person has, and, verified by their device, what they know or are. */
  async function submitPasskey(
    req: IncomingMessage,
    underWay: UnderWay,
    form: URLSearchParams,
    { challenge }: Progress,
  ): Promise<Step> {
    const again = (problem: SignInProblem) => signIn(req, underWay, { email: '', problem });
    const attempt = await limit.begin({ purpose: 'passkey', address: clientAddress(req) });
    if (attempt.wait > 0) return again({ kind: 'wait', milliseconds: attempt.wait });
    const userId =
      challenge &&
      (await passkeys.verify(form.get('passkey') ?? '', {
        challenge,
        userId: null,
        alone: true,
        language: common(req, underWay).language,
      }));
    if (!userId) {
      record.refused(req, 'passkey', null);
      return again({ kind: 'passkey' });
    }
    await attempt.succeeded();
    return { userId, methods: ['hwk', 'user', 'mfa'] };
  }

  /** Where the browser goes on to. A session of somebody else in this browser ends first. */
  async function finish(
    req: IncomingMessage,
    res: ServerResponse,
    underWay: UnderWay,
    { userId, methods, external }: Proven,
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
      ...(external ? { vouched: external } : {}),
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
      const externalToken = vouchedToken(underWay.lastSubmission);
      await context.noteSignIn(req, { grantId: grant.jti, userId: accountId, clientId, externalToken });
      const result = { consent: { grantId: grant.jti } };
      return redirect(res, await provider.interactionResult(req, res, result));
    }
    const step = req.method === 'POST' ? await submit(req, res, underWay) : await look(req, res, underWay);
    if ('go' in step) return redirect(res, step.go);
    if ('error' in step) {
      const { error, description } = step;
      return redirect(
        res,
        await provider.interactionResult(req, res, { error, error_description: description }),
      );
    }
    if (!('userId' in step)) return sendPage(res, step, req.method !== 'HEAD');
    await record.done(req, step);
    await devices.remember({ req, res }, step.userId, { secondStep: isStrong(step.methods) });
    redirect(res, await finish(req, res, underWay, step));
  }

  async function look(req: IncomingMessage, res: ServerResponse, underWay: UnderWay): Promise<Step> {
    const query = queryOf(req);
    const chosen = query.get('lng');
    if (chosen === 'en' || chosen === 'ja') rememberLanguage(res, chosen, publicUrl);
    const { login_hint: hint } = underWay.params;
    const email = typeof hint === 'string' ? hint.slice(0, 254) : '';
    const progress = progressOf(underWay);
    const way = query.get('external');
    if (external && way === 'back')
      return byExternal(
        req,
        underWay,
        await external.finish(common(req, underWay), query, progress.external),
      );
    // A form of the device page may not lead to another origin, so that there the way is a link.
    const straight = !passwords && !progress.second && chosen === null && !underWay.deviceCode;
    if (external && req.method === 'GET' && (way !== null || straight)) {
      const facts = common(req, underWay);
      const asked = [...(way === 'other' ? ['select_account'] : []), ...(facts.fresh ? ['login'] : [])];
      const outcome = await external.begin(facts, {
        ...(asked.length > 0 ? { prompt: asked.join(' ') } : {}),
        ...(email ? { loginHint: email } : {}),
      });
      return byExternal(req, underWay, outcome);
    }
    return progress.second ? secondStep(req, underWay, progress.second) : signIn(req, underWay, { email });
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
