// The card pages open to guests: their behaviour behind the words.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorFacts } from '../../log.ts';
import type { IdentityContext } from '../context.ts';
import { isForeign, readForm } from '../form-body.ts';
import { errorPage } from '../page/notice-page.ts';
import { activateInvitation } from './activate-invitation.ts';
import { type AccountPage, dropLink, openAccountPage, reply, takeLink } from './card-context.ts';
import type { AccountPagePath } from './card-paths.ts';
import type { AccountPageContext, AccountPageDeps } from './card-work.ts';
import { changeEmail, createEmailChange, type EmailChange } from './change-email.ts';
import { changePassword } from './change-password.ts';
import { linkAccount } from './link-account.ts';
import { restoreEmail } from './restore-email.ts';

export interface AccountPages extends EmailChange {
  /** Answers one card page. Never rejects. */
  handle(req: IncomingMessage, res: ServerResponse, path: AccountPagePath): Promise<void>;
  /** Resolves when what goes on after replies has ended. */
  settle(): Promise<void>;
}

const works: Record<AccountPagePath, AccountPageContext> = {
  '/activate-invitation': activateInvitation,
  '/change-password': changePassword,
  '/change-email': changeEmail,
  '/restore-email': restoreEmail,
  '/link-account': linkAccount,
};

export function createAccountPages(context: IdentityContext, deps: AccountPageDeps): AccountPages {
  const { publicUrl, log } = context;
  const running = new Set<Promise<void>>();

  function later(work: () => Promise<void>): void {
    const run = work()
      .catch((error: unknown) => log({ level: 'error', message: 'A card page failed', ...errorFacts(error) }))
      .finally(() => running.delete(run));
    running.add(run);
  }

  async function answer(req: IncomingMessage, res: ServerResponse, card: AccountPage): Promise<void> {
    if (req.method !== 'POST' && takeLink(context, req, res, card.path)) return;
    const form = req.method === 'POST' ? ((await readForm(req)) ?? new URLSearchParams()) : null;
    if (form && isForeign(req, publicUrl)) {
      const link = { href: card.path, text: card.t('signin.start-again') };
      const page = card.notice({ status: 403, word: 'signin.error', detail: 'signin.foreign', link });
      return reply(req, res, page);
    }
    const address = deps.clientAddress(req);
    const outcome = await works[card.path]({ context, deps, card, form, address, req, res, later });
    if (outcome.actor) {
      context.audit.later({
        actor: outcome.actor,
        from: { address, userAgent: req.headers['user-agent'] ?? '' },
        action: card.path.slice(1),
        outcome: 'done',
        resource: 'sign-in',
        resourceId: outcome.actor.userId,
      });
    }
    if (outcome.done) dropLink(context, res, card.path);
    reply(req, res, outcome.page);
  }

  return {
    ...createEmailChange(context, deps),
    async handle(req, res, path) {
      if (!['GET', 'HEAD', 'POST'].includes(req.method ?? '')) {
        res.writeHead(405, { allow: 'GET, HEAD, POST' }).end();
        return;
      }
      const card = openAccountPage(context, req, path);
      try {
        await answer(req, res, card);
      } catch (error) {
        if (res.headersSent) return void res.destroy();
        const away = ['StoreUnavailable', 'Problem'].includes((error as Error).name);
        if (!away) log({ level: 'error', message: 'A card page failed', path, ...errorFacts(error) });
        const { language, t } = card;
        const code = away ? 'temporarily_unavailable' : 'server_error';
        reply(req, res, errorPage({ language, t, home: `${publicUrl}/`, status: away ? 503 : 500, code }));
      }
    },
    async settle() {
      await Promise.all(running);
    },
  };
}
