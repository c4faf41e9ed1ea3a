// The kernel's table of IPv4 neighbors, and datagrams that make the kernel ask for one.
import { createSocket, type Socket } from 'node:dgram';
import { readFile } from 'node:fs/promises';

export interface Neighbor {
  macaddr: string;
  ifname: string;
}

const tablePath = '/proc/net/arp';
/** The discard service (RFC 863). */
const discardPort = 9;
/** The kernel knows the hardware address. */
const completeFlag = 0x2;

/** Neighbors whose hardware address is known, by IPv4 address; undefined where there is no such table. */
export async function readNeighbors(path = tablePath): Promise<Map<string, Neighbor> | undefined> {
  try {
    return parseNeighbors(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Entries in any state; addresses that do not answer have one for some time. */
export async function countNeighborEntries(path = tablePath): Promise<number> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return Math.max(0, text.trim().split('\n').length - 1);
}

/** Columns: address, hardware type, flags, hardware address, mask, device. */
export function parseNeighbors(text: string): Map<string, Neighbor> {
  const found = new Map<string, Neighbor>();
  for (const line of text.split('\n').slice(1)) {
    const [address, , flags, macaddr, , ifname] = line.trim().split(/\s+/);
    if (address === undefined || macaddr === undefined || ifname === undefined) continue;
    if ((Number(flags) & completeFlag) === 0 || !/^([\da-f]{2}:){5}[\da-f]{2}$/i.test(macaddr)) continue;
    if (macaddr !== '00:00:00:00:00:00') found.set(address, { macaddr: macaddr.toLowerCase(), ifname });
  }
  return found;
}

/** Sends empty datagrams, so that the kernel looks up the hardware address of their targets. */
export class NeighborRequests {
  private readonly socket: Socket = createSocket('udp4');

  constructor() {
    // Answers such as "port unreachable" are of no interest.
    this.socket.on('error', () => undefined);
  }

  /** Whether the kernel took the datagram; it does not while its table is full. */
  send(address: string): Promise<boolean> {
    return new Promise((resolve) => {
      this.socket.send(new Uint8Array(0), discardPort, address, (error) =>
        resolve((error as NodeJS.ErrnoException | null)?.code !== 'ENOBUFS'),
      );
    });
  }

  close(): void {
    this.socket.close();
  }
}
