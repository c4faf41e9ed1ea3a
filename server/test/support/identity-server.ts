// Runs identity for tests with a real database, real HTTP, a browser with a cookie jar and a manual clock.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as client from 'openid-client';
import type { AuditEntry } from '../../src/audit/audit-log.ts';
import { isoTime, ManualClock } from '../../src/common/clock.ts';
import { createIdSource } from '../../src/common/id.ts';
import type { LogLine } from '../../src/common/log.ts';
import type { Database } from '../../src/db/database.ts';
import type { ServerMail } from '../../src/delivery/mail-outbox/mail-outbox.ts';
import { accountPagePath } from '../../src/identity/account-pages/account-page-paths.ts';
import { createIdentity, type Identity, type IdentityOptions } from '../../src/identity/identity.ts';
import { createStoreWithTables, type storeKinds } from './test-store.ts';

export const password = 'Correct-horse-7';

export interface IdentityServer {
  identity: Identity;
  database: Database;
  clock: ManualClock;
  publicUrl: string;
  spaceId: string;
  secret: Uint8Array;
  /** Options that identity was created with. */
  options: IdentityOptions;
  logLines: LogLine[];
  /** All queued mails. */
  mails: ServerMail[];
  /** All audit entries. */
  auditEntries: AuditEntry[];
  /** Client address of the following requests. */
  address: string;
  /** Resolves when the work of account pages after their replies is done. */
  settled(): Promise<void>;
  /** A second identity on the same database, like another replica or a restart. */
  startAnother(): Promise<Identity>;
  close(): Promise<void>;
}

/** Starts it; returns null when that database engine is not available. */
export async function startIdentityServer(
  kind: (typeof storeKinds)[number] = 'embedded',
): Promise<IdentityServer | null> {
  const store = await createStoreWithTables(kind);
  if (!store) return null;
  const database = await store.open();
  const clock = new ManualClock(Date.now());
  const spaceId = await addSpace(database, clock);
  const http = createServer((req, res) => server.identity.handler(req, res));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const publicUrl = `http://localhost:${(http.address() as AddressInfo).port}`;
  const logLines: LogLine[] = [];
  const mails: ServerMail[] = [];
  const auditEntries: AuditEntry[] = [];
  const secret = randomBytes(32);
  const options: IdentityOptions = {
    database,
    clock,
    publicUrl,
    spaceId,
    secret,
    log: (line) => logLines.push(line),
    mail: {
      queue: async (_db, mail) => void mails.push(mail),
      wake: () => {},
      canSend: true,
    },
    audit: { enqueue: (entry) => void auditEntries.push(entry), applyRetention: async () => {} },
    clientAddress: () => server.address,
  };
  const opened: Identity[] = [];
  async function again(): Promise<Identity> {
    const identity = await createIdentity(options);
    opened.push(identity);
    return identity;
  }
  const server: IdentityServer = {
    identity: undefined as never,
    database,
    clock,
    publicUrl,
    spaceId,
    secret,
    options,
    logLines,
    mails,
    auditEntries,
    address: '192.0.2.1',
    startAnother: again,
    settled: () => server.identity.settleAccountPages(),
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
      for (const identity of opened) await identity.close();
      await store.remove();
    },
  };
  server.identity = await again();
  return server;
}

export async function addSpace(database: Database, clock: ManualClock): Promise<string> {
  const spaceId = createIdSource(clock)();
  await database.query(
    `insert into space (space_id, display_name, host, created_at, updated_at)
     select $1::uuid, $2, case when exists (select 1 from space) then $1::uuid::text end, $3, $3`,
    [spaceId, 'Test', isoTime(clock.now())],
  );
  return spaceId;
}

/** Follows redirects within /oidc and stores cookies by path, like a browser. */
export class Browser {
  readonly jar = new Map<string, { value: string; path: string }>();
  readonly headers: Record<string, string>;
  /** Origin of another provider, whose redirects are followed too. */
  externalOrigin: string | undefined;

  constructor(headers: Record<string, string> = { 'accept-language': 'en', accept: 'text/html' }) {
    this.headers = headers;
  }

