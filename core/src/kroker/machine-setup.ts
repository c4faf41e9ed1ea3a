// The machine's half of the set-up handshake: makes a key pair, shows a code, and collects the token after approval.
import { z } from 'zod';
import { send, type Transport } from '../http/transport.ts';
import { keyThumbprint } from './kroker-jwe.ts';
import { type CollectReply, type SetupStarted, setupPaths } from './kroker-setup.ts';
import { publicKey } from './public-key.ts';

/** What a Kroker keeps in a file that only its owner can read. */
export const krokerFile = z.object({
  /** Origin of the space. */
  url: z.string(),
  krokerId: z.uuid(),
  token: z.string().regex(/^ykr_[\w-]{16,128}$/),
  privateKey: publicKey().extend({ d: z.string().regex(/^[A-Za-z0-9_-]{43}$/) }),
});
export type KrokerFile = z.output<typeof krokerFile>;

/** What a user compares and enters to approve the machine. */
export interface SetupCode {
  url: string;
  code: string;
  thumbprint: string;
}

export interface MachineSetup {
  transport: Transport;
  /** Name of the machine, to recognize it. */
  hostName: string;
  signal: AbortSignal;
  now(): number;
  /** Rejects when the signal aborts. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<unknown>;
  show(code: SetupCode): void;
}

/** Polls until a user has approved the machine. Null if nobody did in time; a denial is a `Problem`. */
export async function setUpMachine({
  transport,
  hostName,
  signal,
  now,
  sleep,
  show,
}: MachineSetup): Promise<{ file: KrokerFile; displayName: string; spaceName: string } | null> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits']);
  const { kty, crv, x, y, d } = await crypto.subtle.exportKey('jwk', pair.privateKey);
  const privateKey = krokerFile.shape.privateKey.parse({ kty, crv, x, y, d });
  const { d: _, ...ownPublicKey } = privateKey;
  const { data: setup } = await send<SetupStarted>(transport, {
    method: 'POST',
    path: setupPaths.begin,
    body: { publicKey: ownPublicKey, hostName },
    signal,
  });
  const { userCode, deviceCode, verificationUri, expiresAt, interval } = setup;
  show({
    url: `${verificationUri}?code=${userCode}`,
    code: userCode,
    thumbprint: await keyThumbprint(ownPublicKey),
  });
  for (;;) {
    await sleep(interval * 1000, signal);
    const { data } = await send<CollectReply>(transport, {
      method: 'POST',
      path: setupPaths.collect,
      body: { deviceCode },
      signal,
    });
    if (data.status === 'approved') {
      const { krokerId, token, displayName, spaceName } = data;
      return { file: { url: transport.origin, krokerId, token, privateKey }, displayName, spaceName };
    }
    if (now() > Date.parse(expiresAt)) return null;
  }
}
