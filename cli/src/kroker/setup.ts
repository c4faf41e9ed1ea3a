// `kroker setup`: creates the key pair, shows a code for a user to approve, and stores the received token.
import { createHash, generateKeyPairSync } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '@yagura/core/http/problem';
import { send, type Transport } from '@yagura/core/http/transport';
import { type CollectReply, type SetupStarted, setupPaths } from '@yagura/core/kroker/kroker-setup';
import { canonicalKey, type PublicKey } from '@yagura/core/kroker/public-key';
import { quickFetch } from '../http/quick-fetch.ts';
import { parseOrigin } from '../signin/origin.ts';
import { openSession } from '../signin/session.ts';
import { cleanLine } from '../terminal/clean.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';
import { krokerPath, refuseExisting, writeKrokerFile } from './kroker-file.ts';

export interface SetupOptions {
  file?: string;
  name?: string;
  replace?: boolean;
}

export async function setUpKroker(
  terminal: Terminal,
  address: string | undefined,
  options: SetupOptions,
): Promise<void> {
  const { t, signal } = terminal;
  const path = krokerPath(terminal, options.file);
  refuseExisting(path, options.replace);
  const origin = address ? parseOrigin(address) : openSession(terminal).origin;
  const headers = () => ({ 'accept-language': terminal.language });
  const transport: Transport = { origin, fetch: quickFetch, headers };
  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const privateKey = key.export({ format: 'jwk' }) as PublicKey & { d: string };
  const { kty, crv, x, y } = privateKey;
  const publicKey = { kty, crv, x, y };
  const { data } = await send<SetupStarted>(transport, {
    method: 'POST',
    path: setupPaths.begin,
    body: { publicKey, hostName: options.name ?? hostname() },
    signal,
  });
  const thumbprint = createHash('sha256').update(canonicalKey(publicKey)).digest('base64url');
  printMessage(terminal, t('cli.kroker.open', { url: `${data.verificationUri}?code=${data.userCode}` }));
  printMessage(terminal, t('cli.kroker.code', { code: data.userCode }));
  printMessage(terminal, t('cli.kroker.thumbprint', { thumbprint }));
  const { krokerId, token, displayName, spaceName } = await pollSetup(terminal, transport, data);
  writeKrokerFile(path, { url: origin, krokerId, token, privateKey });
  const names = { name: cleanLine(displayName), space: cleanLine(spaceName), file: path };
  printMessage(terminal, terminal.err.paint('success', t('cli.kroker.done', names)));
}

/** Polls until the request is approved or denied, or has expired. */
async function pollSetup(
  { signal, t, now }: Terminal,
  transport: Transport,
  setup: SetupStarted,
): Promise<Extract<CollectReply, { status: 'approved' }>> {
  const end = Date.parse(setup.expiresAt);
  for (;;) {
    await pause(setup.interval * 1000, undefined, { signal });
    const { data } = await send<CollectReply>(transport, {
      method: 'POST',
      path: setupPaths.collect,
      body: { deviceCode: setup.deviceCode },
      signal,
    });
    if (data.status === 'approved') return data;
    if (now() > end) throw new Problem('not-found', { title: t('cli.kroker.expired') });
  }
}
