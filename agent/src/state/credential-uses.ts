// What each credential file opened last, for `doctor`; names of files and addresses only.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScanRefusal } from '@yagura/core/ksocket/agent-protocol';
import { type Log, reasonOf } from '../log.ts';
import { replaceFile } from '../replace-file.ts';

export interface CredentialUse {
  /** Hosts since the file was first used, a host of several scans several times. */
  opened: number;
  lastOpened?: { address: string; at: string };
  refused: number;
  lastRefused?: { address: string; at: string; code: string };
}

/** By name of the file, such as `snmp/switches.toml`. */
export type CredentialUses = Readonly<Record<string, CredentialUse>>;

const saveDelayMs = 1000;
const pathIn = (stateFolder: string) => join(stateFolder, 'credential-uses.json');

/** Empty if nothing was used yet, or the file is damaged. */
export async function readCredentialUses(stateFolder: string): Promise<CredentialUses> {
  try {
    const value: unknown = JSON.parse(await readFile(pathIn(stateFolder), 'utf8'));
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(Object.entries(value).filter(([, use]) => isUse(use)));
  } catch {
    return {};
  }
}

function isUse(value: unknown): value is CredentialUse {
  const { opened, refused } = (value ?? {}) as Partial<CredentialUse>;
  return Number.isInteger(opened) && Number.isInteger(refused);
}

/** Codes of credentials that were not tried. */
const untriedCodes: ReadonlySet<string> = new Set(['CREDENTIAL_LIMIT_REACHED', 'CREDENTIAL_SET_ASIDE']);

/** Collects uses and writes them at most once per second. */
export class CredentialUseLog {
  private readonly deps: { stateFolder: string; now(): number; log: Log };
  private readonly uses = new Map<string, CredentialUse>();
  private readonly loaded: Promise<void>;
  private timer: NodeJS.Timeout | undefined;
  private saving: Promise<void> = Promise.resolve();

  constructor(deps: { stateFolder: string; now(): number; log: Log }) {
    this.deps = deps;
    this.loaded = readCredentialUses(deps.stateFolder).then((uses) => {
      for (const [file, { opened, refused, ...last }] of Object.entries(uses)) {
        const now = this.uses.get(file) ?? { opened: 0, refused: 0 };
        this.uses.set(file, { ...last, ...now, opened: opened + now.opened, refused: refused + now.refused });
      }
    });
  }

  /** The credential that opened a host, if one did, and those that were refused. */
  note(address: string, opened: string | undefined, refusals: readonly ScanRefusal[]): void {
    const refused = refusals.filter(({ code }) => !untriedCodes.has(code));
    if (opened === undefined && refused.length === 0) return;
    const at = new Date(this.deps.now()).toISOString();
    const change = (file: string, next: (use: CredentialUse) => CredentialUse) =>
      this.uses.set(file, next(this.uses.get(file) ?? { opened: 0, refused: 0 }));
    for (const { credential, code } of refused)
      if (credential !== undefined)
        change(credential, (use) => ({
          ...use,
          refused: use.refused + 1,
          lastRefused: { address, at, code },
        }));
    if (opened !== undefined)
      change(opened, (use) => ({ ...use, opened: use.opened + 1, lastOpened: { address, at } }));
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.save();
    }, saveDelayMs);
  }

  async close(): Promise<void> {
    const isChanged = this.timer !== undefined;
    clearTimeout(this.timer);
    this.timer = undefined;
    if (isChanged) this.save();
    await this.saving;
  }

  private save(): void {
    const { stateFolder, log } = this.deps;
    this.saving = this.saving
      .then(() => this.loaded)
      .then(() => replaceFile(pathIn(stateFolder), JSON.stringify(Object.fromEntries(this.uses))))
      .catch((error) =>
        log({ level: 'warn', message: 'uses of credentials cannot be saved', reason: reasonOf(error) }),
      );
  }
}
