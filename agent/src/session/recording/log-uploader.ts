// Sends spooled log parts to the server, one chunk at a time, and the ends of logs; deletes what it has stored. While
// viewers are shown much, chunks wait a little, so that the log of a flood does not slow the flood down.
import { streamLimits } from '@yagura/core/greac/stream/frame';
import type { GatewayMessage, GatewayOrder } from '@yagura/core/greac/stream/gateway-protocol';
import type { Channel, ChannelHandlers } from '../../link/channel.ts';
import type { Log } from '../../log.ts';
import type { LogEndMessage, LogSpool, PartMeta, Spooled, SpooledEnd, SpooledPart } from './log-spool.ts';

export interface UploadLink {
  readonly isReady: boolean;
  /** Bytes for viewers so far. */
  readonly interactiveBytes: number;
  send(message: GatewayMessage): boolean;
  openOwnChannel(handlers: ChannelHandlers): Channel | undefined;
}

type UploadSpool = Pick<LogSpool, 'readChunk' | 'deleteChunk' | 'deletePart' | 'deleteEnd'>;

export interface UploadLimits {
  /** Milliseconds until the server has stored a chunk. */
  storedMs: number;
  /** Milliseconds before what was not taken is sent again. */
  retryMs: number;
}

/** Age after which what the server does not take is deleted. */
const maxAgeMs = 30 * 24 * 60 * 60 * 1000;
const defaultLimits: UploadLimits = { storedMs: 30_000, retryMs: 60_000 };
/** Bytes for viewers since the last check that make the next chunk wait. */
const busyBytes = 256 * 1024;
const busyCheckMs = 100;
/** Checks after which a chunk is sent all the same. */
const maxBusyChecks = 10;
/** Chunks in the spool that end the waiting: 64 MiB. */
const maxHeldChunks = 256;

export class LogUploader {
  private readonly spool: UploadSpool;
  private readonly link: UploadLink;
  private readonly log: Log;
  private readonly limits: UploadLimits;
  private readonly spooled = new Set<Spooled>();
  /** What was not taken, with the timers that send it again. */
  private readonly postponed = new Map<Spooled, NodeJS.Timeout>();
  /** What the server has to store before anything else is sent. */
  private current: { key: string; end(isStored: boolean): void } | undefined;
  private working: Promise<void> | undefined;
  private isClosed = false;
  /** The server's time when the connection became ready, in milliseconds. */
  private serverTime = 0;
  /** `interactiveBytes` at the last check. */
  private checkedBytes = 0;
  /** Ends the waiting for a quieter time. */
  private stopWaiting = () => {};

  constructor(spool: UploadSpool, link: UploadLink, log: Log, limits: Partial<UploadLimits> = {}) {
    this.spool = spool;
    this.link = link;
    this.log = log;
    this.limits = { ...defaultLimits, ...limits };
  }

  /** A part is new, has new chunks or its end; or a log has its end. */
  add(spooled: Spooled): void {
    this.spooled.add(spooled);
    this.resume();
  }

  /** The connection is ready, or there is something to send. */
  resume(): void {
    if (this.working || this.isClosed) return;
    this.working = this.work().finally(() => {
      this.working = undefined;
      if (this.link.isReady && this.next()) this.resume();
    });
  }

  onReady(serverTime: number): void {
    this.serverTime = serverTime;
    this.clearPostponed();
    this.resume();
  }

  onStored({ sessionId, kind, part, chunk }: Extract<GatewayOrder, { type: 'stored' }>): void {
    if (this.current?.key === keyOf({ sessionId, kind, part }, chunk)) this.current.end(true);
  }

  onEndStored(order: Extract<GatewayOrder, { type: 'log-end-stored' }>): void {
    if (this.current?.key === endKeyOf(order)) this.current.end(true);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.clearPostponed();
    this.stopWaiting();
    this.current?.end(false);
    await this.working;
  }

  private next(): Spooled | undefined {
    for (const spooled of this.spooled)
      if (!this.postponed.has(spooled) && hasSomethingToSend(spooled)) return spooled;
    return undefined;
  }

