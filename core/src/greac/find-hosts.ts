// Finds the hosts that a text or a JSON value names: addresses and host names.
import { isIp } from '../validation/ip.ts';
import { isHost } from './host.ts';

const limits = {
  /** UTF-16 units that are searched. */
  length: 256 * 1024,
  words: 10_000,
  depth: 32,
  hosts: 50,
  /** UTF-16 units of all hosts together. */
  hostsLength: 2000,
} as const;

const token = /[a-z0-9_:](?:[a-z0-9_.:-]*[a-z0-9_:])?/gi;

/**
 * Returns what can be a host, in lower case and without ports: addresses first, then names with dots, then names with
 * digits or hyphens, then other words. At most 50.
 */
export function findHosts(value: unknown): string[] {
  const found = new Map<string, number>();
  let left: number = limits.length;
  let wordsLeft: number = limits.words;
  const search = (one: unknown, depth: number): void => {
    if (left <= 0 || wordsLeft <= 0 || depth > limits.depth) return;
    if (typeof one === 'string') {
      for (const [word] of one.slice(0, left).matchAll(token)) {
        if (wordsLeft-- <= 0) return;
        const host = hostIn(word.toLowerCase());
        if (host !== null && !found.has(host)) found.set(host, rankOf(host));
      }
      left -= one.length;
    } else if (one !== null && typeof one === 'object')
      for (const item of Object.values(one)) search(item, depth + 1);
  };
  search(value, 0);
  const hosts: string[] = [];
  let length = 0;
  for (const [host] of [...found].sort(([, a], [, b]) => a - b)) {
    length += host.length;
    if (hosts.length === limits.hosts || length > limits.hostsLength) break;
    hosts.push(host);
  }
  return hosts;
}

/** The host of a word that may end with a port. */
function hostIn(word: string): string | null {
  if (isIp(word)) return word;
  const [name = ''] = word.split(':', 1);
  return name.length > 1 && isHost(name) && (isIp(name) || /[a-z]/.test(name)) ? name : null;
}

function rankOf(host: string): number {
  if (isIp(host)) return 0;
  if (host.includes('.')) return 1;
  return /[\d-]/.test(host) ? 2 : 3;
}
