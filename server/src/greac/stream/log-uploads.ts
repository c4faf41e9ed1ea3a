// Receives the recordings of a gateway: one chunk for each channel, confirmed once it is stored.
import {
  bytesToKeep,
  encodeReset,
  type Frame,
  firstGatewayChannel,
  streamLimits,
} from '@yagura/core/greac/stream/frame';
import {
  type GatewayReport,
  logEndBytes,
  type StreamCode,
  sealBytes,
  streamCodes,
} from '@yagura/core/greac/stream/gateway-protocol';
import { type Clock, isoTime } from '../../common/clock.ts';
import type { Log } from '../../common/log.ts';
import type { ChangePublisher } from '../../db/change-bus.ts';
import type { Database } from '../../db/database.ts';
import type { MessageWork } from '../../http/socket-gate.ts';
import { insertLogChunk, insertLogEnd, insertLogSeal, isSigned } from '../session-log-store.ts';
import type { GatewayLink } from './gateway-link.ts';
import type { LogSpace } from './log-space.ts';
import { announceSession } from './session-reports.ts';

/** Bytes of memory for unfinished chunks per gateway. */
const maxBytes = 32 * 1024 * 1024;
/** Bytes that an upload, and each of its pieces, costs besides its content: many empty or tiny ones fill the memory too. */
const overheadBytes = 512;

interface Upload {
  about: GatewayReport<'log'>;
  pieces: Uint8Array[];
  bytes: number;
  memoryBytes: number;
}

export interface LogUploadDeps {
  database: Database;
  clock: Clock;
  log: Log;
  changes: ChangePublisher;
  /** Undefined where the disk of the database is not known. */
  logSpace: Pick<LogSpace, 'hasRoom'> | undefined;
  /** Called with the bytes of each chunk that was stored. */
  onLogStored(bytes: number): void;
}

export class LogUploads {
  private readonly deps: LogUploadDeps;
  private readonly link: GatewayLink;
  private readonly uploads = new Map<number, Upload>();
  /** Sessions that were found to be of this gateway. */
  private readonly verifiedSessions = new Set<string>();
  private memoryBytes = 0;

  constructor(deps: LogUploadDeps, link: GatewayLink) {
    this.deps = deps;
    this.link = link;
  }

  begin(about: GatewayReport<'log'>): void {
    const { channel } = about;
    if (channel < firstGatewayChannel || this.uploads.has(channel)) {
      this.link.refuse('channel');
      return;
    }
    const upload = { about, pieces: [], bytes: 0, memoryBytes: 0 };
    this.uploads.set(channel, upload);
    // The gateway keeps the chunk, and sends it again later.
    const hasRoom = this.deps.logSpace?.hasRoom() ?? true;
    if (!hasRoom) this.reset(channel, 'NO_SPACE');
    else if (!this.reserve(upload, overheadBytes)) this.reset(channel, 'CONNECTION_LIMIT_REACHED');
  }

  onFrame({ kind, channel, payload }: Frame): MessageWork {
    const upload = this.uploads.get(channel);
    if (!upload) return undefined;
    if (kind === 'data') {
      if (payload.length === 0) return void this.reset(channel, 'PROTOCOL');
      if (upload.bytes + payload.length > streamLimits.logChunk)
        return void this.reset(channel, 'CREDIT_EXCEEDED');
      if (!this.reserve(upload, payload.length + overheadBytes))
        return void this.reset(channel, 'CONNECTION_LIMIT_REACHED');
      upload.pieces.push(bytesToKeep(payload));
      upload.bytes += payload.length;
      return undefined;
    }
    if (kind === 'credit') return undefined;
    this.forget(channel);
    return kind === 'end' ? () => this.store(upload) : undefined;
  }

  storeSeal({ type: _type, ...seal }: GatewayReport<'sealed'>): () => Promise<void> {
    return async () => {
      const { database, clock } = this.deps;
      const { spaceId, signingKey } = this.link;
      const { sessionId, kind, part } = seal;
      if (!(await this.isOwn(sessionId)))
        return this.link.send({ type: 'log-refused', sessionId, kind, part });
      this.checkSignature(sealBytes(seal), seal);
      await insertLogSeal(database, spaceId, { ...seal, signingKey }, isoTime(clock.now()));
      this.link.send({ type: 'stored', sessionId, kind, part, chunk: null });
    };
  }

  storeEnd({ type: _type, ...end }: GatewayReport<'log-end'>): () => Promise<void> {
    return async () => {
      const { database, clock } = this.deps;
      const { spaceId, signingKey } = this.link;
      const { sessionId, kind } = end;
      if (!(await this.isOwn(sessionId)))
        return this.link.send({ type: 'log-refused', sessionId, kind, part: null });
      this.checkSignature(logEndBytes(end), end);
      await insertLogEnd(database, spaceId, { ...end, signingKey }, isoTime(clock.now()));
      // The session itself was closed before.
      announceSession(this.deps, spaceId, sessionId);
      this.link.send({ type: 'log-end-stored', sessionId, kind });
    };
  }

  /** What has an invalid signature is stored all the same: auditors are to see it. */
  private checkSignature(
    bytes: Uint8Array,
    { sessionId, kind, signature }: Pick<GatewayReport<'sealed'>, 'sessionId' | 'kind' | 'signature'>,
  ): void {
    const { krokerId, signingKey } = this.link;
    if (isSigned(bytes, signature, signingKey)) return;
    const message = 'the end of a session log has an invalid signature';
    this.deps.log({ level: 'warn', message, krokerId, sessionId, kind });
  }

  private async store({ about, pieces }: Upload): Promise<void> {
    const { database, clock } = this.deps;
    const { sessionId, kind, part, chunk, channel } = about;
    if (!(await this.isOwn(sessionId)))
      return this.link.sendFrame(channel, encodeReset(channel, streamCodes.SESSION_CLOSED));
    const body = Buffer.concat(pieces);
    if (await insertLogChunk(database, this.link.spaceId, about, body, isoTime(clock.now())))
      this.deps.onLogStored(body.length);
    this.link.send({ type: 'stored', sessionId, kind, part, chunk });
  }

  /** A gateway writes the logs of its own sessions only. */
  private async isOwn(sessionId: string): Promise<boolean> {
    if (this.verifiedSessions.has(sessionId)) return true;
    const { rows } = await this.deps.database.query(
      'select 1 from greac_session where space_id = $1 and kroker_id = $2 and session_id = $3',
      [this.link.spaceId, this.link.krokerId, sessionId],
    );
    if (rows.length > 0) this.verifiedSessions.add(sessionId);
    return rows.length > 0;
  }

  private reserve(upload: Upload, bytes: number): boolean {
    if (this.memoryBytes + bytes > maxBytes) return false;
    this.memoryBytes += bytes;
    upload.memoryBytes += bytes;
    return true;
  }

  private reset(channel: number, code: StreamCode): void {
    this.forget(channel);
    this.link.sendFrame(channel, encodeReset(channel, streamCodes[code]));
  }

  private forget(channel: number): void {
    this.memoryBytes -= this.uploads.get(channel)?.memoryBytes ?? 0;
    this.uploads.delete(channel);
  }
}