  private async work(): Promise<void> {
    while (this.link.isReady && !this.isClosed) {
      if (this.next()) await this.untilQuiet();
      const spooled = this.next();
      if (!spooled || this.isClosed) return;
      try {
        if (await ('end' in spooled ? this.sendEnd(spooled) : this.advance(spooled))) continue;
      } catch {
        // A chunk that cannot be read now may be readable later.
      }
      if (this.isExpired(spooled)) await this.discard(spooled);
      else this.postpone(spooled);
    }
  }

  /**
   * Whether the server did not take it though it could, and it is old by the server's time: the clock of this machine may
   * have been wrong.
   */
  private isExpired(spooled: Spooled): boolean {
    if (!this.link.isReady || this.isClosed) return false;
    if (!('end' in spooled || spooled.isClosed)) return false;
    const from = 'end' in spooled ? spooled.end.endedAt : spooled.meta.startedAt;
    return this.serverTime - Date.parse(from) > maxAgeMs;
  }

  private async discard(spooled: Spooled): Promise<void> {
    const { sessionId, kind } = 'end' in spooled ? spooled.end : spooled.meta;
    this.spooled.delete(spooled);
    const deleted =
      'end' in spooled ? this.spool.deleteEnd(spooled.end) : this.spool.deletePart(spooled.meta);
    // What cannot be deleted is found again at the next start.
    await deleted.catch(() => undefined);
    this.log({
      level: 'warn',
      message: 'a session log that the server did not take for 30 days was deleted',
      ...{ sessionId, kind },
    });
  }

  private async untilQuiet(): Promise<void> {
    for (let checks = 0; checks < maxBusyChecks && this.isBusy() && !this.isClosed; checks++)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, busyCheckMs);
        this.stopWaiting = () => {
          clearTimeout(timer);
          resolve();
        };
      });
  }

  private isBusy(): boolean {
    const { interactiveBytes } = this.link;
    const bytes = interactiveBytes - this.checkedBytes;
    this.checkedBytes = interactiveBytes;
    let held = 0;
    for (const spooled of this.spooled) if ('chunks' in spooled) held += spooled.chunks.length;
    return bytes > busyBytes && held < maxHeldChunks;
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
    this.spooled.delete(part);
    await this.spool.deletePart(meta);
    return true;
  }

  private async sendEnd(spooled: SpooledEnd): Promise<boolean> {
    const { end } = spooled;
    if (!(await this.untilStored(endKeyOf(end), () => this.link.send(end)))) return false;
    this.spooled.delete(spooled);
    await this.spool.deleteEnd(end);
    return true;
  }

  private async sendChunk(meta: PartMeta, chunk: number): Promise<boolean> {
    const bytes = await this.spool.readChunk(meta, chunk);
    return this.untilStored(keyOf(meta, chunk), (stop) => {
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
    return this.untilStored(keyOf(meta, null), () => this.link.send(sealed));
  }

  private untilStored(key: string, begin: (stop: () => void) => boolean): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isStored: boolean) => {
        clearTimeout(timer);
        if (this.current === own) this.current = undefined;
        resolve(isStored);
      };
      const stop = () => end(false);
      const timer = setTimeout(stop, this.limits.storedMs);
      const own = { key, end };
      this.current = own;
      // It may have been closed while the chunk was read.
      if (this.isClosed || !begin(stop)) stop();
    });
  }

  private postpone(spooled: Spooled): void {
    if (this.isClosed) return;
    const timer = setTimeout(() => {
      this.postponed.delete(spooled);
      this.resume();
    }, this.limits.retryMs);
    this.postponed.set(spooled, timer);
  }

  private clearPostponed(): void {
    for (const timer of this.postponed.values()) clearTimeout(timer);
    this.postponed.clear();
  }

  /** The connection is lost: what was sent is sent again after the next. */
  onClosed(): void {
    this.current?.end(false);
  }
}

function hasSomethingToSend(spooled: Spooled): boolean {
  return 'end' in spooled || spooled.chunks.length > 0 || spooled.isClosed;
}

function endKeyOf({ sessionId, kind }: Pick<LogEndMessage, 'sessionId' | 'kind'>): string {
  return `${sessionId} ${kind} end`;
}

function keyOf(
  { sessionId, kind, part }: Pick<PartMeta, 'sessionId' | 'kind' | 'part'>,
  chunk: number | null,
) {
  return `${sessionId} ${kind} ${part} ${chunk}`;
}
