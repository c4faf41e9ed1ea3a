// A certified OpenID provider in a process of its own, as a company would run one: whoever types a name is let in under it.
// Takes one argument: JSON with the clients and what it says of each name.
import { createServer } from 'node:http';

console.warn = console.info = () => {};
const { Provider } = await import('oidc-provider').then((library) => ({ Provider: library.default }));
const { clients, people, claimNames = [] } = JSON.parse(process.argv[2]);

/** A page of the company, which loads nothing. */
const page = (body) => `<!doctype html><title>Company</title><link rel="icon" href="data:,">${body}`;

const http = createServer();
await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve));
const issuer = `http://127.0.0.1:${http.address().port}`;

const provider = new Provider(issuer, {
  clients,
  claims: { openid: ['sub', ...claimNames], email: ['email', 'email_verified'], profile: ['name'] },
  conformIdTokenClaims: false,
  features: {
    devInteractions: { enabled: false },
    rpInitiatedLogout: {
      logoutSource(context, form) {
        const button = '<button form="op.logoutForm" name="logout" value="yes">Company sign-out</button>';
        context.body = page(form + button);
      },
    },
  },
  interactions: { url: (_context, interaction) => `/sign-in/${interaction.uid}` },
  pkce: { required: () => true },
  cookies: { keys: ['only for tests'] },
  findAccount: (_context, id) =>
    people[id] && { accountId: id, claims: async () => ({ sub: id, ...people[id] }) },
});
const callback = provider.callback();

http.on('request', async (request, response) => {
  const uid = /^\/sign-in\/([\w-]+)$/.exec(request.url)?.[1];
  if (!uid) return callback(request, response);
  try {
    const details = await provider.interactionDetails(request, response);
    if (request.method === 'GET' && details.prompt.name === 'login') {
      response.setHeader('content-type', 'text/html');
      return response.end(
        page(
          `<form method="post" action="/sign-in/${uid}"><input name="login" aria-label="Name" autofocus><button>Company sign-in</button></form>`,
        ),
      );
    }
    let body = '';
    for await (const chunk of request) body += chunk;
    const login = new URLSearchParams(body).get('login');
    if (login === 'nobody') {
      const result = { error: 'access_denied', error_description: 'The person said no' };
      return await provider.interactionFinished(request, response, result);
    }
    const { client_id: clientId, scope } = details.params;
    const accountId = login ?? details.session.accountId;
    const grant = new provider.Grant({ accountId, clientId });
    grant.addOIDCScope(scope);
    const result = {
      ...(login ? { login: { accountId } } : {}),
      consent: { grantId: await grant.save() },
    };
    await provider.interactionFinished(request, response, result);
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
});
process.on('disconnect', () => process.exit(0));
process.send({ issuer });
