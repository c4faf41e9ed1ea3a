// Handles the sign-in page: shows it for a sign-in in progress, verifies credentials and redirects the
// browser.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Language } from '@yagura/core/i18n/translator';
import { errorFields } from '../../common/log.ts';
import type { Queryable } from '../../db/database.ts';
import { toStoreText } from '../../db/store-json.ts';
import { isTemporary } from '../../http/temporary-error.ts';
import type { ExternalOutcome, ExternalSignIn } from '../external/external-sign-in.ts';
import { sealIdToken } from '../external/sealed-id-token.ts';
import type { IdentityContext } from '../identity-context.ts';
import type { Passkeys } from '../mfa/passkeys.ts';
import { readRememberedBrowser, setRememberedBrowser } from '../mfa/remembered-browser.ts';
import { rememberedDays, type Totp } from '../mfa/totp.ts';
import { languageOf, queryOf, type Translators } from '../pages/language.ts';
import { expiredPage, failurePage } from '../pages/notice-page.ts';
import { type Page, redirect, sendPage, setLanguageCookie } from '../pages/page.ts';
import { secondStepPage } from '../pages/second-step-page.ts';
import { type SignInProblem, signInPage } from '../pages/sign-in-page.ts';
import type { Provider } from '../provider/provider.ts';
import { issuerOf } from '../tokens/embedded-issuer.ts';
import type { AttemptLimit } from './attempt-limit.ts';
import { createConsent } from './consent.ts';
import {
  type FirstStep,
  type Interaction,
  type InteractionProgress,
  progressOf,
  saveProgress,
} from './interaction-progress.ts';
import type { KnownDevices } from './known-devices.ts';
import { isMultiFactor, requestsPromptLogin } from './prompt-login.ts';
import { isCrossSiteForm, readForm } from './read-form.ts';
import { createSignInLog } from './sign-in-log.ts';
import { endSession } from './sign-out.ts';
import { readTokenEpoch, verifyCredentials } from './verify-credentials.ts';

/** Authentication methods as in RFC 8176. */
interface AuthenticatedUser extends FirstStep {
  methods: string[];
  /** The second step is not to be asked for in this browser any more. */
  remembersBrowser?: boolean;
}

/** Result of a request: the user is authenticated, a page is shown, or the browser is redirected. */
type InteractionOutcome = AuthenticatedUser | Page | { go: string } | { error: string; description?: string };

export interface InteractionPages {
  /** Handles `/oidc/interaction/{uid}`; `req.url` is the full path. Never rejects. */
  handle(req: IncomingMessage, res: ServerResponse, uid: string): Promise<void>;
}

