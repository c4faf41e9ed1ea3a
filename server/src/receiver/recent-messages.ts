// Remembers recent messages by their duplicate key, so that a duplicate is acknowledged at once.

type SlotEndpoint = 'primary' | 'secondary';

/** The properties of a message used to detect duplicates. */
export interface MessageIdentity {
  receiveSlotId: string;
  endpoint: SlotEndpoint;
  /**
   * 16 bytes: hash of the delivery key, or of the body if there is none. Not a Buffer, as that becomes a
   * Uint8Array in another thread.
   */
  fingerprint: Uint8Array;
  isKeyed: boolean;
  messageId: string;
  /** Milliseconds since the Unix epoch. */
  at: number;
}

/** A stored message, with whether it arrived at both addresses of its slot. */
export interface KnownMessage extends Omit<MessageIdentity, 'isKeyed'> {
  isPaired: boolean;
}

/**
 * Milliseconds within which the same delivery key is a duplicate, and the same body at the other address of
 * its slot.
 */
export const keyDuplicateWindowMs = 24 * 60 * 60_000;
export const bodyDuplicateWindowMs = 10 * 60_000;

const none = -1;
const initialSize = 1024;
/** Default capacity; about 50 MB when full. */
const defaultMaxMessages = 300_000;

/**
 * Ring buffer of the newest messages. Messages with the same slot and fingerprint form a queue, oldest first;
 * for messages compared by body, it contains only those not yet received at the other address, so all in one
 * queue came to the same address.
 */
export class RecentMessages {
  private readonly maxMessages: number;
  private readonly heads = new Map<string, number>();
  private readonly slots = new Map<string, number>();
  private keys: (string | undefined)[] = [];
  private ids: string[] = [];
  private at = new Float64Array(initialSize);
  /** Index of the next message in its queue, and for the first of a queue that of the last. */
  private after = new Int32Array(initialSize);
  private tail = new Int32Array(initialSize);
  /** 1: received at the secondary address; 2: paired. */
  private marks = new Uint8Array(initialSize);
  /** Index of the next write; once the ring has wrapped, all indexes are in use. */
  private next = 0;
  private size = initialSize;
  /** Later messages are all here, apart from those that were overwritten. */
  private loadedSince = Number.POSITIVE_INFINITY;
  /** Of the overwritten messages, when the latest was received. */
  private overwrittenUpTo = Number.NEGATIVE_INFINITY;

  constructor(max = defaultMaxMessages) {
    this.maxMessages = max;
  }

  /**
   * Returns the id of the message that this one duplicates; otherwise remembers it and returns undefined.
   */
  findDuplicateOrAdd(one: MessageIdentity): string | undefined {
    const key = this.keyOf(one);
    const original = one.isKeyed ? this.findKeyed(key, one.at) : this.findBody(key, one);
    if (original === undefined) this.append(key, one, false);
    return original;
  }

  /** Adds a message known from elsewhere; call it in order of arrival. */
  add(one: KnownMessage): void {
    this.append(this.keyOf(one), one, one.isPaired);
  }

  /** All messages received after this time were added, and all further ones will be. */
  setLoadedSince(at: number): void {
    this.loadedSince = at;
  }

  /** Whether all messages that this one could duplicate are known here, so that no others need to be searched. */
  knowsOriginalsOf({ at, isKeyed }: MessageIdentity): boolean {
    const since = at - (isKeyed ? keyDuplicateWindowMs : bodyDuplicateWindowMs);
    return since >= this.loadedSince && since >= this.overwrittenUpTo;
  }

  private keyOf({
    receiveSlotId,
    fingerprint,
  }: Pick<MessageIdentity, 'receiveSlotId' | 'fingerprint'>): string {
    let slot = this.slots.get(receiveSlotId);
    if (slot === undefined) {
      slot = this.slots.size;
      this.slots.set(receiveSlotId, slot);
    }
    const { buffer, byteOffset, byteLength } = fingerprint;
    return Buffer.from(buffer, byteOffset, byteLength).toString('latin1') + slot;
  }

  private findKeyed(key: string, now: number): string | undefined {
    const head = this.heads.get(key);
    if (head === undefined) return undefined;
    if (this.at[head]! > now - keyDuplicateWindowMs) return this.ids[head];
    this.dropFirst(key, head);
    return this.findKeyed(key, now);
  }

  private findBody(key: string, { endpoint, at }: MessageIdentity): string | undefined {
    for (let head = this.heads.get(key); head !== undefined; head = this.heads.get(key)) {
      const isOver = this.at[head]! <= at - bodyDuplicateWindowMs || (this.marks[head]! & 2) !== 0;
      if (!isOver && this.marks[head] === endpointMark(endpoint)) return undefined;
      const id = this.ids[head];
      this.dropFirst(key, head);
      if (!isOver) return id;
    }
    return undefined;
  }

  private append(
    key: string,
    { messageId, endpoint, at }: Omit<KnownMessage, 'isPaired'>,
    isPaired: boolean,
  ): void {
    if (this.next === this.size && this.size < this.maxMessages) this.grow();
    const index = this.next % this.size;
    this.next = index + 1;
    const old = this.keys[index];
    if (old !== undefined) {
      this.overwrittenUpTo = Math.max(this.overwrittenUpTo, this.at[index]!);
      // The oldest message of all is the first of its queue.
      if (this.heads.get(old) === index) this.dropFirst(old, index);
    }
    this.keys[index] = key;
    this.ids[index] = messageId;
    this.at[index] = at;
    this.marks[index] = endpointMark(endpoint) | (isPaired ? 2 : 0);
    this.after[index] = none;
    const head = this.heads.get(key);
    if (head === undefined) {
      this.heads.set(key, index);
      this.tail[index] = index;
    } else {
      this.after[this.tail[head]!] = index;
      this.tail[head] = index;
    }
  }

  private dropFirst(key: string, head: number): void {
    const second = this.after[head]!;
    this.keys[head] = undefined;
    if (second === none) this.heads.delete(key);
    else {
      this.heads.set(key, second);
      this.tail[second] = this.tail[head]!;
    }
  }

  private grow(): void {
    this.size = Math.min(this.size * 4, this.maxMessages);
    const { at, after, tail, marks } = this;
    this.at = new Float64Array(this.size);
    this.after = new Int32Array(this.size);
    this.tail = new Int32Array(this.size);
    this.marks = new Uint8Array(this.size);
    this.at.set(at);
    this.after.set(after);
    this.tail.set(tail);
    this.marks.set(marks);
  }
}

const endpointMark = (endpoint: SlotEndpoint) => (endpoint === 'secondary' ? 1 : 0);
