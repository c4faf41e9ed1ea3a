// Sets up the OpenID provider library with our settings, pages and logging.

import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Language, Translate } from '@yagura/core/i18n/translator';
import type { JWK } from 'jose';
import type { Configuration, KoaContextWithOIDC, default as ProviderClass } from 'oidc-provider';
import { errorFields } from '../../common/log.ts';
import { isTemporary } from '../../http/temporary-error.ts';
import type { IdentityContext } from '../identity-context.ts';
import { languageOf, type Translators } from '../pages/language.ts';
import { confirmSignOutPage, errorPage, notFoundPage, signedOutPage } from '../pages/notice-page.ts';
import { type Page, securityHeaders } from '../pages/page.ts';
import type { AttemptLimit } from '../sign-in/attempt-limit.ts';
import { endSession, finishSignOut, isConsoleSignOut } from '../sign-in/sign-out.ts';
import { issuerOf } from '../tokens/embedded-issuer.ts';
import { createDeviceFlow } from './device-flow.ts';
import { limitInteractions } from './interaction-limit.ts';
import { loadProvider } from './load-provider.ts';
import { providerSettings, signInPolicy } from './provider-settings.ts';

export type Provider = ProviderClass;

/** Creates a provider that signs with the first key and publishes all of them. */
export async function createProvider(
  context: IdentityContext,
  jwks: readonly JWK[],
  translators: Translators,
  deps: {
    limit: AttemptLimit;
    clientAddress(req: IncomingMessage): string;
    /**
     * Page that ends the session at the external provider from which these grants came; null if none did.
     */
    signOutExternally(
      options: { language: Language; t: Translate },
      grantIds: string[],
    ): Promise<Page | null>;
  },
): Promise<Provider> {
  const library = await loadProvider();
  // Redirecting to the external provider at once would sign the user in again right after the sign-out.
  const signedOut = context.passwordsEnabled ? undefined : `${context.publicUrl}/signed-out`;
  const issuer = issuerOf(context.publicUrl);
  const settings = providerSettings(context, library);
  const configuration: Configuration = {
    ...settings,
    adapter: limitInteractions(settings.adapter, library, deps),
    jwks: { keys: [...jwks] as NonNullable<Configuration['jwks']>['keys'] },
    interactions: {
      policy: signInPolicy(library),
      url: (_ctx, interaction) => `${issuer}/interaction/${interaction.uid}`,
    },
    renderError: (ctx, out, error) => {
      const status = isTemporary(error) ? 503 : ctx.status;
      render(ctx, errorPage({ ...pageOptions(ctx), status, code: out.error }));
    },
  };
  configuration.features!.rpInitiatedLogout = {
    enabled: true,
    async logoutSource(ctx, form) {
      if (!isConsoleSignOut(ctx)) return render(ctx, confirmSignOutPage({ ...pageOptions(ctx), form }));
      const session = ctx.oidc.session!;
      const grantIds = Object.values(session.authorizations ?? {}).flatMap(({ grantId }) => grantId ?? []);
      const elsewhere = await deps.signOutExternally(pageOptions(ctx), grantIds);
      await endSession(provider, session);
      finishSignOut(ctx, signedOut);
      if (elsewhere) {
        ctx.remove('location');
        render(ctx, elsewhere);
      }
    },
    postLogoutSuccessSource: (ctx) => render(ctx, signedOutPage(pageOptions(ctx))),
  };
  const device = createDeviceFlow(context, {
    ...deps,
    translators,
    render,
    async hasSession(ctx) {
      const id = ctx.cookies.get(provider.cookieName('session'), { signed: true });
      return id !== undefined && (await provider.Session.find(id)) !== undefined;
    },
  });
  configuration.features!.deviceFlow = device.settings;
  const provider: Provider = new library.default(issuer, configuration);

  function pageOptions(ctx: KoaContextWithOIDC) {
    const language = languageOf(ctx.req, ctx.oidc?.params?.ui_locales ?? ctx.query.ui_locales);
    return { language, t: translators[language], home: `${context.publicUrl}/` };
  }

  usePublicUrl(provider, context.publicUrl);
  provider.on('server_error', (ctx: KoaContextWithOIDC, error: Error) => {
    if (isTemporary(error)) return;
    context.log({
      level: 'error',
      message: 'Identity provider failed',
      path: ctx.path,
      ...errorFields(error),
    });
  });
  (provider as EventEmitter).on('error', (error: Error) => {
    context.log({ level: 'error', message: 'Identity provider failed', ...errorFields(error) });
  });
  provider.on('grant.error', (ctx: KoaContextWithOIDC, error: Error & { error_detail?: string }) => {
    if (!error.error_detail?.includes('already used')) return;
    const userId = ctx.oidc.entities.Account?.accountId;
    context.log({
      level: 'warn',
      message: 'A code or refresh token was used twice; its sign-in is ended',
      userId,
    });
  });
  provider.use(async (ctx, next) => {
    ctx.set(securityHeaders());
    await device.guard(ctx, next);
    const oidc = ctx.oidc as KoaContextWithOIDC['oidc'] | undefined;
    // Without a session the library replies with a page that needs a script, and there is nothing to confirm.
    if (oidc?.route === 'end_session' && ctx.status === 200 && !oidc.session?.accountId) {
      finishSignOut(ctx as KoaContextWithOIDC, signedOut);
    }
    // A user who declined the sign-out must not see the signed-out page.
    if (oidc?.route === 'end_session_confirm' && ctx.status === 303 && !oidc.params?.logout) {
      ctx.redirect(`${context.publicUrl}/`);
    }
    if (ctx.status === 404 && !ctx.body)
      render(ctx as KoaContextWithOIDC, notFoundPage(pageOptions(ctx as KoaContextWithOIDC)));
  });
  return provider;
}

/**
 * Makes links, cookies and redirects use the configured origin, whatever the Host or X-Forwarded headers say.
 */
function usePublicUrl(provider: Provider, publicUrl: string): void {
  const { protocol, host } = new URL(publicUrl);
  Object.defineProperties(provider.request, {
    protocol: { get: () => protocol.slice(0, -1), configurable: true },
    host: { get: () => host, configurable: true },
  });
}

function render(ctx: KoaContextWithOIDC, page: Page): void {
  ctx.status = page.status;
  ctx.set(page.headers);
  ctx.body = page.text;
}
