// The card pages open to guests: their behaviour behind the words.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Actor } from '../../audit/audit-log.ts';
import { errorFacts } from '../../log.ts';
import type { AttemptLimit } from '../attempt-limit.ts';
import type { IdentityContext } from '../context.ts';
import { isForeign, readForm } from '../form-body.ts';
import type { Invitations } from '../invitation.ts';
import type { OneTimeTokens } from '../one-time-token.ts';
import { errorPage } from '../page/notice-page.ts';
import type { Page } from '../page/page.ts';
import type { People } from '../person.ts';
import { activateInvitation } from './activate-invitation.ts';
import { type Card, dropLink, openCard, reply, takeLink } from './card-context.ts';
import type { CardPath } from './card-paths.ts';
import { changeEmail, createEmailChange, type EmailChange } from './change-email.ts';
import { changePassword } from './change-password.ts';

export interface CardParts {
  people: People;
  tokens: OneTimeTokens;
  invitations: Invitations;
  limit: AttemptLimit;
  clientAddress(req: IncomingMessage): string;
}

/** What a card page does with a request: `form` is null when the page is only looked at. */
export type CardWork = (facts: {
  context: IdentityContext;
  parts: CardParts;
  card: Card;
  form: URLSearchParams | null;
  address: string;
  /** Goes on after the reply, which must not tell by its time whether there is anything to do. */
  later(work: () => Promise<void>): void;
}) => Promise<{
  page: Page;
  /** The link is used up, or never good again. */
  done?: boolean;
  /** The person whose sign-in was changed. */
  actor?: Actor;
}>;

export interface CardPages extends EmailChange {
  /** Answers one card page. Never rejects. */
  handle(req: IncomingMessage, res: ServerResponse, path: CardPath): Promise<void>;
  /** Resolves when what goes on after replies has ended. */
  settle(): Promise<void>;
}

const works: Record<CardPath, CardWork> = {
  '/activate-invitation': activateInvitation,
  '/change-password': changePassword,
  '/change-email': changeEmail,
};

export function createCardPages(context: IdentityContext, parts: CardParts): CardPages {
  const { publicUrl, log } = context;
  const running = new Set<Promise<void>>();

  function later(work: () => Promise<void>): void {
    const run = work()
      .catch((error: unknown) => log({ level: 'error', message: 'A card page failed', ...errorFacts(error) }))
      .finally(() => running.delete(run));
    running.add(run);
  }

  async function answer(req: IncomingMessage, res: ServerResponse, card: Card): Promise<void> {
    if (req.method !== 'POST' && takeLink(context, req, res, card.path)) return;
    const form = req.method === 'POST' ? ((await readForm(req)) ?? new URLSearchParams()) : null;
    if (form && isForeign(req, publicUrl)) {
      const link = { href: card.path, text: card.t('signin.start-again') };
      const page = card.notice({ status: 403, word: 'signin.error', detail: 'signin.foreign', link });
      return reply(req, res, page);
    }
    const address = parts.clientAddress(req);
    const outcome = await works[card.path]({ context, parts, card, form, address, later });
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
    ...createEmailChange(context, parts.tokens),
    async handle(req, res, path) {
      if (!['GET', 'HEAD', 'POST'].includes(req.method ?? '')) {
        res.writeHead(405, { allow: 'GET, HEAD, POST' }).end();
        return;
      }
      const card = openCard(context, req, path);
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
