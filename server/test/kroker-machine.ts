// A machine that becomes a Kroker: it makes its key pair and goes through the real hand-shake.
import { send, type Transport } from '@yagura/core/http/transport';
import { type Collected, type SetupBegun, setupPaths } from '@yagura/core/kroker/kroker-setup';
import type { PublicKey } from '@yagura/core/kroker/public-key';
import { exportJWK, generateKeyPair } from 'jose';

export interface Machine {
  krokerId: string;
  token: string;
  publicKey: PublicKey;
  privateKey: CryptoKey;
}

/** Sets up a new Kroker; `person` may approve it and has signed in. */
export async function setUpKroker(
  origin: string,
  person: Transport,
  approval: { displayName?: string; krokerId?: string },
): Promise<Machine> {
  const pair = await generateKeyPair('ECDH-ES', { crv: 'P-256', extractable: true });
  const { kty, crv, x, y } = await exportJWK(pair.publicKey);
  const publicKey = { kty, crv, x, y } as PublicKey;
  const machine: Transport = { fetch, origin };
  const begun = await send<SetupBegun>(machine, {
    method: 'POST',
    path: setupPaths.begin,
    body: { publicKey, hostName: 'gateway-01' },
  });
  await send(person, {
    method: 'POST',
    path: `/api/internal/apps/kroker/setups/${begun.data.userCode}/approve`,
    body: approval,
  });
  const { data } = await send<Collected>(machine, {
    method: 'POST',
    path: setupPaths.collect,
    body: { deviceCode: begun.data.deviceCode },
  });
  if (data.status !== 'approved') throw new Error('the approved machine still waits');
  return { krokerId: data.krokerId, token: data.token, publicKey, privateKey: pair.privateKey };
}
