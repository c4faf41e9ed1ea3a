// Default limits on open connections, derived from the files that the process may open.
import { readFileSync } from 'node:fs';

export interface ConnectionLimits {
  /** Maximum open connections of all clients. */
  connections: number;
  /** Maximum open connections of one IPv4 address or IPv6 /64 network; trusted proxies are exempt. */
  connectionsPerAddress: number;
}

/** Descriptors kept for the database, the journal, log files and outgoing connections. */
const reservedDescriptors = 256;
/** A proxied connection needs its own socket and both ends of the one to the application. */
const descriptorsPerConnection = 3;
const minConnections = 16;
const maxDefaultConnections = 10_000;
/** Assumed where the limit cannot be read. */
const fallbackMaxOpenFiles = 8192;

export function defaultConnectionLimits(maxOpenFiles: number): ConnectionLimits {
  const available = Math.floor((maxOpenFiles - reservedDescriptors) / descriptorsPerConnection);
  const connections = Math.min(Math.max(available, minConnections), maxDefaultConnections);
  return { connections, connectionsPerAddress: Math.min(Math.ceil(connections / 4), 1000) };
}

/** The soft limit of this process, from Linux's proc(5). */
export function readMaxOpenFiles(path = '/proc/self/limits'): number {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync(path, 'utf8')) ?? [];
    return soft === undefined ? fallbackMaxOpenFiles : Number(soft);
  } catch {
    return fallbackMaxOpenFiles;
  }
}
