// Plants one secret of every kind the way it normally arises: by API, sign-in, mail, machine or
// configuration.
import { randomBytes } from 'node:crypto';
import { encryptCredential } from '@yagura/core/kroker/encrypt-credential';
import { setUpKroker } from '@yagura/fixtures/testbed/kroker-machine';
import * as client from 'openid-client';
import { TOTP } from 'otpauth';
import type { ServerMail } from '../../src/delivery/mail-outbox/mail-outbox.ts';
import { type ApiCall, createApiCall } from './api-request.ts';
import { Browser, createOidcClient, type IdentityServer, password } from './identity-server.ts';
import { startTestServer, type TestServer } from './test-server.ts';

type Body = Record<string, unknown>;

export interface PlantedSecrets {
  server: TestServer;
  /** Secrets by kind; none is shown again after it was given to its owner. */
  secrets: Record<string, string>;
  /** Stored as hashes or encrypted: the database must not reveal them. */
  stored: readonly string[];
  /** Secrets in settings: shown again to users who may change the settings, and to nobody else. */
  settings: readonly string[];
  /** Calls as a user who signed in before a second factor was set up. */
  callApi: ApiCall;
}

const canary = (kind: string) => `canary-${kind}-${randomBytes(9).toString('hex')}`;
/** Secrets in the server's configuration, which are not in the database. */
const configured = ['clientSecret', 'lineSecret', 'bootstrapToken', 'installationSecret', 'smtpPassword'];

/** Starts a server and plants all secrets. Throws when one cannot be planted. */
export async function plantSecrets(): Promise<PlantedSecrets> {
  const lineSecret = randomBytes(32).toString('base64');
  const secrets: Record<string, string> = {
    clientSecret: canary('oidc'),
    lineSecret,
    installationSecret: canary('installation').padEnd(48, 'x'),
    smtpPassword: canary('smtp-url'),
  };
  const testServer = (await startTestServer({
    engine: 'embedded',
    env: {
      YAGURA_SECRET: secrets.installationSecret!,
      YAGURA_OIDC_ISSUER: 'http://127.0.0.1:1/',
      YAGURA_OIDC_CLIENT_ID: 'yagura',
      YAGURA_OIDC_CLIENT_SECRET: secrets.clientSecret!,
      YAGURA_PIGEON_LINE: 'webhook',
      YAGURA_PIGEON_WEBHOOK_URL: 'http://127.0.0.1:1/calls',
      YAGURA_PIGEON_WEBHOOK_SECRET: `whsec_${lineSecret}`,
    },
  }))!;
  const person = await testServer.signedIn('privileged');
  const callApi = createApiCall(person);
  const make = async (path: string, body: Body = {}) => {
    const reply = await callApi('POST', path, body);
    if (reply.status > 299) throw new Error(`${path} ${reply.status} ${reply.text}`);
    return reply.data as Record<string, string>;
  };
  secrets.bootstrapToken = (await testServer.transportAs('privileged').headers!())[
    'x-authorization'
  ]!.replace('Token ', '');
  secrets.accessToken = person.accessToken;
  await signInSecrets(testServer, secrets);
  const mails = watchMails(testServer);
  await make('/api/space/users/invitations', { email: 'canary@example.com', roles: [], language: 'en' });
  const settings = await appSecrets(person, callApi, make, secrets);
  await testServer.settled();
  await factorSecrets(callApi, make, secrets);

  // Mails are kept readable until SMTP is configured; from here on sending is attempted and fails.
  await testServer.restart({
    smtpUrl: `smtp://duty:${secrets.smtpPassword}@127.0.0.1:1`,
    mailFrom: 'console@example.com',
  });
  const sent = watchMails(testServer);
  await make('/api/space/users/invitations', { email: 'late@example.com', roles: [], language: 'en' });
  const browser = new Browser();
  const card = await browser.visit(`${testServer.origin}/change-password`);
  await browser.submit(card, { email: 'admin@yagura.local' }, { origin: testServer.origin });
  await testServer.services.identity.settleAccountPages();
  const code = secrets.spareCode!;
  await make('/api/internal/profile/change-email', { email: 'changed@example.com', code });
  readMails([...mails, ...sent], secrets);
  return {
    server: testServer,
    secrets,
    stored: Object.keys(secrets).filter((name) => !configured.includes(name)),
    settings,
    callApi,
  };
}

