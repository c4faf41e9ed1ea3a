// The kernel's table of IPv4 neighbors, and datagrams that make the kernel ask for one.
import { createSocket, type Socket } from 'node:dgram';
import { readFile } from 'node:fs/promises';
import { emptyMac } from '../read/interfaces.ts';

export interface Neighbor {
  macaddr: string;
  ifname: string;
}

const tablePath = '/proc/net/arp';
/** The discard service (RFC 863). */
const discardPort = 9;
/** The kernel knows the hardware address. */
const completeFlag = 0x2;

/** The kernel's table; where a system has none, both reads resolve with undefined. */
export interface NeighborTable {
  /** Neighbors whose hardware address is known, by IPv4 address. */
  readNeighbors(): Promise<Map<string, Neighbor> | undefined>;
  /**
   * Addresses with an entry in any state, which those that do not answer have for some seconds. Other network namespaces
   * share the size of the table, but their entries are not visible.
   */
  readEntries(): Promise<Set<string> | undefined>;
  openRequests(): NeighborRequests;
}

export interface NeighborRequests {
  /** Makes the kernel look up the hardware address. While its table is full, it drops the request without an error. */
  send(address: string): Promise<void>;
  close(): void;
}

export const kernelNeighborTable: NeighborTable = {
  readNeighbors: async () => parseNeighbors(await readTable()),
  readEntries: async () => parseEntries(await readTable()),
  openRequests: () => new DatagramRequests(),
};

const readTable = () => readFile(tablePath, 'utf8').catch(() => undefined);

/** Columns: address, hardware type, flags, hardware address, mask, device. */
function parseNeighbors(text: string | undefined): Map<string, Neighbor> | undefined {
  if (text === undefined) return undefined;
  const found = new Map<string, Neighbor>();
  for (const line of text.split('\n').slice(1)) {
    const [address, , flags, macaddr, , ifname] = line.trim().split(/\s+/);
    if (address === undefined || macaddr === undefined || ifname === undefined) continue;
    if ((Number(flags) & completeFlag) === 0 || !/^([\da-f]{2}:){5}[\da-f]{2}$/i.test(macaddr)) continue;
    if (macaddr !== emptyMac) found.set(address, { macaddr: macaddr.toLowerCase(), ifname });
  }
  return found;
}

function parseEntries(text: string | undefined): Set<string> | undefined {
  const lines = text?.trim().split('\n').slice(1);
  return lines && new Set(lines.map((line) => line.slice(0, line.indexOf(' '))));
}

/** Sends empty datagrams. */
class DatagramRequests implements NeighborRequests {
  private readonly socket: Socket = createSocket('udp4');

  constructor() {
    // Answers such as "port unreachable" are of no interest.
    this.socket.on('error', () => undefined);
  }

  send(address: string): Promise<void> {
    return new Promise((resolve) => {
      this.socket.send(new Uint8Array(0), discardPort, address, () => resolve());
    });
  }

  close(): void {
    this.socket.close();
  }
}
