// One of every secret that the product can hold, planted the way it comes to be: by API, sign-in, mail, machine or configuration.
import { randomBytes } from 'node:crypto';
import { sealCredential } from '@yagura/core/kroker/seal';
import { setUpKroker } from '@yagura/fixtures/lab/kroker-machine';
import * as client from 'openid-client';
import { TOTP } from 'otpauth';
import { Browser, password, relyingParty, type TestServer } from '../src/identity/test-server.ts';
import { type Ask, asker } from './ask.ts';
import { startWorld, type World } from './world.ts';

type Body = Record<string, unknown>;

export interface PlantedSecrets {
  world: World;
  /** By kind. Nothing shows one again once it was given to its owner. */
  secrets: Record<string, string>;
  /** Kept as hashes or sealed: the store itself must not tell them. */
  stored: readonly string[];
  /** Configuration that its readers see, with what its makers keep to themselves in it: in no log, audit or refusal. */
  settings: Record<string, string>;
  /** As somebody signed in before any second factor was set. */
  ask: Ask;
}

const canary = (kind: string) => `canary-${kind}-${randomBytes(9).toString('hex')}`;
/** Secrets of the server's own configuration, which no store holds. */
const configured = ['clientSecret', 'lineSecret', 'bootstrapToken', 'installationSecret', 'smtpPassword'];