/** Secrets received by a browser and a terminal during sign-in. */
async function signInSecrets(testServer: TestServer, secrets: Record<string, string>): Promise<void> {
  secrets.password = password;
  const { email } = await testServer.signedIn(['alerthub:viewer']).then(async ({ userId }) => {
    const found = await testServer.services.identity.findUser(userId);
    return found!;
  });
  const server = { publicUrl: testServer.origin } as IdentityServer;
  const oidcClient = await createOidcClient(server);
  const browser = new Browser();
  const landing = await browser.submit(await browser.visit(await oidcClient.start()), { email, password });
  secrets.authorizationCode = landing.url.searchParams.get('code')!;
  const first = await oidcClient.finish(landing);
  secrets.usedRefreshToken = first.refresh_token!;
  const renewed = await client.refreshTokenGrant(oidcClient.config, first.refresh_token!);
  secrets.refreshToken = renewed.refresh_token!;
  secrets.renewedAccessToken = renewed.access_token;
  secrets.idToken = renewed.id_token!;
  secrets.verifier = oidcClient.verifier;
  const unused = await browser.visit(await oidcClient.start());
  secrets.unusedCode = unused.url.searchParams.get('code')!;
  const terminal = await createOidcClient(server, 'yagura-cli');
  const device = await client.initiateDeviceAuthorization(terminal.config, { scope: 'openid' });
  secrets.deviceCode = device.device_code;
  const entered = await browser.submit(await browser.visit(`${testServer.origin}/oidc/device`), {
    user_code: device.user_code,
  });
  await browser.submit(entered, { confirm: 'yes' });
}

/** Collects every mail as it is queued; the tokens in its links are in no response. */
function watchMails({ services }: TestServer): ServerMail[] {
  const mails: ServerMail[] = [];
  const { mail } = services;
  const queue = mail.queue;
  mail.queue = async (db, one) => {
    mails.push(one);
    return queue(db, one);
  };
  return mails;
}

/** Tokens in the links of mails. */
function readMails(mails: readonly ServerMail[], secrets: Record<string, string>): void {
  const names: Record<string, string> = {
    invitation: 'invitationToken',
    'change-email': 'emailToken',
    'email-change-asked': 'restoreToken',
    'change-password': 'resetToken',
  };
  for (const { kind, params } of mails) {
    const token = /token=([\w-]+)/.exec(String(params.link))?.[1];
    if (names[kind] && token) secrets[names[kind]] = token;
  }
}

