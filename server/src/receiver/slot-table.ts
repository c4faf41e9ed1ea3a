// All addresses of all receive slots in memory, so that a stranger is turned away without asking the store.
import { Problem } from '@yagura/core/http/problem';
import { isSlotToken, slotTokenHash } from '../alerthub/slot-address.ts';
import type { FindSlot, SlotAddress, SlotUpdate } from '../alerthub/slot-directory.ts';

export class SlotTable implements FindSlot {
  private readonly byKey = new Map<string, SlotAddress>();
  private readonly keysOf = new Map<string, string[]>();
  private readonly unknown = new Set<string>();
  private readonly more: FindSlot | undefined;

  /** `more` is asked for what is not in the table, where others may make slots of which this process hears late. */
  constructor(more?: FindSlot) {
    this.more = more;
  }

  update({ slotIds, addresses, isUnknown }: SlotUpdate): void {
    for (const id of slotIds ?? [...this.keysOf.keys()]) {
      if (isUnknown) this.unknown.add(id);
      else this.remove(id);
    }
    for (const { key, ...address } of addresses) {
      this.byKey.set(key, address);
      const keys = this.keysOf.get(address.receiveSlotId) ?? [];
      keys.push(key);
      this.keysOf.set(address.receiveSlotId, keys);
    }
  }

  /** Throws a Problem while it is not known what holds for the slot. */
  find(token: string): SlotAddress | null | Promise<SlotAddress | null> {
    if (!isSlotToken(token)) return null;
    const slot = this.byKey.get(slotTokenHash(token));
    if (!slot) return this.more?.find(token) ?? null;
    if (this.unknown.has(slot.receiveSlotId)) throw new Problem('unavailable', { retryAfter: 1 });
    return slot;
  }

  private remove(slotId: string): void {
    for (const key of this.keysOf.get(slotId) ?? []) this.byKey.delete(key);
    this.keysOf.delete(slotId);
    this.unknown.delete(slotId);
  }
}
