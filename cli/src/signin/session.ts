// Who the terminal is towards which space, and the transport that follows from it.
import { Problem } from '@yagura/core/http/problem';
import type { Fetch, Transport } from '@yagura/core/http/transport';
import { quickFetch } from '../http/quick-fetch.ts';
import { say, type Terminal } from '../term/terminal.ts';
import { Usage } from '../term/usage.ts';
import { isBare, originOf } from './origin.ts';
import { type Credential, type Profile, type Profiles, readProfiles } from './profiles.ts';

export interface Session {
  origin: string;
  /** Name of the profile the credential came from; undefined when the environment gave it. */
  profile: string | undefined;
  credential: Credential | undefined;
  transport: Transport;
}

/** A `person` token is renewed this long before its end, in milliseconds. */
const margin = 30_000;

/**
 * The session by the environment (`YAGURA_URL`, `YAGURA_TOKEN`), the chosen profile, or the current one.
 * A credential of a profile is only ever sent to the profile's own origin.
 */
export function openSession(terminal: Terminal): Session {
  const { env } = terminal;
  const address = env.YAGURA_URL ? originOf(env.YAGURA_URL) : undefined;
  const asked = terminal.profile ?? env.YAGURA_PROFILE;
  // With everything given by the environment no file is looked at.
  const remembered: Profiles = address && env.YAGURA_TOKEN && !asked ? { profiles: {} } : readProfiles(env);
  const name = asked ?? remembered.current;
  const profile: Profile | undefined = name ? remembered.profiles[name] : undefined;
  if (asked && !profile) {
    throw new Usage('cli.usage.unknown-profile', {
      profile: asked,
      profiles: Object.keys(remembered.profiles).join(', ') || '-',
    });
  }
  const origin = address ?? profile?.url;
  if (!origin) throw new Problem('sign-in-required');
  if (isBare(origin)) say(terminal, terminal.err.paint('warning', terminal.t('cli.bare-http', { origin })));
  const own = profile?.url === origin;
  const credential: Credential | undefined = env.YAGURA_TOKEN
    ? { kind: 'token', token: env.YAGURA_TOKEN }
    : own
      ? profile?.credential
      : undefined;
  const session: Session = {
    origin,
    profile: own && !env.YAGURA_TOKEN ? name : undefined,
    credential,
    transport: { origin, fetch: quickFetch, retry: {} },
  };
  session.transport.fetch = renewing(session, env);
  session.transport.headers = () => headersOf(session, terminal);
  return session;
}

async function headersOf(session: Session, terminal: Terminal): Promise<Record<string, string>> {
  if (!session.credential) throw new Problem('sign-in-required');
  return {
    'accept-language': terminal.language,
    ...(await authorization(session, terminal.env, terminal.now())),
  };
}

async function authorization(
  session: Session,
  env: NodeJS.ProcessEnv,
  now: number,
): Promise<Record<string, string>> {
  const { credential } = session;
  if (credential?.kind === 'token') return { 'x-authorization': `Token ${credential.token}` };
  if (credential && credential.expiresAt - margin <= now) await renew(session, env);
  return { authorization: `Bearer ${(session.credential as { accessToken: string }).accessToken}` };
}

/** A refused access token may have been withdrawn before its end: renewed once, the call is sent again. */
function renewing(session: Session, env: NodeJS.ProcessEnv): Fetch {
  return async (url, init) => {
    const response = await quickFetch(url, init);
    if (response.status !== 401 || session.credential?.kind !== 'person') return response;
    await response.text();
    await renew(session, env);
    return quickFetch(url, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), ...(await authorization(session, env, 0)) },
    });
  };
}

async function renew(session: Session, env: NodeJS.ProcessEnv): Promise<void> {
  if (!session.profile || session.credential?.kind !== 'person') throw new Problem('sign-in-required');
  const { renewCredential } = await import('./renew.ts');
  session.credential = await renewCredential(env, session.profile, session.credential);
}
