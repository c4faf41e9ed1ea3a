// Device authorization (RFC 8628): signs in the CLI on a machine without a browser from another device.
import type { IncomingMessage } from 'node:http';
import type { Configuration, errors, KoaContextWithOIDC, default as ProviderClass } from 'oidc-provider';
import { isoTime } from '../../common/clock.ts';
import { isTemporary } from '../../http/temporary-error.ts';
import type { IdentityContext } from '../identity-context.ts';
import { deviceCodePage, deviceConfirmPage } from '../pages/device-page.ts';
import { formatWaitTime } from '../pages/format-wait-time.ts';
import { languageOf, type Translators } from '../pages/language.ts';
import { accountPageNotice } from '../pages/notice-page.ts';
import { type Page, setLanguageCookie } from '../pages/page.ts';
import type { AttemptLimit } from '../sign-in/attempt-limit.ts';

type Settings = NonNullable<NonNullable<Configuration['features']>['deviceFlow']>;
type Middleware = Parameters<ProviderClass['use']>[0];

export interface DeviceFlow {
  settings: Settings;
  /** Middleware before the library: rate limits code guessing and removes the code from the URL. */
  guard: Middleware;
}

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
const path = '/device';
/** Endpoint where devices request a code (RFC 8628, section 3.1). */
const requestPath = '/device/auth';
/** Maximum number of pending codes per space; more at once is a flood. */
export const maxOpenCodes = 1_000;
const fullWait = 60;
/** Request data for the page that the library does not provide. */
const kept = new WeakMap<IncomingMessage, { userCode?: string; wrong?: boolean; wait?: number }>();

