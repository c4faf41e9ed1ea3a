// Remembers the messages of the last minutes by what makes two posts one message, so that a repeat is answered at once.

type SlotEndpoint = 'primary' | 'secondary';

/** What is compared of an arrival. */
export interface MessageIdentity {
  receiveSlotId: string;
  endpoint: SlotEndpoint;
  /** Sixteen bytes: of the delivery key, or else of the body. No Buffer, which is none any more in another thread. */
  fingerprint: Uint8Array;
  isKeyed: boolean;
  messageId: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** A message of which is known that both addresses of its slot had it. */
export interface KnownMessage extends Omit<MessageIdentity, 'isKeyed'> {
  isPaired: boolean;
}

/** For so long the same delivery key is the same message, and the same body at the other address of its slot. */
export const keyWindowMs = 24 * 60 * 60_000;
export const bodyWindowMs = 10 * 60_000;

const none = -1;
const initialSize = 1024;
/** About 50 MB when all are taken. */
const defaultMaxMessages = 300_000;

/**
 * A ring of the newest messages. Those with the same slot and fingerprint form a queue, oldest first; of a body only
 * the copies that nothing has come to the other address for count, and all of those came to one and the same address.
 */
export class RecentMessages {
  private readonly maxMessages: number;
  private readonly heads = new Map<string, number>();
  private readonly slots = new Map<string, number>();
  private keys: (string | undefined)[] = [];
  private ids: string[] = [];
  private at = new Float64Array(initialSize);
  /** The next one in its queue, and for the first of a queue the last. */
  private after = new Int32Array(initialSize);
  private tail = new Int32Array(initialSize);
  /** 1 at the secondary address; 2 when it was paired. */
  private marks = new Uint8Array(initialSize);
  /** Where the next one is written; everything is taken once the ring has turned. */
  private next = 0;
  private size = initialSize;

  constructor(max = defaultMaxMessages) {
    this.maxMessages = max;
  }

  /** The id of the message that this one repeats; undefined, and remembered, when it is the first. */
  findDuplicateOrAdd(one: MessageIdentity): string | undefined {
    const key = this.keyOf(one);
    const original = one.isKeyed ? this.findKeyed(key, one.at) : this.findBody(key, one);
    if (original === undefined) this.append(key, one, false);
    return original;
  }

  /** Adds a message that is known from elsewhere, in order of arrival. */
  add(one: KnownMessage): void {
    this.append(this.keyOf(one), one, one.isPaired);
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
    if (this.at[head]! > now - keyWindowMs) return this.ids[head];
    this.dropFirst(key, head);
    return this.findKeyed(key, now);
  }

  private findBody(key: string, { endpoint, at }: MessageIdentity): string | undefined {
    for (let head = this.heads.get(key); head !== undefined; head = this.heads.get(key)) {
      const isOver = this.at[head]! <= at - bodyWindowMs || (this.marks[head]! & 2) !== 0;
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
    // The oldest of all is the first of its queue.
    if (old !== undefined && this.heads.get(old) === index) this.dropFirst(old, index);
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
