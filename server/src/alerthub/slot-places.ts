// Tells whether what arrives at an address of a slot may have come to the slot's other address before.
import { isoTime } from '../clock.ts';
import type { Database } from '../db/database.ts';
import type { SlotAddress } from './slot-directory.ts';
import { twinMinutes } from './store-arrivals.ts';

const twinWindow = twinMinutes * 60_000;

type Place = SlotAddress['place'];

interface Known {
  /** When something last came to each address. */
  last: Record<Place, number>;
  /** While it is being read what came before this process did. */
  reading: Promise<void> | undefined;
}

/** Right only where all messages of a slot come by this process. */
export class SlotPlaces {
  private readonly database: Database;
  private readonly slots = new Map<string, Known>();

  constructor(database: Database) {
    this.database = database;
  }

  /** Notes an arrival; at once once the slot is known. */
  mayBeTwin({ receiveSlotId, place }: SlotAddress, now: number): boolean | Promise<boolean> {
    const known = this.slots.get(receiveSlotId) ?? this.meet(receiveSlotId, now);
    known.last[place] = now;
    const other = place === 'primary' ? 'secondary' : 'primary';
    const isNear = () => now - known.last[other] <= twinWindow;
    return known.reading ? known.reading.then(isNear) : isNear();
  }

  private meet(receiveSlotId: string, now: number): Known {
    const known: Known = { last: { primary: -Infinity, secondary: -Infinity }, reading: undefined };
    known.reading = this.read(receiveSlotId, known, now).then(
      () => {
        known.reading = undefined;
      },
      (error: unknown) => {
        this.slots.delete(receiveSlotId);
        throw error;
      },
    );
    this.slots.set(receiveSlotId, known);
    return known;
  }

  private async read(receiveSlotId: string, { last }: Known, now: number): Promise<void> {
    const { rows } = await this.database.query<{ place: Place; at: string }>(
      {
        name: 'slot-places',
        text: `select place, max(received_at) as at from message
               where receive_slot_id = $1 and received_at >= $2::timestamptz group by place`,
      },
      [receiveSlotId, isoTime(now - twinWindow)],
    );
    for (const { place, at } of rows) last[place] = Math.max(last[place], Date.parse(at));
  }
}