/** A world in which all of them are planted. Throws when one could not be. */
export async function plantSecrets(): Promise<PlantedSecrets> {
  const lineSecret = randomBytes(32).toString('base64');
  const secrets: Record<string, string> = {
    clientSecret: canary('oidc'),
    lineSecret,
    installationSecret: canary('installation').padEnd(48, 'x'),
    smtpPassword: canary('smtp-url'),
  };
  const world = (await startWorld({
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
  const person = await world.signedIn('privileged');
  const ask = asker(person);
  const make = async (path: string, body: Body = {}) => {
    const reply = await ask('POST', path, body);
    if (reply.status > 299) throw new Error(`${path} ${reply.status} ${reply.text}`);
    return reply.data as Record<string, string>;
  };
  secrets.bootstrapToken = (await world.as('privileged').headers!())['x-authorization']!.replace(
    'Token ',
    '',
  );
  secrets.accessToken = person.accessToken;
  await signInSecrets(world, secrets);
  await mailedSecrets(world, ask, make, secrets);
  const settings = await appSecrets(person, ask, make, secrets);
  await factorSecrets(ask, make, secrets);

  // Mails are kept to be read until there is a way to send them; from here on they are sent, in vain.
  await world.restart({
    smtpUrl: `smtp://duty:${secrets.smtpPassword}@127.0.0.1:1`,
    mailFrom: 'console@example.com',
  });
  await make('/api/space/users/invitations', { email: 'late@example.com', roles: [], language: 'en' });
  return {
    world,
    secrets,
    stored: Object.keys(secrets).filter((name) => !configured.includes(name)),
    settings,
    ask,
  };
}

/** What a browser and a terminal get when somebody signs in. */
async function signInSecrets(world: World, secrets: Record<string, string>): Promise<void> {
  secrets.password = password;
  const { email } = await world.signedIn(['alerthub:viewer']).then(async ({ userId }) => {
    const found = await world.services.identity.findPerson(userId);
    return found!;
  });
  const server = { publicUrl: world.origin } as TestServer;
  const relying = await relyingParty(server);
  const browser = new Browser();
  const landing = await browser.submit(await browser.go(await relying.start()), { email, password });
  secrets.authorizationCode = landing.url.searchParams.get('code')!;
  const first = await relying.finish(landing);
  secrets.usedRefreshToken = first.refresh_token!;
  const renewed = await client.refreshTokenGrant(relying.config, first.refresh_token!);
  secrets.refreshToken = renewed.refresh_token!;
  secrets.renewedAccessToken = renewed.access_token;
  secrets.idToken = renewed.id_token!;
  secrets.verifier = relying.verifier;
  const unused = await browser.go(await relying.start());
  secrets.unusedCode = unused.url.searchParams.get('code')!;
  const terminal = await relyingParty(server, 'yagura-cli');
  const device = await client.initiateDeviceAuthorization(terminal.config, { scope: 'openid' });
  secrets.deviceCode = device.device_code;
  const entered = await browser.submit(await browser.go(`${world.origin}/oidc/device`), {
    user_code: device.user_code,
  });
  await browser.submit(entered, { confirm: 'yes' });
}

/** What stands in the links of mails. */
async function mailedSecrets(
  world: World,
  ask: Ask,
  make: (path: string, body?: Body) => Promise<Body>,
  secrets: Record<string, string>,
): Promise<void> {
  await make('/api/space/users/invitations', { email: 'canary@example.com', roles: [], language: 'en' });
  await make('/api/internal/profile/change-email', { email: 'changed@example.com', password });
  const browser = new Browser();
  const card = await browser.go(`${world.origin}/change-password`);
  await browser.submit(card, { email: 'admin@yagura.local' }, { origin: world.origin });
  const names = {
    invitation: 'invitationToken',
    'change-email': 'emailToken',
    'change-password': 'resetToken',
  };
  const mails = async () =>
    ((await ask('GET', '/api/internal/mail-log')).data as { items: { mailId: string; kind: string }[] })
      .items;
  while ((await mails()).length < 3) await new Promise((resolve) => setImmediate(resolve));
  for (const { mailId, kind } of await mails()) {
    const { text } = (await ask('GET', `/api/internal/mail-log/${mailId}`)).data as { text: string };
    secrets[names[kind as keyof typeof names]] = /token=([\w-]+)/.exec(text)![1]!;
  }
}

/** What the apps hold. Gives what stands in their settings. */
async function appSecrets(
  person: Parameters<typeof setUpKroker>[0],
  ask: Ask,
  make: (path: string, body?: Body) => Promise<Record<string, string>>,
  secrets: Record<string, string>,
): Promise<Record<string, string>> {
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
  const edit = await ask(
    'PATCH',
    `/api/apps/alerthub/email-action-sender/settings/${emailActionSenderSettingId}`,
    {
      parameters: { ...server, username: 'duty', password: changed },
    },
  );
  if (edit.status !== 200) throw new Error(edit.text);

  const settings = { header: canary('header'), address: canary('address'), query: canary('query') };
  const { actionId } = await make('/api/apps/alerthub/actions', {
    displayName,
    kind: 'webhook',
    parameters: {
      url: `https://duty:${settings.address}@hooks.example.invalid/x?key=${settings.query}`,
      headers: { Authorization: `Bearer ${settings.header}`, 'X-Duty': settings.header },
    },
  });
  const signing = await ask('GET', `/api/apps/alerthub/actions/${actionId}/signing-secret`);
  secrets.signingSecret = (signing.data as { secret: string }).secret;
  await make(`/api/apps/alerthub/actions/${actionId}/test`, {});

  const key = await make('/api/apps/greac/log-keys/refresh');
  const opened = await ask('GET', `/api/apps/greac/log-keys/${key.keyId}/private-key`);
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
  const encryptedData = await sealCredential(
    { credentialType: 'password', username: 'root', password: secrets.credentialPassword },
    machine,
  );
  const sealed = await ask(
    'PUT',
    `/api/internal/apps/kroker/krokers/${machine.krokerId}/credentials/${credentialId}`,
    { encryptedData },
  );
  if (sealed.status !== 200) throw new Error(sealed.text);
  const begun = await asker({ fetch, origin: person.origin })('POST', '/receive/kroker-setups', {
    publicKey: machine.publicKey,
    hostName: 'gateway-02',
  });
  secrets.krokerDeviceCode = (begun.data as { deviceCode: string }).deviceCode;

  const slot = await make('/api/apps/alerthub/receive-slots', { displayName, kind: 'webhook' });
  return {
    ...settings,
    primary: new URL(slot.primary!).pathname,
    secondary: new URL(slot.secondary!).pathname,
  };
}

/** What a second factor is made of. */
async function factorSecrets(
  ask: Ask,
  make: (path: string, body?: Body) => Promise<Record<string, string>>,
  secrets: Record<string, string>,
): Promise<void> {
  const mfa = '/api/internal/profile/mfa';
  secrets.totp = (await make(`${mfa}/prepare`, { password })).secret!;
  const code = new TOTP({ secret: secrets.totp }).generate();
  const on = await ask('PUT', mfa, { enabled: true, code });
  for (const [at, recovery] of (on.data as { recoveryCodes: string[] }).recoveryCodes.entries())
    secrets[`recoveryCode${at}`] = recovery;
}
