// Sends spooled log parts to the server, one chunk at a time, and deletes what it has stored.
import { streamLimits } from '@yagura/core/greac/stream/frame';
import type { GatewayMessage, GatewayOrder } from '@yagura/core/greac/stream/gateway-protocol';
import type { Channel, ChannelHandlers } from '../../link/channel.ts';
import type { LogSpool, PartMeta, SpooledPart } from './log-spool.ts';

export interface UploadLink {
  readonly isReady: boolean;
  send(message: GatewayMessage): boolean;
  openOwnChannel(handlers: ChannelHandlers): Channel | undefined;
}

export interface UploadLimits {
  /** Milliseconds until the server has stored a chunk. */
  storedMs: number;
  /** Milliseconds before a part that was not taken is sent again. */
  retryMs: number;
}

const defaultLimits: UploadLimits = { storedMs: 30_000, retryMs: 60_000 };

export class LogUploader {
  private readonly spool: LogSpool;
  private readonly link: UploadLink;
  private readonly limits: UploadLimits;
  private readonly parts = new Set<SpooledPart>();
  private readonly waiting = new Map<string, () => void>();
  private readonly postponed = new Set<SpooledPart>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly stops = new Set<() => void>();
  private working: Promise<void> | undefined;
  private isClosed = false;

  constructor(spool: LogSpool, link: UploadLink, limits: Partial<UploadLimits> = {}) {
    this.spool = spool;
    this.link = link;
    this.limits = { ...defaultLimits, ...limits };
  }

  /** A part is new, has new chunks or its end. */
  add(part: SpooledPart): void {
    this.parts.add(part);
    this.resume();
  }

  /** The connection is ready, or there is something to send. */
  resume(): void {
    if (this.working || this.isClosed) return;
    this.working = this.work().finally(() => {
      this.working = undefined;
      if (this.link.isReady && this.nextPart()) this.resume();
    });
  }

  onReady(): void {
    this.postponed.clear();
    this.resume();
  }

  onStored({ sessionId, kind, part, chunk }: Extract<GatewayOrder, { type: 'stored' }>): void {
    this.waiting.get(keyOf({ sessionId, kind, part }, chunk))?.();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (const timer of this.timers) clearTimeout(timer);
    for (const part of this.parts) this.postponed.add(part);
    for (const stop of [...this.stops]) stop();
    await this.working;
  }

  private nextPart(): SpooledPart | undefined {
    for (const part of this.parts)
      if (!this.postponed.has(part) && (part.chunks.length > 0 || part.isClosed)) return part;
    return undefined;
  }

  private async work(): Promise<void> {
    while (this.link.isReady && !this.isClosed) {
      const part = this.nextPart();
      if (!part) return;
      try {
        if (await this.advance(part)) continue;
      } catch {
        // A chunk that cannot be read now may be readable later.
      }
      this.postpone(part);
    }
  }

  /** Sends one chunk or the end. False if the server did not take it. */
  private async advance(part: SpooledPart): Promise<boolean> {
    const { meta, sealed } = part;
    const [chunk] = part.chunks;
    if (chunk !== undefined) {
      if (!(await this.sendChunk(meta, chunk))) return false;
      part.chunks.shift();
      await this.spool.deleteChunk(meta, chunk);
      return true;
    }
    // Without an end, the part stays as it is: cut.
    if (sealed && !(await this.sendSeal(meta, sealed))) return false;
    this.parts.delete(part);
    await this.spool.deletePart(meta);
    return true;
  }

  private async sendChunk(meta: PartMeta, chunk: number): Promise<boolean> {
    const bytes = await this.spool.readChunk(meta, chunk);
    return this.untilStored(meta, chunk, (stop) => {
      let sent = 0;
      const push = () => {
        while (sent < bytes.length) {
          const room = Math.min(streamLimits.payload, channel?.room ?? 0, bytes.length - sent);
          if (room === 0 || !channel!.send(bytes.subarray(sent, sent + room))) return;
          sent += room;
        }
        channel?.end();
      };
      // The channel's own end is no failure.
      const closed = () => {
        if (sent < bytes.length) stop();
      };
      const channel = this.link.openOwnChannel({ ready: push, closed });
      if (!channel) return false;
      const { sessionId, keyId, kind, part } = meta;
      const isSent = this.link.send({
        ...{ type: 'log', sessionId, keyId, kind, part, chunk },
        channel: channel.number,
      });
      if (isSent) push();
      return isSent;
    });
  }

  private sendSeal(meta: PartMeta, sealed: NonNullable<SpooledPart['sealed']>): Promise<boolean> {
    return this.untilStored(meta, null, () => this.link.send(sealed));
  }

  private untilStored(
    meta: PartMeta,
    chunk: number | null,
    begin: (stop: () => void) => boolean,
  ): Promise<boolean> {
    const key = keyOf(meta, chunk);
    return new Promise((resolve) => {
      const end = (isStored: boolean) => {
        clearTimeout(timer);
        this.waiting.delete(key);
        this.stops.delete(stop);
        resolve(isStored);
      };
      const stop = () => end(false);
      const timer = setTimeout(stop, this.limits.storedMs);
      this.stops.add(stop);
      this.waiting.set(key, () => end(true));
      if (!begin(stop)) stop();
    });
  }

  private postpone(part: SpooledPart): void {
    this.postponed.add(part);
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.postponed.delete(part);
      this.resume();
    }, this.limits.retryMs);
    this.timers.add(timer);
  }

  /** The connection is lost: what was sent is sent again after the next. */
  onClosed(): void {
    for (const stop of [...this.stops]) stop();
  }
}

function keyOf(
  { sessionId, kind, part }: Pick<PartMeta, 'sessionId' | 'kind' | 'part'>,
  chunk: number | null,
) {
  return `${sessionId} ${kind} ${part} ${chunk}`;
}
