// Sends spooled log parts to the server, one chunk at a time, and the ends of logs; deletes what it has stored. While
// viewers are shown much, chunks wait a little, so that the log of a flood does not slow the flood down. While the server
// has no space for recordings, all of them wait, and one chunk is sent now and then.
import { streamLimits } from '@yagura/core/greac/stream/frame';
import {
  type GatewayMessage,
  type GatewayOrder,
  isRefusedForNow,
  streamCodeName,
} from '@yagura/core/greac/stream/gateway-protocol';
import { backoffMs } from '../../link/backoff.ts';
import type { Channel, ChannelHandlers } from '../../link/channel.ts';
import type { Log } from '../../log.ts';
import type { LogSpool, PartMeta, Spooled, SpooledEnd, SpooledPart } from './log-spool.ts';

export interface UploadLink {
  readonly isReady: boolean;
  /** Bytes for viewers so far. */
  readonly interactiveBytes: number;
  send(message: GatewayMessage): boolean;
  openOwnChannel(handlers: ChannelHandlers): Channel | undefined;
}

type Position = Pick<PartMeta, 'sessionId' | 'kind'>;

type UploadSpool = Pick<LogSpool, 'readChunk' | 'deleteChunk' | 'deletePart' | 'deleteEnd'>;

export interface UploadLimits {
  /** Milliseconds until the server has answered. */
  answerMs: number;
  /** Milliseconds before what has no answer is sent again. */
  retryMs: number;
  /** Milliseconds before the recordings of a session that the server has refused are sent again. */
  refusedMs: number;
  /** From 0 to 1, for the time after which one chunk is sent to a server without space. */
  random(): number;
}

/**
 * What became of what was sent: `full` if the server takes no recordings for now, `refused` if it takes none of the
 * session, `unanswered` if that is not known.
 */
type Answer = 'stored' | 'full' | 'refused' | 'unanswered';