export function createDeviceFlow(
  context: IdentityContext,
  deps: {
    limit: AttemptLimit;
    translators: Translators;
    clientAddress(req: IncomingMessage): string;
    render(ctx: KoaContextWithOIDC, page: Page): void;
    /** True when the browser has a session. */
    hasSession(ctx: KoaContextWithOIDC): Promise<boolean>;
  },
): DeviceFlow {
  const { limit, translators, clientAddress, render, hasSession } = deps;
  const base = (ctx: KoaContextWithOIDC) => {
    const language = languageOf(ctx.req);
    const xsrf = (ctx.oidc.session as unknown as { state: { secret: string } }).state.secret;
    return { language, t: translators[language], action: ctx.oidc.urlFor('code_verification'), xsrf };
  };

  const settings: Settings = {
    enabled: true,
    charset: 'base-20',
    mask: '****-****',
    deviceInfo: (ctx) => ({
      address: clientAddress(ctx.req),
      userAgent: (ctx.get('user-agent') ?? '').replace(/[\u0000-\u001f\u007f]/g, ' ').slice(0, 200),
    }),
    userCodeInputSource(ctx, _form, _out, error) {
      const pageOptions = base(ctx);
      const noted = kept.get(ctx.req) ?? {};
      const { t, language } = pageOptions;
      if (error?.name === 'AbortedError') {
        const link = { href: `${context.publicUrl}/`, text: t('signin.to-console') };
        return render(
          ctx,
          accountPageNotice({
            language,
            t,
            status: 200,
            title: t('device.refused-title'),
            text: t('device.refused'),
            link,
          }),
        );
      }
      if (error && !(error as { expose?: boolean }).expose) {
        const page = deviceCodePage({
          ...pageOptions,
          userCode: '',
          status: isTemporary(error) ? 503 : 500,
          problem: t('signin.error-server'),
        });
        return render(ctx, page);
      }
      if (error) noted.wrong = true;
      kept.set(ctx.req, noted);
      const entered = (error as { userCode?: string } | undefined)?.userCode ?? noted.userCode ?? '';
      render(
        ctx,
        deviceCodePage({
          ...pageOptions,
          userCode: entered.slice(0, 32),
          status: noted.wait ? 429 : error ? 400 : 200,
          retryAfterSeconds: noted.wait && Math.ceil(noted.wait / 1000),
          problem: noted.wait ? formatWaitTime(t, noted.wait) : error && t('device.wrong'),
        }),
      );
    },
    userCodeConfirmSource(ctx, _form, client, deviceInfo, shownCode) {
      const { address, userAgent } = deviceInfo as { address: string; userAgent: string };
      const { user_code: userCode } = ctx.oidc.params as { user_code: string };
      render(
        ctx,
        deviceConfirmPage({
          ...base(ctx),
          userCode,
          shownCode,
          client: client.clientName ?? client.clientId,
          address,
          userAgent,
        }),
      );
    },
    successSource(ctx) {
      const language = languageOf(ctx.req);
      const t = translators[language];
      const link = { href: `${context.publicUrl}/`, text: t('signin.to-console') };
      render(
        ctx,
        accountPageNotice({
          language,
          t,
          status: 200,
          title: t('device.done-title'),
          text: t('device.done'),
          link,
        }),
      );
    },
  };

  async function enter(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
    // The session is created by the page with the form; without one the form was not shown.
    if (!(await hasSession(ctx))) {
      ctx.status = 303;
      return ctx.redirect(`${context.publicUrl}/oidc${path}`);
    }
    const address = clientAddress(ctx.req);
    const attempt = await limit.begin({ purpose: 'device-code', address });
    if (attempt.wait > 0) {
      const language = languageOf(ctx.req);
      const t = translators[language];
      const action = `${context.publicUrl}/oidc${path}`;
      const retryAfterSeconds = Math.ceil(attempt.wait / 1000);
      const problem = formatWaitTime(t, attempt.wait);
      const page = deviceCodePage({
        language,
        t,
        action,
        xsrf: '',
        userCode: '',
        status: 429,
        problem,
        retryAfterSeconds,
      });
      return render(ctx, page);
    }
    kept.set(ctx.req, { wait: attempt.waitAfterFailure });
    await next();
    if (!kept.get(ctx.req)?.wrong) await attempt.succeeded();
  }

  /**
   * Devices are not authenticated when they request a code, so requests are limited per network address and
   * per space.
   */
  async function request(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
    const { wait } = await limit.begin({ purpose: 'device-request', address: clientAddress(ctx.req) });
    const seconds = wait > 0 ? Math.ceil(wait / 1000) : (await isFull()) ? fullWait : 0;
    if (seconds === 0) return next();
    ctx.status = 429;
    ctx.set({ 'retry-after': String(seconds), 'cache-control': 'no-store' });
    ctx.body = {
      error: 'temporarily_unavailable',
      error_description: `too many devices ask for a code; try again in ${seconds} s`,
    };
  }

  async function isFull(): Promise<boolean> {
    const { rows } = await context.database.query<{ open: number }>(
      `select count(*)::int as open from oidc_payload
       where space_id = $1 and model = 'DeviceCode' and expires_at > $2 and consumed_at is null`,
      [context.spaceId, isoTime(context.clock.now())],
    );
    return rows[0]!.open >= maxOpenCodes;
  }

  return {
    settings,
    async guard(ctx, next) {
      // As the library matches its routes: in any case, and with a slash at the end or without.
      const route = ctx.path.toLowerCase().replace(/\/$/, '');
      if (route === requestPath && ctx.method === 'POST') return request(ctx as KoaContextWithOIDC, next);
      // The sign-in of a device returns below the page, with the session of the page. The library fails for a browser
      // without one; there is nothing to show it.
      if (
        /^(?:GET|HEAD)$/.test(ctx.method) &&
        route.startsWith(`${path}/`) &&
        !(await hasSession(ctx as KoaContextWithOIDC))
      )
        return;
      if (route !== path) return next();
      if (ctx.method === 'POST') return enter(ctx as KoaContextWithOIDC, next);
      const query = new URLSearchParams(ctx.querystring);
      const userCode = query.get('user_code');
      const chosen = query.get('lng');
      if (chosen === 'en' || chosen === 'ja') setLanguageCookie(ctx.res, chosen, context.publicUrl);
      if (userCode !== null) kept.set(ctx.req, { userCode });
      query.delete('user_code');
      ctx.querystring = query.toString();
      await next();
    },
  };
}

/** Minimum poll interval in milliseconds, slightly below the 5 s of RFC 8628; faster polls get slow_down. */
const interval = 4_500;
const maxTrackedCodes = 10_000;

/** Refuses polls that are too frequent: `check` throws slow_down. */
export function createPollLimit(now: () => number, SlowDown: new () => errors.OIDCProviderError) {
  const polled = new Map<string, number>();
  return {
    check(deviceCode: string): void {
      const last = polled.get(deviceCode);
      polled.delete(deviceCode);
      if (polled.size >= maxTrackedCodes) polled.delete(polled.keys().next().value!);
      polled.set(deviceCode, now());
      if (last !== undefined && now() - last < interval) throw new SlowDown();
    },
  };
}