  /** Returns the last reply: a page, or the redirect that leaves /oidc. */
  async visit(
    url: string | URL,
    form?: Record<string, string>,
    extra: Record<string, string> = {},
  ): Promise<BrowserPage> {
    let target = new URL(url);
    let body = form && new URLSearchParams(form).toString();
    for (let hop = 0; hop < 10; hop++) {
      const reply = await fetch(target, {
        method: body === undefined ? 'GET' : 'POST',
        redirect: 'manual',
        headers: {
          ...this.headers,
          ...extra,
          cookie: this.cookiesFor(target),
          ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        body,
      });
      for (const line of reply.headers.getSetCookie()) this.storeCookie(line, target);
      const location = reply.headers.get('location');
      const text = await reply.text();
      if (!location) return { url: target, status: reply.status, headers: reply.headers, text };
      target = new URL(location, target);
      body = undefined;
      const followed = target.pathname.startsWith('/oidc') || accountPagePath(target.pathname);
      if (!followed && target.origin !== this.externalOrigin)
        return { url: target, status: reply.status, headers: reply.headers, text };
    }
    throw new Error('redirected too often');
  }

  /** Fills in and submits the form of a page. */
  submit(
    page: BrowserPage,
    fields: Record<string, string>,
    extra?: Record<string, string>,
  ): Promise<BrowserPage> {
    const form = /<form[^>]* action="([^"]+)".*?<\/form>/s.exec(page.text);
    if (!form) throw new Error(`no form on ${page.url}: ${page.text.slice(0, 300)}`);
    const [text, action = ''] = form;
    const hidden = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    return this.visit(
      new URL(action, page.url),
      { ...Object.fromEntries(hidden.map(([, n, v]) => [n, v])), ...fields },
      extra,
    );
  }

  /** Consents to the sign-in of the command line where a page asks for it. */
  async authorize(page: BrowserPage): Promise<BrowserPage> {
    return page.text.includes('Authorize the command line?') ? this.submit(page, { confirm: 'yes' }) : page;
  }

  private cookiesFor(target: URL): string {
    return [...this.jar]
      .filter(([, { path }]) => target.pathname.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
  }

  private storeCookie(line: string, target: URL): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
    const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? target.pathname;
    if (/expires=thu, 01 jan 1970|max-age=0/i.test(line)) this.jar.delete(name);
    else this.jar.set(name, { value, path });
  }
}

export interface BrowserPage {
  url: URL;
  status: number;
  headers: Headers;
  text: string;
}

export interface OidcClient {
  config: client.Configuration;
  redirectUri: string;
  verifier: string;
  start(parameters?: Record<string, string>): Promise<URL>;
  /** Exchanges the authorization code for tokens. */
  finish(landing: BrowserPage): Promise<client.TokenEndpointResponse & client.TokenEndpointResponseHelpers>;
}

/** One of our two clients, implemented with a standard library. */
export async function createOidcClient(server: IdentityServer, clientId = 'yagura-web'): Promise<OidcClient> {
  const redirectUri =
    clientId === 'yagura-web' ? `${server.publicUrl}/authorize` : 'http://127.0.0.1:45871/callback';
  const config = await client.discovery(
    new URL(`${server.publicUrl}/oidc`),
    clientId,
    undefined,
    client.None(),
    {
      execute: [client.allowInsecureRequests],
    },
  );
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  return {
    config,
    redirectUri,
    verifier,
    async start(parameters = {}) {
      return client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid profile email offline_access',
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        ...parameters,
      });
    },
    finish: (landing) =>
      client.authorizationCodeGrant(config, landing.url, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        idTokenExpected: true,
      }),
  };
}

/** Signs a user in with a new browser and returns everything obtained. */
export async function signIn(
  server: IdentityServer,
  email: string,
  clientId?: string,
  browser = new Browser(),
) {
  const oidcClient = await createOidcClient(server, clientId);
  const page = await browser.visit(await oidcClient.start());
  const landing = await browser.authorize(await browser.submit(page, { email, password }));
  const tokens = await oidcClient.finish(landing);
  return { browser, relying: oidcClient, tokens, bearer: { authorization: `Bearer ${tokens.access_token}` } };
}
