// Digest authentication of requests (RFC 3261, section 22; RFC 7616; RFC 8760).
import { createHash } from 'node:crypto';
import { parseParams, splitValue } from './header-values.ts';
import { type Header, headersOf, type SipResponse } from './message.ts';

const hashes = { MD5: 'md5', 'SHA-256': 'sha256', 'SHA-512-256': 'sha512-256' } as const;

export interface Challenge {
  realm: string;
  nonce: string;
  algorithm: keyof typeof hashes;
  /** The name ends in "-sess". */
  session: boolean;
  opaque: string | undefined;
  /** False for servers of RFC 2069, which know no qop. */
  qop: boolean;
  stale: boolean;
}

export interface DigestInput {
  challenge: Challenge;
  user: string;
  password: string;
  method: string;
  uri: string;
  cnonce: string;
  nonceCount: number;
}

/** The first challenge that can be answered; undefined if there is none. */
export function pickChallenge(values: readonly string[]): Challenge | undefined {
  for (const value of values) {
    const challenge = parseChallenge(value);
    if (challenge) return challenge;
  }
  return undefined;
}

function parseChallenge(value: string): Challenge | undefined {
  const scheme = /^Digest\s+/i.exec(value);
  if (!scheme) return undefined;
  const params = parseParams(splitValue(value.slice(scheme[0].length), ','));
  const named = (params.get('algorithm') || 'MD5').toUpperCase();
  const session = named.endsWith('-SESS');
  const algorithm = (session ? named.slice(0, -5) : named) as Challenge['algorithm'];
  const nonce = params.get('nonce');
  const qops = params
    .get('qop')
    ?.split(',')
    .map((qop) => qop.trim().toLowerCase());
  if (!nonce || !Object.hasOwn(hashes, algorithm) || (qops && !qops.includes('auth'))) return undefined;
  return {
    realm: params.get('realm') ?? '',
    nonce,
    algorithm,
    session,
    opaque: params.get('opaque'),
    qop: qops !== undefined,
    stale: params.get('stale')?.toLowerCase() === 'true',
  };
}

/** Value of Authorization or Proxy-Authorization. */
export function digestAuthorization(input: DigestInput): string {
  const { challenge, user, password, method, uri, cnonce } = input;
  const { realm, nonce, algorithm, session, opaque, qop } = challenge;
  const hash = (text: string) => createHash(hashes[algorithm]).update(text).digest('hex');
  const nonceCount = input.nonceCount.toString(16).padStart(8, '0');
  const account = hash(`${user}:${realm}:${password}`);
  const secret = session ? hash(`${account}:${nonce}:${cnonce}`) : account;
  const request = hash(`${method}:${uri}`);
  const response = hash(
    qop ? `${secret}:${nonce}:${nonceCount}:${cnonce}:auth:${request}` : `${secret}:${nonce}:${request}`,
  );
  const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;
  return `Digest ${[
    `username=${quoted(user)}`,
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(uri)}`,
    `response="${response}"`,
    `algorithm=${algorithm}${session ? '-sess' : ''}`,
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
    ...(qop ? ['qop=auth', `nc=${nonceCount}`] : []),
    ...(qop || session ? [`cnonce=${quoted(cnonce)}`] : []),
  ].join(', ')}`;
}

/** Number of times a request is sent again because the server calls its own nonce stale. */
const maxStale = 2;
const maxNonces = 100;

/** Account of a trunk; counts the uses of each nonce. */
export class Credentials {
  private readonly user: string;
  private readonly password: string;
  private readonly random: (size: number) => Buffer;
  private readonly uses = new Map<string, number>();

  constructor(user: string, password: string, random: (size: number) => Buffer) {
    this.user = user;
    this.password = password;
    this.random = random;
  }

  /** Authenticates one request. */
  attempt(): AuthenticationAttempt {
    return new AuthenticationAttempt(this);
  }

  authorization(challenge: Challenge, method: string, uri: string): string | undefined {
    if (this.user === '') return undefined;
    const nonceCount = (this.uses.get(challenge.nonce) ?? 0) + 1;
    this.uses.delete(challenge.nonce);
    this.uses.set(challenge.nonce, nonceCount);
    if (this.uses.size > maxNonces) this.uses.delete(this.uses.keys().next().value!);
    const cnonce = this.random(8).toString('hex');
    const { user, password } = this;
    return digestAuthorization({ challenge, user, password, method, uri, cnonce, nonceCount });
  }
}

/** The challenges of one request and of its repetitions; a proxy and the server can both ask. */
export class AuthenticationAttempt {
  private readonly credentials: Credentials;
  private readonly headers = new Map<string, Header>();
  private staleCount = 0;

  constructor(credentials: Credentials) {
    this.credentials = credentials;
  }

  /** Headers with which to send the request again; undefined if the challenge cannot be answered. */
  answer(response: SipResponse, method: string, uri: string): Header[] | undefined {
    const proxy = response.status === 407;
    const challenge = pickChallenge(headersOf(response, proxy ? 'Proxy-Authenticate' : 'WWW-Authenticate'));
    if (!challenge) return undefined;
    const key = `${response.status} ${challenge.realm}`;
    if (this.headers.has(key)) {
      // The password is wrong, unless only the nonce expired.
      if (!challenge.stale || this.staleCount >= maxStale) return undefined;
      this.staleCount += 1;
    }
    if (this.headers.size >= 4) return undefined;
    const value = this.credentials.authorization(challenge, method, uri);
    if (value === undefined) return undefined;
    this.headers.set(key, { name: proxy ? 'Proxy-Authorization' : 'Authorization', value });
    return [...this.headers.values()];
  }
}
