// Reads listening ports from TCP-MIB and UDP-MIB.
import { distinct, type ListeningPort } from '../listening.ts';
import { countOf, emptyTable, IndexReader, ipv4Of, type SnmpTable } from './values.ts';

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

export const noListeningTables: ListeningTables = {
  tcpListeners: emptyTable,
  udpEndpoints: emptyTable,
  tcpConnections: emptyTable,
  udpListeners: emptyTable,
};

/** A port with the process that has it open, if the device tells. */
interface OpenPort extends ListeningPort {
  processId?: number;
}

/** `nameOf` tells the name of a process. */
export function readListening(
  ports: readonly OpenPort[],
  nameOf: (processId: number) => string | undefined,
): ListeningPort[] {
  return distinct(
    ports.map(({ processId, ...port }) => {
      const process = processId === undefined ? undefined : nameOf(processId);
      return { ...port, ...(process === undefined ? {} : { process }) };
    }),
  );
}

/** Processes that listen, each once. */
export function listeningProcesses(ports: readonly OpenPort[]): number[] {
  return [...new Set(ports.flatMap(({ processId }) => (processId === undefined ? [] : [processId])))];
}

export function openPorts(tables: ListeningTables): OpenPort[] {
  const found: OpenPort[] = [];
  const add = (protocol: 'tcp' | 'udp', address: string | undefined, port: number, processId?: number) => {
    if (address === undefined || !Number.isInteger(port) || port < 1 || port > 65_535) return;
    // The number 0 means that the device does not tell.
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