export function createInteractionPages(
  context: IdentityContext,
  deps: {
    provider(): Provider;
    translators: Translators;
    totp: Totp;
    passkeys: Passkeys;
    limit: AttemptLimit;
    devices: KnownDevices;
    /** The external provider, beside or instead of passwords. */
    external: ExternalSignIn | undefined;
    /** Notifies the user. */
    onRecoveryCodeUsed(userId: string, language: Language): Promise<void>;
    /** Client address of the browser, according to the server's proxy settings. */
    clientAddress(req: IncomingMessage): string;
  },
): InteractionPages {
  const { database, publicUrl, log, clock, passwordsEnabled } = context;
  const { translators, clientAddress, totp, passkeys, limit, devices, external } = deps;
  const signInLog = createSignInLog(context, clientAddress);
  const consent = createConsent(context, deps.provider);
  const basePath = new URL(`${issuerOf(publicUrl)}/interaction/`).pathname;

  function pageContextOf(req: IncomingMessage, interaction: Interaction) {
    const { ui_locales, redirect_uri } = interaction.params;
    const language = languageOf(req, ui_locales);
    const returnOrigin = typeof redirect_uri === 'string' ? new URL(redirect_uri).origin : undefined;
    const { uid } = interaction;
    const fresh = requestsPromptLogin(interaction.params);
    return { language, t: translators[language], action: basePath + uid, uid, returnOrigin, fresh };
  }

  const issuedNow = ({ challenge }: { challenge: string }) => ({
    challenge: { text: challenge, issuedAt: clock.now() },
  });

  async function signIn(
    req: IncomingMessage,
    interaction: Interaction,
    pageContext: { email: string; problem?: SignInProblem },
  ): Promise<Page> {
    const passkey = passwordsEnabled && (await passkeys.inUse()) ? await passkeys.requestOptions(null) : null;
    if (passkey) await saveProgress(interaction, issuedNow(passkey));
    return signInPage({
      ...pageContextOf(req, interaction),
      passkey,
      passwords: passwordsEnabled,
      external: external?.name,
      ...pageContext,
    });
  }

  async function secondStep(
    req: IncomingMessage,
    interaction: Interaction,
    second: NonNullable<InteractionProgress['second']>,
    problem?: SignInProblem,
  ): Promise<Page> {
    const { passkeys: owned } = await totp.state(second.userId);
    const passkey = owned > 0 ? await passkeys.requestOptions(second.userId) : null;
    await saveProgress(interaction, { second, ...(passkey ? issuedNow(passkey) : {}) });
    return secondStepPage({
      ...pageContextOf(req, interaction),
      passkey,
      rememberedDays,
      ...(problem ? { problem } : {}),
    });
  }

  async function submit(req: IncomingMessage, interaction: Interaction): Promise<InteractionOutcome> {
    const form = (await readForm(req)) ?? new URLSearchParams();
    // No browser sends NUL, which the database rejects.
    const email = toStoreText((form.get('email') ?? '').trim().slice(0, 254));
    if (isCrossSiteForm(req, publicUrl))
      return signIn(req, interaction, { email, problem: { kind: 'foreign' } });
    const progress = progressOf(interaction, clock.now());
    if (form.has('restart')) {
      await saveProgress(interaction, {});
      return signIn(req, interaction, { email: '' });
    }
    if (progress.second && (form.has('code') || form.has('passkey')))
      return submitSecondStep(req, interaction, form, { ...progress, second: progress.second });
    if (!passwordsEnabled) return signIn(req, interaction, { email: '' });
    if (form.has('passkey')) return submitPasskey(req, interaction, form, progress);
    return submitPassword(req, interaction, email, form.get('password') ?? '');
  }

  async function submitPassword(
    req: IncomingMessage,
    interaction: Interaction,
    email: string,
    password: string,
  ): Promise<InteractionOutcome> {
    const retry = (problem: SignInProblem) => signIn(req, interaction, { email, problem });
    if (email === '' || password === '') return retry({ kind: 'fill-in' });
    const address = clientAddress(req);
    const device = await devices.findForEmail(req, email);
    const attempt = await limit.begin({ purpose: 'password', account: email, address, device });
    if (attempt.wait > 0) return retry({ kind: 'wait', milliseconds: attempt.wait });
    const verified = await verifyCredentials(context, email, password);
    if (verified === null) {
      signInLog.failed(req, 'password', null, email);
      if (attempt.waitAfterFailure > 0)
        return retry({ kind: 'wait', milliseconds: attempt.waitAfterFailure });
      return retry({ kind: 'wrong' });
    }
    await attempt.succeeded();
    if (await needsSecondStep(req, verified.userId))
      return secondStep(req, interaction, { ...verified, at: clock.now() });
    return { ...verified, methods: ['pwd'] };
  }

  async function needsSecondStep(req: IncomingMessage, userId: string): Promise<boolean> {
    if (!(await totp.isEnabled(userId))) return false;
    const remembered = readRememberedBrowser(req, publicUrl);
    return remembered === undefined || !(await totp.isRemembered(userId, remembered));
  }

  /** Handles the external provider's response; requires the second step unless the provider did so. */
  async function handleExternal(
    req: IncomingMessage,
    interaction: Interaction,
    outcome: ExternalOutcome,
  ): Promise<InteractionOutcome> {
    if (outcome.kind === 'go') {
      await saveProgress(interaction, { external: outcome.external });
      return { go: outcome.address.href };
    }
    if (outcome.kind === 'link') return { go: outcome.path };
    if (outcome.kind === 'in') {
      const { userId, epoch, methods } = outcome;
      const external = sealIdToken(context.secret, outcome.idToken);
      await saveProgress(interaction, {});
      if (!isMultiFactor(methods) && (await needsSecondStep(req, userId)))
        return secondStep(req, interaction, { userId, epoch, at: clock.now(), methods, external });
      return { userId, epoch, methods, external };
    }
    signInLog.failed(req, `external ${outcome.kind === 'page' ? outcome.reason : outcome.code}`, null);
    if (outcome.kind === 'page') return outcome.page;
    return { error: outcome.code, description: outcome.description };
  }

  async function submitSecondStep(
    req: IncomingMessage,
    interaction: Interaction,
    form: URLSearchParams,
    progress: InteractionProgress & { second: NonNullable<InteractionProgress['second']> },
  ): Promise<InteractionOutcome> {
    const { second, challenge } = progress;
    const { userId, epoch } = second;
    // A form that was held back would store again what was ended meanwhile.
    if (!(await isCurrent(second))) return expired(req);
    const retry = (problem: SignInProblem) => secondStep(req, interaction, second, problem);
    const device = await devices.findForUser(req, userId, { secondStep: true });
    const address = clientAddress(req);
    const attempt = await limit.begin({ purpose: 'second-step', account: userId, address, device });
    if (attempt.wait > 0) return retry({ kind: 'wait', milliseconds: attempt.wait });
    const passkey = form.get('passkey');
    const { language } = pageContextOf(req, interaction);
    const used = passkey
      ? challenge &&
        (await passkeys.verify(passkey, { challenge, userId, alone: false, language })) &&
        'passkey'
      : await totp.check(userId, form.get('code') ?? '');
    if (!used) {
      signInLog.failed(req, passkey ? 'passkey' : 'code', userId);
      if (attempt.waitAfterFailure > 0)
        return retry({ kind: 'wait', milliseconds: attempt.waitAfterFailure });
      return retry({ kind: passkey ? 'passkey' : 'wrong' });
    }
    await attempt.succeeded();
    if (used === 'recovery-code') await deps.onRecoveryCodeUsed(userId, language);
    const methods = [...(second.methods ?? ['pwd']), used === 'passkey' ? 'hwk' : 'otp', 'mfa'];
    const remembersBrowser = form.get('remember') === 'yes';
    return { userId, epoch, methods, external: second.external, remembersBrowser };
  }

  /**
   * A passkey alone counts as two factors: possession, plus knowledge or biometrics verified by the device.
   */
  async function submitPasskey(
    req: IncomingMessage,
    interaction: Interaction,
    form: URLSearchParams,
    { challenge }: InteractionProgress,
  ): Promise<InteractionOutcome> {
    const retry = (problem: SignInProblem) => signIn(req, interaction, { email: '', problem });
    const attempt = await limit.begin({ purpose: 'passkey', address: clientAddress(req) });
    if (attempt.wait > 0) return retry({ kind: 'wait', milliseconds: attempt.wait });
    const user =
      challenge &&
      (await passkeys.verify(form.get('passkey') ?? '', {
        challenge,
        userId: null,
        alone: true,
        language: pageContextOf(req, interaction).language,
      }));
    if (!user) {
      signInLog.failed(req, 'passkey', null);
      return retry({ kind: 'passkey' });
    }
    await attempt.succeeded();
    return { ...user, methods: ['hwk', 'user', 'mfa'] };
  }

  /** Returns where to redirect the browser. Ends another user's session in this browser first. */
  async function finish(
    req: IncomingMessage,
    res: ServerResponse,
    interaction: Interaction,
    { userId, epoch, methods, external }: AuthenticatedUser,
  ): Promise<string> {
    const provider = deps.provider();
    if (interaction.session && interaction.session.accountId !== userId) {
      const session = await provider.Session.findByUid(interaction.session.uid!);
      delete interaction.session;
      await interaction.persist();
      if (session) await endSession(provider, session);
    }
    return provider.interactionResult(req, res, {
      login: { accountId: userId, epoch, remember: true, amr: methods },
      ...(external ? { vouched: external } : {}),
    });
  }

  async function handleInteraction(req: IncomingMessage, res: ServerResponse, uid: string): Promise<void> {
    const provider = deps.provider();
    const interaction = await provider.interactionDetails(req, res);
    if (interaction.uid !== uid) return sendPage(res, expired(req));
    const chosen = queryOf(req).get('lng');
    if (chosen === 'en' || chosen === 'ja') setLanguageCookie(res, chosen, publicUrl);
    const step: InteractionOutcome =
      interaction.prompt.name === 'consent'
        ? await consent({ req, res }, interaction, pageContextOf(req, interaction))
        : req.method === 'POST'
          ? await submit(req, interaction)
          : await showPage(req, interaction);
    if ('go' in step) return redirect(res, step.go);
    if ('error' in step) {
      const { error, description } = step;
      return redirect(
        res,
        await provider.interactionResult(req, res, { error, error_description: description }),
      );
    }
    if (!('userId' in step)) return sendPage(res, step, req.method !== 'HEAD');
    if (!(await isCurrent(step))) return sendPage(res, expired(req));
    await signInLog.succeeded(req, step);
    const location = await finish(req, res, interaction, step);
    await rememberBrowser({ req, res }, step);
    redirect(res, location);
  }

  /** Not after an end of all sessions, which forgets the browsers of the user. */
  async function rememberBrowser(
    exchange: { req: IncomingMessage; res: ServerResponse },
    step: AuthenticatedUser,
  ): Promise<void> {
    const { userId, methods, remembersBrowser } = step;
    const token = await database.transaction(async (tx) => {
      if (!(await isCurrent(step, tx))) return null;
      await devices.remember(exchange, userId, { secondStep: isMultiFactor(methods) }, tx);
      return remembersBrowser ? totp.remember(userId, tx) : null;
    });
    if (token !== null) setRememberedBrowser(exchange.res, publicUrl, token);
  }

  /** Whether all sessions of the user were not ended since the first step. */
  async function isCurrent({ userId, epoch }: FirstStep, db: Queryable = database): Promise<boolean> {
    return (await readTokenEpoch(context, db, userId)) === epoch;
  }

  async function showPage(req: IncomingMessage, interaction: Interaction): Promise<InteractionOutcome> {
    const query = queryOf(req);
    const { login_hint: hint } = interaction.params;
    const email = typeof hint === 'string' ? hint.slice(0, 254) : '';
    const progress = progressOf(interaction, clock.now());
    const direction = query.get('external');
    if (external && direction === 'back')
      return handleExternal(
        req,
        interaction,
        await external.finish(pageContextOf(req, interaction), query, progress.external, (change) =>
          signInLog.accountChanged(req, external.name, change),
        ),
      );
    // A form on the device page cannot redirect to another origin (form-action), so that page shows a link
    // instead.
    const redirectsAtOnce =
      !passwordsEnabled && !progress.second && !query.has('lng') && !interaction.deviceCode;
    if (external && req.method === 'GET' && (direction !== null || redirectsAtOnce)) {
      const pageContext = pageContextOf(req, interaction);
      const prompts = [
        ...(direction === 'other' ? ['select_account'] : []),
        ...(pageContext.fresh ? ['login'] : []),
      ];
      const outcome = await external.begin(pageContext, {
        ...(prompts.length > 0 ? { prompt: prompts.join(' ') } : {}),
        ...(email ? { loginHint: email } : {}),
      });
      return handleExternal(req, interaction, outcome);
    }
    return progress.second
      ? secondStep(req, interaction, progress.second)
      : signIn(req, interaction, { email });
  }

  function expired(req: IncomingMessage): Page {
    const language = languageOf(req);
    return expiredPage({ language, t: translators[language], home: `${publicUrl}/` });
  }

  function failed(req: IncomingMessage, error: unknown): Page {
    const language = languageOf(req);
    const known = { language, t: translators[language], home: `${publicUrl}/` };
    if ((error as { error?: unknown }).error === 'invalid_request') return expiredPage(known);
    if (!isTemporary(error)) log({ level: 'error', message: 'Sign-in page failed', ...errorFields(error) });
    return failurePage(known, error);
  }

  return {
    async handle(req, res, uid) {
      if (!['GET', 'HEAD', 'POST'].includes(req.method ?? '')) {
        res.writeHead(405, { allow: 'GET, HEAD, POST' }).end();
        return;
      }
      try {
        await handleInteraction(req, res, uid);
      } catch (error) {
        if (res.headersSent) res.destroy();
        else sendPage(res, failed(req, error));
      }
    },
  };
}