/** Secrets of the apps. Returns the names of those in their settings. */
async function appSecrets(
  person: Parameters<typeof setUpKroker>[0],
  callApi: ApiCall,
  make: (path: string, body?: Body) => Promise<Record<string, string>>,
  secrets: Record<string, string>,
): Promise<string[]> {
  const displayName = 'canary';
  secrets.apiToken = (await make('/api/space/api-tokens', { displayName, roles: null })).token!;
  secrets.smtp = canary('smtp');
  secrets.sendgrid = canary('sendgrid');
  const sender = (provider: string, parameters: Body) =>
    make('/api/apps/alerthub/email-action-sender/settings', {
      displayName: `canary ${provider}`,
      from: { name: 'Duty', email: 'duty@example.com' },
      provider,
      parameters,
    });
  const server = { host: 'mail.example.com', port: 587, security: 'starttls', authentication: 'plain' };
  const { emailActionSenderSettingId } = await sender('smtp', {
    ...server,
    username: 'duty',
    password: secrets.smtp,
  });
  await sender('sendgrid', { apiKey: secrets.sendgrid });
  const changed = canary('smtp-changed');
  secrets.smtpChanged = changed;
  const edit = await callApi(
    'PATCH',
    `/api/apps/alerthub/email-action-sender/settings/${emailActionSenderSettingId}`,
    {
      parameters: { ...server, username: 'duty', password: changed },
    },
  );
  if (edit.status !== 200) throw new Error(edit.text);

  const settings = { header: canary('header'), query: canary('query') };
  Object.assign(secrets, settings);
  const created = await callApi(
    'POST',
    '/api/apps/alerthub/actions',
    {
      displayName,
      kind: 'webhook',
      parameters: {
        url: `https://hooks.example.invalid/x?key=${settings.query}`,
        headers: { Authorization: `Bearer ${settings.header}`, 'X-Duty': settings.header },
      },
    },
    { headers: { 'idempotency-key': 'canary' } },
  );
  if (created.status !== 201) throw new Error(created.text);
  const { actionId } = created.data as { actionId: string };
  const signing = await callApi('GET', `/api/apps/alerthub/actions/${actionId}/signing-secret`);
  secrets.signingSecret = (signing.data as { secret: string }).secret;
  await make(`/api/apps/alerthub/actions/${actionId}/test`, {});

  const key = await make('/api/apps/greac/log-keys/refresh');
  const opened = await callApi('GET', `/api/apps/greac/log-keys/${key.keyId}/private-key`);
  secrets.logKey = (opened.data as { privateKey: string }).privateKey;
  const ksocket = await make('/api/ksocket/slots', { displayName, remarks: '' });
  secrets.agentToken = (await make(`/api/ksocket/slots/${ksocket.ksocketSlotId}/tokens`, { displayName }))
    .token!;

  const machine = await setUpKroker(person, { displayName });
  secrets.krokerToken = machine.token;
  secrets.credentialPassword = canary('credential');
  const { credentialId } = await make(`/api/apps/kroker/krokers/${machine.krokerId}/credentials`, {
    displayName,
    remarks: '',
    credentialType: 'password',
  });
  const encryptedData = await encryptCredential(
    { credentialType: 'password', username: 'root', password: secrets.credentialPassword },
    machine,
  );
  const sealed = await callApi(
    'PUT',
    `/api/internal/apps/kroker/krokers/${machine.krokerId}/credentials/${credentialId}`,
    { encryptedData },
  );
  if (sealed.status !== 200) throw new Error(sealed.text);
  const begun = await createApiCall({ fetch, origin: person.origin })('POST', '/receive/kroker-setups', {
    publicKey: machine.publicKey,
    hostName: 'gateway-02',
  });
  secrets.krokerDeviceCode = (begun.data as { deviceCode: string }).deviceCode;

  const step = { stepId: 'send', kind: 'action', displayName: 'send', params: { actionId } };
  const runbook = { displayName, startStepId: 'send', steps: [step] };
  const { runbookId } = await make('/api/apps/alerthub/runbooks', runbook);
  const slot = await make('/api/apps/alerthub/receive-slots', { displayName, kind: 'webhook', runbookId });
  const posted = await fetch(slot.primary!, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"note":"hello"}',
  });
  if (posted.status !== 202) throw new Error(await posted.text());
  const tokenOf = (address: string) => new URL(address).pathname.split('/').at(-1)!;
  secrets.primary = tokenOf(slot.primary!);
  secrets.secondary = tokenOf(slot.secondary!);
  return [...Object.keys(settings), 'primary', 'secondary'];
}

/** Secrets of second factors. */
async function factorSecrets(
  callApi: ApiCall,
  make: (path: string, body?: Body) => Promise<Record<string, string>>,
  secrets: Record<string, string>,
): Promise<void> {
  const mfa = '/api/internal/profile/mfa';
  secrets.totp = (await make(`${mfa}/prepare`, { password })).secret!;
  const code = new TOTP({ secret: secrets.totp }).generate();
  const on = await callApi('PUT', mfa, { enabled: true, code });
  const { recoveryCodes } = on.data as { recoveryCodes: string[] };
  secrets.spareCode = recoveryCodes.pop()!;
  for (const [at, recovery] of recoveryCodes.entries()) secrets[`recoveryCode${at}`] = recovery;
}
