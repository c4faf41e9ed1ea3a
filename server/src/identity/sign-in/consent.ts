// Consent to a client's access: granted at once to the console. Any program on a computer can listen at the redirect
// address of the command-line client, so the user is asked for that one (RFC 8252, section 8.6).
import type { IncomingMessage, ServerResponse } from 'node:http';
import { getSealedIdToken } from '../external/sealed-id-token.ts';
import type { IdentityContext } from '../identity-context.ts';
import { type ConsentPageOptions, consentPage } from '../pages/consent-page.ts';
import type { Page } from '../pages/page.ts';
import type { Provider } from '../provider/provider.ts';
import { grantAll } from '../provider/provider-settings.ts';
import { audienceOf, cliClientId } from '../tokens/embedded-issuer.ts';
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
    const provider = getProvider();
    const grant = await grantAll(provider, accountId, clientId, audienceOf(publicUrl));
    const externalToken = getSealedIdToken(interaction.lastSubmission);
    await context.recordSignIn(req, { grantId: grant.jti, userId: accountId, clientId, externalToken });
    return { go: await provider.interactionResult(req, res, { consent: { grantId: grant.jti } }) };
  };
}
