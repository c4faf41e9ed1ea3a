// Dependencies of the intake and the default limits of its journal.

import type { Clock } from '../../common/clock.ts';
import type { NextId } from '../../common/id.ts';
import type { Log } from '../../common/log.ts';
import type { ChangeBus } from '../../db/change-bus.ts';
import type { Database } from '../../db/database.ts';
import type { JournalWriter } from '../../receiver/intake-journal-writer.ts';
import type { JournalLimits } from '../../receiver/journal-capacity.ts';
import type { ArrivalRow } from '../arrivals/arrival.ts';
import type { StoredMessage } from './store-arrivals.ts';

/** Default journal limits in bytes. */
export const defaultJournalLimits = { waiting: 4096 * 2 ** 20, reserve: 256 << 20 };

/**
 * Called after each write with the messages stored, in queue order, or undefined if the outcome is unknown.
 */
export type OnStored = (messages: readonly StoredMessage[] | undefined) => void;

export interface IntakeDeps {
  database: Database;
  clock: Clock;
  nextId: NextId;
  log: Log;
  changes: ChangeBus;
  /** Called after each write, to wake the evaluation. */
  onStored: OnStored;
  /**
   * Stores and evaluates rows of the journal in one step; false if they must be stored first. The rows that `upcoming`
   * returns may be evaluated meanwhile.
   */
  storeAndDecide?: (
    rows: readonly ArrivalRow[],
    upcoming: () => readonly ArrivalRow[] | undefined,
  ) => Promise<boolean>;
  /** Called when another server has taken over the journal in the database; the process must exit then. */
  onJournalEnded?: (message: string) => void;
  /** Folder of the journal; without one every response waits for the database. */
  journalFolder: string | undefined;
  journalLimits?: JournalLimits | undefined;
  /** Writer of the journal, if it runs elsewhere; an own one if absent. */
  journalWriter?: JournalWriter | undefined;
}
