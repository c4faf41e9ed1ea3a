// Which entries of the journal repeat earlier messages. Uses the same rules as the receivers, so that the ids they return
// are those stored.
import { messageIdentityOf } from '../../receiver/intake-journal-writer.ts';
import { RecentMessages } from '../../receiver/recent-messages.ts';
import type { ArrivalRow } from '../arrivals/arrival.ts';

export class JournalRepeats {
  readonly recent = new RecentMessages();
  /** Of entries that may have to be stored again: position to the id of the original. */
  private readonly originals = new Map<number, string | undefined>();

  /**
   * Id of the message that a row repeats. New entries must be asked for in their order; their rows are marked if nothing
   * else can be their original.
   */
  originalOf(row: ArrivalRow): string | undefined {
    const { sequence } = row.journalEntry!;
    if (!this.originals.has(sequence)) {
      const identity = messageIdentityOf(row);
      const original = this.recent.findDuplicateOrAdd(identity);
      this.originals.set(sequence, original);
      row.isKnownNew = original === undefined && this.recent.knowsOriginalsOf(identity);
    }
    return this.originals.get(sequence);
  }

  /** The entry at this position is stored. */
  forget(sequence: number): void {
    this.originals.delete(sequence);
  }
}
