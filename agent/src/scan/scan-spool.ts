// Unfinished scans in the state folder: what was ordered, how far it is, and results that the server has not stored.
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScanFailureCode, ScanFailureParams } from '@yagura/core/inventory/scan-failure';
import {
  type ScannedHostInput,
  type ScanOrderSettings,
  type ScanRefusal,
  serverMessage,
} from '@yagura/core/ksocket/agent-protocol';
import { z } from 'zod';
import { createFolder } from '../create-folder.ts';
import { replaceFile } from '../replace-file.ts';
import type { Ipv4Range } from '../site/ipv4-ranges.ts';
import type { KnownRouter } from './known-router.ts';

/** One `hosts` message. */
export interface Chunk {
  hosts: ScannedHostInput[];
  refusals: ScanRefusal[];
}

export interface ScanFailure {
  type: 'failed';
  /** In English, for servers that do not know the code. */
  reason: string;
  code?: ScanFailureCode;
  params?: ScanFailureParams;
}
export type ScanEnd = { type: 'done' } | ScanFailure | { type: 'aborted' };

export interface ScanState {
  snapshotId: string;
  settings: ScanOrderSettings;
  /** Addresses of the scan; a scan that continues does not change them. */
  targets: Ipv4Range[];
  /** The first block that is not finished. */
  nextBlock: number;
  /** Chunks of all finished blocks. */
  chunks: number;
  found: number;
  paused: boolean;
  /** Addresses that an already reported host owns, with its id of the machine. */
  owned: Record<string, string>;
  /** Hosts running on which each credential failed. */
  failures: Record<string, number>;
  /** Routers that were read; absent in scans of earlier versions. */
  routers?: KnownRouter[];
  end?: ScanEnd;
}

export interface SpooledScan {
  state: ScanState;
  /** Numbers of the chunks that the server has not stored, in order. */
  pending: number[];
}

const stateFile = 'state.json';
const chunkPattern = /^chunk-(\d+)\.json$/;
const folderPattern = /^[\da-f-]{36}$/;

const scanOrder = serverMessage.options.find(
  (option): option is Extract<typeof option, { shape: { settings: unknown; snapshotId: unknown } }> =>
    option.shape.type.value === 'scan',
)!;
const count = () => z.int().min(0);
/** What a scan needs to continue. */
const stateShape = z.object({
  snapshotId: z.string(),
  settings: scanOrder.shape.settings,
  targets: z.array(z.object({ first: count(), last: count() })),
  nextBlock: count(),
  chunks: count(),
  found: count(),
  paused: z.boolean(),
  owned: z.record(z.string(), z.string()),
  failures: z.record(z.string(), count()),
  routers: z.array(z.object({ address: z.string() })).optional(),
  end: z.object({ type: z.enum(['done', 'failed', 'aborted']) }).optional(),
});

export class ScanSpool {
  private readonly root: string;

  constructor(stateFolder: string) {
    this.root = join(stateFolder, 'scans');
  }

  /**
   * Scans of an earlier run. Results of a block that was not finished are dropped; damaged scans are deleted, which ends
   * them at the server with the next connection.
   */
  async load(onDamaged: (name: string) => void = () => {}): Promise<SpooledScan[]> {
    createFolder(this.root);
    const scans: SpooledScan[] = [];
    for (const name of await readdir(this.root)) {
      const folder = join(this.root, name);
      const state = folderPattern.test(name) ? await readState(join(folder, stateFile)) : undefined;
      if (state?.snapshotId !== name) {
        onDamaged(name);
        await rm(folder, { recursive: true, force: true });
        continue;
      }
      const pending: number[] = [];
      for (const file of await readdir(folder)) {
        const number = chunkPattern.exec(file)?.[1];
        if (number !== undefined && Number(number) < state.chunks) pending.push(Number(number));
        else if (file !== stateFile) await rm(join(folder, file), { force: true });
      }
      scans.push({ state, pending: pending.sort((a, b) => a - b) });
    }
    return scans;
  }

  async create(state: ScanState): Promise<void> {
    createFolder(join(this.root, state.snapshotId));
    await this.save(state);
  }

  /** Stores chunks, then the state that counts them: either both survive a crash or neither does. */
  async commit(state: ScanState, firstChunk: number, chunks: readonly Chunk[]): Promise<void> {
    for (const [index, chunk] of chunks.entries())
      await replaceFile(this.chunkPath(state.snapshotId, firstChunk + index), JSON.stringify(chunk));
    await this.save(state);
  }

  async save(state: ScanState): Promise<void> {
    await replaceFile(join(this.root, state.snapshotId, stateFile), JSON.stringify(state));
  }

  async readChunk(snapshotId: string, chunk: number): Promise<Chunk> {
    return JSON.parse(await readFile(this.chunkPath(snapshotId, chunk), 'utf8')) as Chunk;
  }

  async deleteChunk(snapshotId: string, chunk: number): Promise<void> {
    await rm(this.chunkPath(snapshotId, chunk), { force: true });
  }

  async delete(snapshotId: string): Promise<void> {
    await rm(join(this.root, snapshotId), { recursive: true, force: true });
  }

  private chunkPath(snapshotId: string, chunk: number): string {
    return join(this.root, snapshotId, `chunk-${chunk}.json`);
  }
}

/** Undefined if the state is missing or damaged. One that cannot be read now is an error: it may be read later. */
async function readState(path: string): Promise<ScanState | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(String((error as NodeJS.ErrnoException).code)))
      return undefined;
    throw error;
  }
  try {
    const value: unknown = JSON.parse(text);
    // Keys of later versions stay.
    return stateShape.safeParse(value).success ? (value as ScanState) : undefined;
  } catch {
    return undefined;
  }
}
