// Settings of the agent: one TOML file.
import { dirname, isAbsolute, resolve } from 'node:path';
import type { Translate } from '@yagura/core/i18n/translator';
import { isIpv4OrCidr } from '@yagura/core/validation/ipv4';
import { z } from 'zod';
import { AgentError } from '../agent-error.ts';
import { readPrivateFile } from './private-file.ts';
import { readTomlFile } from './read-toml.ts';

export const defaultSettingsFile = '/etc/yagura-agent/agent.toml';
export const defaultStateFolder = '/var/lib/yagura-agent';

/** Ports that tell most kinds of hosts: SSH, Telnet, web, Windows, printers, remote desktop, WinRM. */
export const defaultPorts = [22, 23, 80, 135, 443, 445, 3389, 5985, 9100];
export const defaultPacketsPerSecond = 500;
export const defaultParallelHosts = 32;
export const maxParallelHosts = 64;

const networks = () =>
  z
    .array(z.string().refine(isIpv4OrCidr, { params: { word: 'rule.ipv4OrCidr' } }))
    .max(1000)
    .default([]);
const ports = (byDefault: number[]) => z.array(z.int().min(1).max(65_535)).max(100).default(byDefault);
const path = () => z.string().min(1).max(4096);

export const settingsSchema = z.strictObject({
  url: z.string().refine(isOrigin, { params: { word: 'agent.rule.origin' } }),
  tokenFile: path(),
  /** Folder with the files of credentials; without it nothing is signed in to. */
  credentials: path().optional(),
  stateFolder: path().default(defaultStateFolder),
  /** Without this table, and with an empty `allowed`, nothing is scanned. */
  scan: z
    .strictObject({
      allowed: networks(),
      forbidden: networks(),
      ports: ports(defaultPorts).refine((list) => list.length > 0, { params: { word: 'rule.required' } }),
      packetsPerSecond: z.int().min(1).max(100_000).default(defaultPacketsPerSecond),
      parallelHosts: z.int().min(1).max(maxParallelHosts).default(defaultParallelHosts),
      /** Ask the system's name servers for the names of found addresses. */
      resolveNames: z.boolean().default(true),
      /** Read the machine of the agent without a sign-in when one of its addresses is scanned. */
      readOwnMachine: z.boolean().default(false),
    })
    .prefault({}),
  /** Webhooks on premises; with an empty `allowed`, none is sent. */
  requests: z.strictObject({ allowed: networks(), forbidden: networks(), ports: ports([]) }).prefault({}),
});
export type Settings = z.output<typeof settingsSchema>;

/** Reads the file; relative paths in it are relative to its folder. */
export async function readSettings(file: string, t: Translate): Promise<Settings> {
  const settings = await readTomlFile(file, settingsSchema, t);
  const absolute = (name: string) => (isAbsolute(name) ? name : resolve(dirname(file), name));
  return {
    ...settings,
    tokenFile: absolute(settings.tokenFile),
    stateFolder: absolute(settings.stateFolder),
    ...(settings.credentials !== undefined ? { credentials: absolute(settings.credentials) } : {}),
  };
}

/** Form of a Ksocket token. */
export const tokenPattern = /^kst_[\w-]{43}$/;

export async function readToken(settings: Pick<Settings, 'tokenFile'>): Promise<string> {
  const token = (await readPrivateFile(settings.tokenFile)).trim();
  if (!tokenPattern.test(token)) throw new AgentError('agent.token-format', { file: settings.tokenFile });
  return token;
}

/** An http or https URL without user, path, query and fragment. */
export function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, pathname, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === '' && pathname === '/';
}
