// Divides the results of a block into chunks that the server accepts.
import { agentLimits, type ScannedHostInput, type ScanRefusal } from '@yagura/core/ksocket/agent-protocol';
import type { Chunk } from './scan-spool.ts';

export interface HostResult {
  host: ScannedHostInput;
  /** Sign-ins to the host that failed. */
  refusals: ScanRefusal[];
}

export function makeChunks(results: readonly HostResult[], maxBytes: number = agentLimits.chunk): Chunk[] {
  const chunks: Chunk[] = [];
  let bytes = 0;
  for (const { host, refusals } of results) {
    const size = Buffer.byteLength(JSON.stringify([host, refusals]));
    const last = chunks.at(-1);
    if (
      last &&
      bytes + size <= maxBytes &&
      last.hosts.length < agentLimits.hostsPerMessage &&
      last.refusals.length + refusals.length <= agentLimits.refusalsPerMessage
    ) {
      last.hosts.push(host);
      last.refusals.push(...refusals);
      bytes += size;
    } else {
      chunks.push({ hosts: [host], refusals: [...refusals] });
      bytes = size;
    }
  }
  return chunks;
}

/** A chunk as version 1 of the protocol takes it: without refusals, and each neighbor has a hardware address. */
export function toVersion1(chunk: Chunk): Pick<Chunk, 'hosts'> {
  return {
    hosts: chunk.hosts.map((host) => ({
      ...host,
      ...(host.neighbors ? { neighbors: host.neighbors.filter(({ macaddr }) => macaddr !== undefined) } : {}),
    })),
  };
}
