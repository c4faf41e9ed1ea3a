// The addresses of a call's audio: the configured ones, or the local address from which a trunk is reached.
import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import type { SipSettings } from './sip-settings.ts';

export interface MediaAddresses {
  bindAddress: string;
  publicAddress: string;
}

export async function findMediaAddresses({
  local,
  publicAddress,
  trunks,
}: SipSettings): Promise<MediaAddresses> {
  const isWildcard = local.address === '0.0.0.0' || local.address === '::';
  if (publicAddress || !isWildcard)
    return { bindAddress: local.address, publicAddress: publicAddress ?? local.address };
  const family = local.address === '::' ? 6 : 4;
  const { address } = await lookup(trunks[0]!.host, { family });
  return { bindAddress: local.address, publicAddress: await localAddressTowards(address, family) };
}

/** The address that the system uses towards another one; sends nothing. */
function localAddressTowards(address: string, family: 4 | 6): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
    socket.once('error', (error) => {
      socket.close();
      reject(error);
    });
    socket.connect(9, address, () => {
      const local = socket.address().address;
      socket.close();
      resolve(local);
    });
  });
}
