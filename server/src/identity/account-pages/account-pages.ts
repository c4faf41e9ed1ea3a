// Serves the account pages that are open to guests.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorFields } from '../../common/log.ts';
import { isTemporary } from '../../http/temporary-error.ts';
import type { IdentityContext } from '../identity-context.ts';
import { failurePage } from '../pages/notice-page.ts';
import { isCrossSiteForm, readForm } from '../sign-in/read-form.ts';
import {
  type AccountPage,
  clearTokenCookie,
  createAccountPage,
  moveTokenToCookie,
  sendAccountPage,
} from './account-page.ts';
import type { AccountPageDeps, AccountPageHandler } from './account-page-handler.ts';
import type { AccountPagePath } from './account-page-paths.ts';
import { activateInvitation } from './activate-invitation.ts';
import { changeEmail, createEmailChange, type EmailChange } from './change-email.ts';
import { changePassword } from './change-password.ts';
import { linkAccount } from './link-account.ts';
import { restoreEmail } from './restore-email.ts';

export interface AccountPages extends EmailChange {
  /** Answers one account page. Never rejects. */
  handle(req: IncomingMessage, res: ServerResponse, path: AccountPagePath): Promise<void>;
  /** Resolves when all work after replies is done. */
  settle(): Promise<void>;
}

const handlers: Record<AccountPagePath, AccountPageHandler> = {
  '/activate-invitation': activateInvitation,
  '/change-password': changePassword,
  '/change-email': changeEmail,
  '/restore-email': restoreEmail,
  '/link-account': linkAccount,
};

export function createAccountPages(context: IdentityContext, deps: AccountPageDeps): AccountPages {
  const { publicUrl, log } = context;
  const running = new Set<Promise<void>>();

  function afterReply(work: () => Promise<void>): void {
    const run = work()
      .catch((error: unknown) =>
        log({ level: 'error', message: 'Account page failed', ...errorFields(error) }),
      )
      .finally(() => running.delete(run));
    running.add(run);
  }

  async function answer(req: IncomingMessage, res: ServerResponse, accountPage: AccountPage): Promise<void> {
    if (req.method !== 'POST' && moveTokenToCookie(context, req, res, accountPage.path)) return;
    const form = req.method === 'POST' ? ((await readForm(req)) ?? new URLSearchParams()) : null;
    if (form && isCrossSiteForm(req, publicUrl)) {
      const link = { href: accountPage.path, text: accountPage.t('signin.start-again') };
      const page = accountPage.notice({
        status: 403,
        messageKey: 'signin.error',
        detail: 'signin.foreign',
        link,
      });
      return sendAccountPage(req, res, page);
    }
    const address = deps.clientAddress(req);
    const outcome = await handlers[accountPage.path]({
      context,
      deps,
      accountPage,
      form,
      address,
      req,
      res,
      afterReply,
    });
    if (outcome.actor) {
      context.audit.enqueue({
        actor: outcome.actor,
        from: { address, userAgent: req.headers['user-agent'] ?? '' },
        action: accountPage.path.slice(1),
        outcome: 'done',
        resource: 'sign-in',
        resourceId: outcome.actor.userId,
      });
    }
    if (outcome.done) clearTokenCookie(context, res, accountPage.path);
    sendAccountPage(req, res, outcome.page);
  }

  return {
    ...createEmailChange(context, deps),
    async handle(req, res, path) {
      if (!['GET', 'HEAD', 'POST'].includes(req.method ?? '')) {
        res.writeHead(405, { allow: 'GET, HEAD, POST' }).end();
        return;
      }
      const accountPage = createAccountPage(context, req, path);
      try {
        await answer(req, res, accountPage);
      } catch (error) {
        if (res.headersSent) return void res.destroy();
        if (!isTemporary(error))
          log({ level: 'error', message: 'Account page failed', path, ...errorFields(error) });
        const { language, t } = accountPage;
        sendAccountPage(req, res, failurePage({ language, t, home: `${publicUrl}/` }, error));
      }
    },
    async settle() {
      await Promise.all(running);
    },
  };
}
