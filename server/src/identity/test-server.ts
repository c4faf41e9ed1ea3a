// A running identity for tests: real store, real HTTP, a browser with a cookie jar, and a clock that the test owns.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as client from 'openid-client';
import { createStoreWithTables, type storeKinds } from '../../test/store.ts';
import type { AuditEntry } from '../audit/audit-log.ts';
import { isoTime, ManualClock } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { idSource } from '../id.ts';
import type { LogLine } from '../log.ts';
import type { ServerMail } from '../mail/mail-room.ts';
import { accountPagePath } from './card/card-paths.ts';
import { createIdentity, type Identity, type IdentityOptions } from './identity.ts';

export const password = 'Correct-horse-7';

export interface IdentityServer {
  identity: Identity;
  database: Database;
  clock: ManualClock;
  publicUrl: string;
  spaceId: string;
  secret: Uint8Array;
  /** What the identity was made with. */
  options: IdentityOptions;
  lines: LogLine[];
  /** Every mail that was queued. */
  mails: ServerMail[];
  /** Every entry for the audit log. */
  audited: AuditEntry[];
  /** The address that the next requests seem to come from. */
  address: string;
  /** Resolves when what card pages do after their reply has ended. */
  settled(): Promise<void>;
  /** A second identity over the same store, as another replica or after a restart. */
  again(): Promise<Identity>;
  close(): Promise<void>;
}

/** Starts it; null when there is no engine of that kind. */
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
  const lines: LogLine[] = [];
  const mails: ServerMail[] = [];
  const audited: AuditEntry[] = [];
  const secret = randomBytes(32);
  const options: IdentityOptions = {
    database,
    clock,
    publicUrl,
    spaceId,
    secret,
    log: (line) => lines.push(line),
    mail: {
      queue: async (_db, mail) => void mails.push(mail),
      wake: () => {},
      sends: true,
    },
    audit: { later: (entry) => void audited.push(entry), tidy: async () => {} },
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
    lines,
    mails,
    audited,
    address: '192.0.2.1',
    again,
    settled: () => server.identity.settleCards(),
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
  const spaceId = idSource(clock)();
  await database.query(
    `insert into space (space_id, display_name, host, created_at, updated_at)
     select $1::uuid, $2, case when exists (select 1 from space) then $1::uuid::text end, $3, $3`,
    [spaceId, 'Test', isoTime(clock.now())],
  );
  return spaceId;
}

/** Follows redirects within /oidc and keeps cookies by path, as a browser does. */
export class Browser {
  readonly jar = new Map<string, { value: string; path: string }>();
  readonly headers: Record<string, string>;
  /** Origin of another provider, which is followed too. */
  outside: string | undefined;

  constructor(headers: Record<string, string> = { 'accept-language': 'en', accept: 'text/html' }) {
    this.headers = headers;
  }

  /** The last reply: a page, or the redirect that leaves /oidc. */
  async go(
    url: string | URL,
    form?: Record<string, string>,
    extra: Record<string, string> = {},
  ): Promise<Landing> {
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
      for (const line of reply.headers.getSetCookie()) this.keep(line, target);
      const location = reply.headers.get('location');
      const text = await reply.text();
      if (!location) return { url: target, status: reply.status, headers: reply.headers, text };
      target = new URL(location, target);
      body = undefined;
      const followed = target.pathname.startsWith('/oidc') || accountPagePath(target.pathname);
      if (!followed && target.origin !== this.outside)
        return { url: target, status: reply.status, headers: reply.headers, text };
    }
    throw new Error('redirected too often');
  }

  /** Fills in the form of a page and sends it. */
  submit(page: Landing, fields: Record<string, string>, extra?: Record<string, string>): Promise<Landing> {
    const action = /<form[^>]* action="([^"]+)"/.exec(page.text)?.[1];
    if (!action) throw new Error(`no form on ${page.url}: ${page.text.slice(0, 300)}`);
    const hidden = [...page.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    return this.go(
      new URL(action, page.url),
      { ...Object.fromEntries(hidden.map(([, n, v]) => [n, v])), ...fields },
      extra,
    );
  }

  private cookiesFor(target: URL): string {
    return [...this.jar]
      .filter(([, { path }]) => target.pathname.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
  }

  private keep(line: string, target: URL): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
    const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? target.pathname;
    if (/expires=thu, 01 jan 1970|max-age=0/i.test(line)) this.jar.delete(name);
    else this.jar.set(name, { value, path });
  }
}

export interface Landing {
  url: URL;
  status: number;
  headers: Headers;
  text: string;
}

export interface Relying {
  config: client.Configuration;
  redirectUri: string;
  verifier: string;
  start(parameters?: Record<string, string>): Promise<URL>;
  /** Trades the code of the landing for tokens. */
  finish(landing: Landing): Promise<client.TokenEndpointResponse & client.TokenEndpointResponseHelpers>;
}

/** One of our two clients, driven by a standard library. */
export async function relyingParty(server: IdentityServer, clientId = 'yagura-web'): Promise<Relying> {
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

/** Signs a person in with a new browser and gives everything that came of it. */
export async function signIn(
  server: IdentityServer,
  email: string,
  clientId?: string,
  browser = new Browser(),
) {
  const relying = await relyingParty(server, clientId);
  const page = await browser.go(await relying.start());
  const landing = await browser.submit(page, { email, password });
  const tokens = await relying.finish(landing);
  return { browser, relying, tokens, bearer: { authorization: `Bearer ${tokens.access_token}` } };
}