/** Age after which what the server does not take is deleted. */
const maxAgeMs = 30 * 24 * 60 * 60 * 1000;
const defaultLimits: UploadLimits = {
  answerMs: 30_000,
  retryMs: 60_000,
  refusedMs: 60 * 60_000,
  random: Math.random,
};
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
  /** What the server has to answer before anything else is sent. */
  private current: { key: string; end(answer: Answer): void } | undefined;
  /** Ends the pause of all uploads. */
  private pause: NodeJS.Timeout | undefined;
  /** Refusals for want of space since something was stored. */
  private fullAnswers = 0;
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
    if (this.working || this.isClosed || this.pause) return;
    this.working = this.work().finally(() => {
      this.working = undefined;
      if (this.link.isReady && !this.pause && this.next()) this.resume();
    });
  }

  onReady(serverTime: number): void {
    this.serverTime = serverTime;
    this.clearTimers();
    this.resume();
  }

  onStored({ sessionId, kind, part, chunk }: Extract<GatewayOrder, { type: 'stored' }>): void {
    this.answer(keyOf({ sessionId, kind, part }, chunk), 'stored');
  }

  onEndStored(order: Extract<GatewayOrder, { type: 'log-end-stored' }>): void {
    this.answer(endKeyOf(order), 'stored');
  }

  onRefused({ sessionId, kind, part }: Extract<GatewayOrder, { type: 'log-refused' }>): void {
    const position = { sessionId, kind };
    this.logRefusal(position, 'SESSION_CLOSED');
    this.answer(part === null ? endKeyOf(position) : keyOf({ ...position, part }, null), 'refused');
  }

  private answer(key: string, answer: Answer): void {
    if (this.current?.key === key) this.current.end(answer);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.clearTimers();
    this.stopWaiting();
    this.current?.end('unanswered');
    await this.working;
  }

  private next(): Spooled | undefined {
    for (const spooled of this.spooled)
      if (!this.postponed.has(spooled) && hasSomethingToSend(spooled)) return spooled;
    return undefined;
  }

  private async work(): Promise<void> {
    while (this.link.isReady && !this.isClosed && !this.pause) {
      if (this.next()) await this.untilQuiet();
      const spooled = this.next();
      if (!spooled || this.isClosed) return;
      const sending = 'end' in spooled ? this.sendEnd(spooled) : this.advance(spooled);
      // A chunk that cannot be read now may be readable later.
      const answer = await sending.catch((): Answer => 'unanswered');
      if (answer === 'stored') this.onSpace();
      else if (answer === 'full') this.pauseAll();
      else if (this.isExpired(spooled)) await this.discard(spooled);
      else if (answer === 'refused') this.postponeSession(spooled);
      else this.postpone(spooled, this.limits.retryMs);
    }
  }

  /** The disk of the server is that of all recordings: others would be refused as well. */
  private pauseAll(): void {
    if (this.isClosed) return;
    if (this.fullAnswers === 0)
      this.log({ level: 'warn', message: 'the server has no space for session logs; they wait here' });
    const delayMs = backoffMs(this.fullAnswers++, this.limits.random);
    this.pause = setTimeout(() => {
      this.pause = undefined;
      this.resume();
    }, delayMs);
  }

  private onSpace(): void {
    if (this.fullAnswers === 0) return;
    this.fullAnswers = 0;
    this.log({ level: 'info', message: 'the server stores session logs again' });
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
    const { sessionId, kind } = positionOf(spooled);
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

  /** Sends one chunk or the end. */
  private async advance(part: SpooledPart): Promise<Answer> {
    const { meta, sealed } = part;
    const [chunk] = part.chunks;
    if (chunk !== undefined) {
      const answer = await this.sendChunk(meta, chunk);
      if (answer !== 'stored') return answer;
      part.chunks.shift();
      await this.spool.deleteChunk(meta, chunk);
      return answer;
    }
    // Without an end, the part stays as it is: cut.
    const answer = sealed ? await this.sendSeal(meta, sealed) : 'stored';
    if (answer !== 'stored') return answer;
    this.spooled.delete(part);
    await this.spool.deletePart(meta);
    return answer;
  }

  private async sendEnd(spooled: SpooledEnd): Promise<Answer> {
    const { end } = spooled;
    const answer = await this.untilAnswered(endKeyOf(end), () => this.link.send(end));
    if (answer !== 'stored') return answer;
    this.spooled.delete(spooled);
    await this.spool.deleteEnd(end);
    return answer;
  }

  private async sendChunk(meta: PartMeta, chunk: number): Promise<Answer> {
    const bytes = await this.spool.readChunk(meta, chunk);
    let channel: Channel | undefined;
    const answer = await this.untilAnswered(keyOf(meta, chunk), (end) => {
      let sent = 0;
      const push = () => {
        while (sent < bytes.length) {
          const room = Math.min(streamLimits.payload, channel?.room ?? 0, bytes.length - sent);
          if (room === 0 || !channel!.send(bytes.subarray(sent, sent + room))) return;
          sent += room;
        }
        channel?.endSending();
      };
      const closed = (code: number | null) => {
        if (code === null) return end('unanswered');
        if (isRefusedForNow(code)) return end('full');
        this.logRefusal(meta, streamCodeName(code) ?? String(code));
        end('refused');
      };
      channel = this.link.openOwnChannel({ ready: push, closed });
      if (!channel) return false;
      const { sessionId, keyId, kind, part } = meta;
      const isSent = this.link.send({
        ...{ type: 'log', sessionId, keyId, kind, part, chunk },
        channel: channel.number,
      });
      if (isSent) push();
      return isSent;
    });
    channel?.close();
    return answer;
  }

  private sendSeal(meta: PartMeta, sealed: NonNullable<SpooledPart['sealed']>): Promise<Answer> {
    return this.untilAnswered(keyOf(meta, null), () => this.link.send(sealed));
  }

  /** `begin` returns whether it was sent. The first answer counts. */
  private untilAnswered(key: string, begin: (end: (answer: Answer) => void) => boolean): Promise<Answer> {
    return new Promise((resolve) => {
      const end = (answer: Answer) => {
        clearTimeout(timer);
        if (this.current === own) this.current = undefined;
        resolve(answer);
      };
      const timer = setTimeout(() => end('unanswered'), this.limits.answerMs);
      const own = { key, end };
      this.current = own;
      // It may have been closed while the chunk was read.
      if (this.isClosed || !begin(end)) end('unanswered');
    });
  }

  private logRefusal({ sessionId, kind }: Position, reason: string): void {
    this.log({ level: 'warn', message: 'the server has refused a session log', sessionId, kind, reason });
  }

  /** All that waits of the session. What is added to it later is refused by itself. */
  private postponeSession(spooled: Spooled): void {
    const { sessionId } = positionOf(spooled);
    for (const other of this.spooled)
      if (positionOf(other).sessionId === sessionId) this.postpone(other, this.limits.refusedMs);
  }

  private postpone(spooled: Spooled, delayMs: number): void {
    if (this.isClosed) return;
    clearTimeout(this.postponed.get(spooled));
    const timer = setTimeout(() => {
      this.postponed.delete(spooled);
      this.resume();
    }, delayMs);
    this.postponed.set(spooled, timer);
  }

  private clearTimers(): void {
    clearTimeout(this.pause);
    this.pause = undefined;
    for (const timer of this.postponed.values()) clearTimeout(timer);
    this.postponed.clear();
  }

  /** The connection is lost: what was sent is sent again after the next. */
  onClosed(): void {
    this.current?.end('unanswered');
  }
}

function positionOf(spooled: Spooled): Position {
  return 'end' in spooled ? spooled.end : spooled.meta;
}

function hasSomethingToSend(spooled: Spooled): boolean {
  return 'end' in spooled || spooled.chunks.length > 0 || spooled.isClosed;
}

function endKeyOf({ sessionId, kind }: Position): string {
  return `${sessionId} ${kind} end`;
}

function keyOf({ sessionId, kind, part }: Position & Pick<PartMeta, 'part'>, chunk: number | null) {
  return `${sessionId} ${kind} ${part} ${chunk}`;
}
