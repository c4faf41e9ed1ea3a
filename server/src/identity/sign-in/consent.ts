// Consent to a client's access: granted at once to the console. Any program on a computer can listen at the redirect
// address of the command-line client, so the user is asked for that one (RFC 8252, section 8.6).
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { IdentityContext } from '../identity-context.ts';
import { type ConsentPageOptions, consentPage } from '../pages/consent-page.ts';
import type { Page } from '../pages/page.ts';
import type { Provider } from '../provider/provider.ts';
import { cliClientId } from '../tokens/embedded-issuer.ts';
import { isCrossSiteForm, readForm } from './read-form.ts';

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;
type ConsentOutcome = Page | { go: string } | { error: string };

export function createConsent(context: IdentityContext, getProvider: () => Provider) {
  const { database, publicUrl, spaceId } = context;

  return async function consent(
    { req, res }: { req: IncomingMessage; res: ServerResponse },
    interaction: Interaction,
    page: Omit<ConsentPageOptions, 'email'>,
  ): Promise<ConsentOutcome> {
    const { accountId } = interaction.session!;
    const clientId = String(interaction.params.client_id);
    if (clientId === cliClientId) {
      const form = req.method === 'POST' && !isCrossSiteForm(req, publicUrl) ? await readForm(req) : null;
      if (form?.has('abort')) return { error: 'access_denied' };
      if (!form?.has('confirm')) {
        const { rows } = await database.query<{ email: string }>(
          'select email from person where space_id = $1 and user_id = $2',
          [spaceId, accountId],
        );
        return consentPage({ ...page, email: rows[0]?.email ?? '' });
      }
    }
    // The grant is made when the authorization request resumes, which refuses a session that has ended meanwhile.
    return { go: await getProvider().interactionResult(req, res, { consent: {} }) };
  };
}
