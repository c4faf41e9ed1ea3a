// Reads listening ports from `ss`, `netstat`, `sockstat` and `lsof`.
import { inventoryLimits } from '@yagura/core/inventory/host-inventory';
import type { ScannedHostInput } from '@yagura/core/ksocket/agent-protocol';
import { cleanValue } from './text.ts';

export type ListeningPort = NonNullable<ScannedHostInput['listening']>[number];

/** `ss -H -l -n -t -u -p`: protocol, state, queues, local address, peer, processes. */
export function parseSs(text: string | undefined): ListeningPort[] {
  return distinct(
    linesOf(text).flatMap((line): ListeningPort[] => {
      const [protocol, , , , local, , ...rest] = line.split(/\s+/);
      const process = /users:\(\("([^"]*)"/.exec(rest.join(' '))?.[1];
      return portOf(protocol, local, process);
    }),
  );
}

/** `netstat -lntup` of Linux: protocol, queues, local address, foreign address, state (tcp), program. */
export function parseNetstat(text: string | undefined): ListeningPort[] {
  return distinct(
    linesOf(text).flatMap((line): ListeningPort[] => {
      const [protocol, , , local, , ...rest] = line.split(/\s+/);
      if (protocol?.startsWith('tcp') && rest[0] !== 'LISTEN') return [];
      return portOf(protocol, local, /\b\d+\/(.*)$/.exec(rest.join(' '))?.[1]);
    }),
  );
}

/** `netstat -an` of the BSDs and macOS: protocol, queues, local address, foreign address, state (tcp). */
export function parseBsdNetstat(text: string | undefined): ListeningPort[] {
  return distinct(
    linesOf(text).flatMap((line): ListeningPort[] => {
      const [protocol, , , local, foreign, state] = line.split(/\s+/);
      if (protocol?.startsWith('tcp') ? state !== 'LISTEN' : foreign !== '*.*') return [];
      return portOf(bsdProtocol(protocol), local?.replace(/\.(\d+)$/, ':$1'), undefined);
    }),
  );
}

/** `sockstat -l`: user, command, process, descriptor, protocol, local address, foreign address. */
export function parseSockstat(text: string | undefined): ListeningPort[] {
  return distinct(
    linesOf(text).flatMap((line): ListeningPort[] => {
      const match = /^\S+ +(\S.*?) +(?:\d+|\?) +(?:\d+|\?) +((?:tcp|udp)\d*) +(\S+)/.exec(line);
      return match ? portOf(bsdProtocol(match[2]), match[3], match[1]) : [];
    }),
  );
}

/** `lsof -F pcPn`: lines that begin with the letter of their field. */
export function parseLsof(text: string | undefined): ListeningPort[] {
  let command: string | undefined;
  let protocol: string | undefined;
  return distinct(
    linesOf(text).flatMap((line): ListeningPort[] => {
      const value = line.slice(1);
      if (line.startsWith('p')) command = undefined;
      else if (line.startsWith('c')) command = value;
      else if (line.startsWith('P')) protocol = value.toLowerCase();
      // A connected socket names both of its ends.
      else if (line.startsWith('n') && !value.includes('->')) return portOf(protocol, value, command);
      return [];
    }),
  );
}

/** The first list with the processes of the second: netstat shows all sockets, lsof only those of the user. */
export function withProcesses(
  ports: readonly ListeningPort[],
  named: readonly ListeningPort[],
): ListeningPort[] {
  const processes = new Map(named.map((one) => [`${one.protocol} ${one.port}`, one.process]));
  return ports.map((one) => {
    const process = one.process ?? processes.get(`${one.protocol} ${one.port}`);
    return process === undefined ? one : { ...one, process };
  });
}

/** `tcp46` is a socket for both versions of the protocol. */
function bsdProtocol(text: string | undefined): string | undefined {
  return /^(tcp|udp)/.exec(text ?? '')?.[1];
}

function portOf(
  protocol: string | undefined,
  local: string | undefined,
  process: string | undefined,
): ListeningPort[] {
  const kind = /^(tcp|udp)6?$/.exec(protocol ?? '')?.[1] as ListeningPort['protocol'] | undefined;
  const at = local?.lastIndexOf(':') ?? -1;
  const port = Number(local?.slice(at + 1));
  if (!kind || !local || at < 0 || !Number.isInteger(port) || port < 0 || port > 65_535) return [];
  // The interface follows a percent sign, and IPv6 addresses have brackets.
  const address = local
    .slice(0, at)
    .replace(/%.*$/, '')
    .replace(/^\[|\]$/g, '');
  const name = cleanValue(process);
  return [
    { protocol: kind, address: (address || '*').slice(0, 64), port, ...(name ? { process: name } : {}) },
  ];
}

/** Several sockets may share a port. */
export function distinct(ports: readonly ListeningPort[]): ListeningPort[] {
  const byKey = new Map<string, ListeningPort>();
  for (const one of ports) {
    const key = `${one.protocol} ${one.address} ${one.port}`;
    if (!byKey.has(key)) byKey.set(key, one);
  }
  return [...byKey.values()].slice(0, inventoryLimits.listening);
}

function linesOf(text: string | undefined): string[] {
  return (text ?? '').split('\n').map((line) => line.trim());
}
