// Settings of the agent: one TOML file.
import { dirname, isAbsolute, resolve } from 'node:path';
import { isAgeRecipient } from '@yagura/core/greac/age-recipient';
import type { Translate } from '@yagura/core/i18n/translator';
import { type KrokerFile, krokerFile } from '@yagura/core/kroker/machine-setup';
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

/** SSH, Telnet and RDP. */
export const defaultSessionPorts = [22, 23, 3389];
export const defaultMaxSessions = 50;

const networks = () =>
  z
    .array(z.string().refine(isIpv4OrCidr, { params: { word: 'rule.ipv4OrCidr' } }))
    .max(1000)
    .default([]);
const ports = (byDefault: number[]) => z.array(z.int().min(1).max(65_535)).max(100).default(byDefault);
const path = () => z.string().min(1).max(4096);

export const settingsSchema = z
  .strictObject({
    url: z
      .string()
      .refine(isOrigin, { params: { word: 'agent.rule.origin' }, abort: true })
      // Paths are added to it: without a slash at the end.
      .transform((text) => new URL(text).origin),
    /** Token of the Ksocket; without it, the agent neither scans nor sends requests. */
    tokenFile: path().optional(),
    /** Key and token of the Kroker; without it, the agent opens no remote sessions. */
    gateway: z.strictObject({ keyFile: path() }).optional(),
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
        /** Whether the key of a host must be the one of the first sign-in. */
        hostKeys: z.enum(['pinned', 'any']).default('pinned'),
        /** Use `arp-scan` and `nmap` where they are installed. */
        discover: z.enum(['auto', 'off']).default('auto'),
        /** Ask the system's name servers for the names of found addresses. */
        resolveNames: z.boolean().default(true),
        /** Read the machine of the agent without a sign-in when one of its addresses is scanned. */
        readOwnMachine: z.boolean().default(false),
      })
      .prefault({}),
    ssh: z
      .strictObject({
        /** Hosts that are also offered outdated algorithms, by scans and sessions. */
        legacyHosts: networks(),
      })
      .prefault({}),
    /** Webhooks on premises; with an empty `allowed`, none is sent. */
    requests: z.strictObject({ allowed: networks(), forbidden: networks(), ports: ports([]) }).prefault({}),
    /** Remote sessions; with an empty `allowed`, none is opened. */
    sessions: z
      .strictObject({
        allowed: networks(),
        forbidden: networks(),
        ports: ports(defaultSessionPorts),
        maxSessions: z.int().min(1).max(1000).default(defaultMaxSessions),
        /** Log keys to which sessions are recorded; with an empty list, those of the server. */
        logKeys: z
          .array(z.string().refine(isAgeRecipient, { params: { word: 'greac.age-recipient' } }))
          .max(10)
          .default([]),
      })
      .prefault({}),
  })
  .refine(({ tokenFile, gateway }) => tokenFile !== undefined || gateway !== undefined, {
    path: ['tokenFile'],
    params: { word: 'rule.required' },
  });
export type Settings = z.output<typeof settingsSchema>;

/** Reads the file; relative paths in it are relative to its folder. */
export async function readSettings(file: string, t: Translate): Promise<Settings> {
  const settings = await readTomlFile(file, settingsSchema, t);
  const absolute = (name: string) => (isAbsolute(name) ? name : resolve(dirname(file), name));
  return {
    ...settings,
    ...(settings.tokenFile !== undefined ? { tokenFile: absolute(settings.tokenFile) } : {}),
    ...(settings.gateway ? { gateway: { keyFile: absolute(settings.gateway.keyFile) } } : {}),
    stateFolder: absolute(settings.stateFolder),
    ...(settings.credentials !== undefined ? { credentials: absolute(settings.credentials) } : {}),
  };
}

/** Form of a Ksocket token. */
export const tokenPattern = /^kst_[\w-]{43}$/;

export async function readToken({ tokenFile }: { tokenFile: string }): Promise<string> {
  const token = (await readPrivateFile(tokenFile)).trim();
  if (!tokenPattern.test(token)) throw new AgentError('agent.token-format', { file: tokenFile });
  return token;
}

/** Key and token of the Kroker, as this program or `yagura kroker setup` wrote them. */
export async function readKrokerFile(settings: Pick<Settings, 'url'>, file: string): Promise<KrokerFile> {
  const text = await readPrivateFile(file);
  let content: KrokerFile;
  try {
    content = krokerFile.parse(JSON.parse(text));
  } catch {
    throw new AgentError('agent.gateway.key-file', { file });
  }
  if (content.url !== settings.url)
    throw new AgentError('agent.gateway.other-space', { file, url: content.url });
  return content;
}

/** An http or https URL without user, path, query and fragment. */
export function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, pathname, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === '' && pathname === '/';
}
