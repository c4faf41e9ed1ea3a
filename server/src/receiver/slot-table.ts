// All addresses of all receive slots in memory, so that unknown ones are rejected without a database query.
import { Problem } from '@yagura/core/http/problem';
import type { KnownSlot, SlotFinder, SlotUpdate } from '../alerthub/slots/slot-directory.ts';
import { isSlotToken, slotTokenHash } from '../alerthub/slots/slot-token.ts';

/** Maximum cached token hashes. */
const maxHashes = 10_000;

export class SlotTable implements SlotFinder {
  private readonly byKey = new Map<string, KnownSlot>();
  private readonly keysBySlot = new Map<string, string[]>();
  private readonly unknownSlots = new Set<string>();
  /** Hash by token, for known tokens, so that it is not computed for every message. */
  private readonly hashes = new Map<string, string>();
  private readonly fallback: SlotFinder | undefined;

  /**
   * `more` is queried for unknown tokens, if other replicas may create slots that this process learns of
   * late.
   */
  constructor(fallback?: SlotFinder) {
    this.fallback = fallback;
  }

  update({ slotIds, addresses, isUnknown }: SlotUpdate): void {
    for (const id of slotIds ?? [...this.keysBySlot.keys()]) {
      if (isUnknown) this.unknownSlots.add(id);
      else this.remove(id);
    }
    for (const { key, ...address } of addresses) {
      this.byKey.set(key, address);
      const keys = this.keysBySlot.get(address.receiveSlotId) ?? [];
      keys.push(key);
      this.keysBySlot.set(address.receiveSlotId, keys);
    }
  }

  /** Throws a Problem while the current state of the slot is unknown. */
  find(token: string): KnownSlot | null | Promise<KnownSlot | null> {
    if (!isSlotToken(token)) return null;
    const known = this.hashes.get(token);
    const key = known ?? slotTokenHash(token);
    const slot = this.byKey.get(key);
    if (!slot) {
      this.hashes.delete(token);
      return this.fallback?.find(token) ?? null;
    }
    if (known === undefined) {
      if (this.hashes.size >= maxHashes) this.hashes.clear();
      this.hashes.set(token, key);
    }
    if (this.unknownSlots.has(slot.receiveSlotId)) throw new Problem('unavailable', { retryAfter: 1 });
    return slot;
  }

  private remove(slotId: string): void {
    for (const key of this.keysBySlot.get(slotId) ?? []) this.byKey.delete(key);
    this.keysBySlot.delete(slotId);
    this.unknownSlots.delete(slotId);
  }
}
