// Reads listening ports from TCP-MIB and UDP-MIB.
import type { ListeningPort } from '../listening.ts';
import { countOf, IndexReader, ipv4Of, type SnmpTable } from './values.ts';

/** The protocol's limit on rows. */
const maxPorts = 2048;
/** Value of `tcpConnState`. */
const listenState = 2;

export interface ListeningTables {
  /** `tcpListenerTable`: 4 process; the index has the local address and port. */
  tcpListeners: SnmpTable;
  /** `udpEndpointTable`: 8 process; the index has the local and the remote address and port. */
  udpEndpoints: SnmpTable;
  /** `tcpConnTable`, IPv4 only: 1 state; the index has the local and the remote address and port. */
  tcpConnections: SnmpTable;
  /** `udpTable`, IPv4 only: 2 port; the index has the local address and port. */
  udpListeners: SnmpTable;
}

interface Found extends ListeningPort {
  processId?: number;
}

/** `nameOf` tells the name of a process. */
export function readListening(
  tables: ListeningTables,
  nameOf: (processId: number) => string | undefined = () => undefined,
): ListeningPort[] {
  const ports = new Map<string, ListeningPort>();
  for (const { processId, ...port } of foundIn(tables)) {
    const key = `${port.protocol} ${port.address} ${port.port}`;
    const process = processId === undefined ? undefined : nameOf(processId);
    if (!ports.has(key)) ports.set(key, { ...port, ...(process === undefined ? {} : { process }) });
  }
  return [...ports.values()].slice(0, maxPorts);
}

/** Processes that listen; 0 means that the device does not tell. */
export function listeningProcesses(tables: ListeningTables): number[] {
  return [...new Set(foundIn(tables).flatMap(({ processId }) => (processId ? [processId] : [])))];
}

function foundIn(tables: ListeningTables): Found[] {
  const found: Found[] = [];
  const add = (protocol: 'tcp' | 'udp', address: string | undefined, port: number, processId?: number) => {
    if (address === undefined || !Number.isInteger(port) || port < 1 || port > 65_535) return;
    found.push({ protocol, address, port, ...(processId ? { processId } : {}) });
  };
  for (const [index, row] of tables.tcpListeners) {
    const reader = new IndexReader(index);
    add('tcp', takeLocalAddress(reader), reader.next(), countOf(row[4]));
  }
  for (const [index, row] of tables.udpEndpoints) {
    const reader = new IndexReader(index);
    const address = takeLocalAddress(reader);
    const port = reader.next();
    takeLocalAddress(reader);
    // An endpoint with a remote port is a conversation.
    if (reader.next() === 0) add('udp', address, port, countOf(row[8]));
  }
  for (const [index, row] of tables.tcpConnections) {
    if (row[1] !== listenState) continue;
    const reader = new IndexReader(index);
    add('tcp', ipv4Of(reader.take(4)), reader.next());
  }
  for (const index of tables.udpListeners.keys()) {
    const reader = new IndexReader(index);
    add('udp', ipv4Of(reader.take(4)), reader.next());
  }
  return found;
}

/** An address of length 0 means every address of either version. */
function takeLocalAddress(reader: IndexReader): string | undefined {
  const start = reader.peek(2);
  if (start[1] !== 0) return reader.takeInetAddress();
  reader.take(2);
  return '*';
}
