// Finds the receive slot of an address, from memory when it is known.
import type { Database } from '../db/database.ts';
import type { ChangeBus } from '../resource/change-bus.ts';
import { isSlotToken, slotTokenHash } from './slot-address.ts';

export interface SlotAddress {
  spaceId: string;
  receiveSlotId: string;
  kind: string;
  place: 'primary' | 'secondary';
  disabled: boolean;
}

/** Addresses kept in memory; unknown ones are not kept, so that guessing fills nothing. */
const most = 10_000;

export class SlotDirectory {
  private readonly known = new Map<string, SlotAddress>();
  private readonly database: Database;
  /** Counts changes, so that what was read before a change is never kept after it. */
  private generation = 0;

  constructor(database: Database, changes: ChangeBus) {
    this.database = database;
    changes.listen((list) => {
      if (list.some((change) => change.resource === 'receive-slot')) this.forget();
    });
  }

  forget(): void {
    this.known.clear();
    this.generation++;
  }

  async find(token: string): Promise<SlotAddress | null> {
    const known = this.known.get(token);
    if (known) return known;
    if (!isSlotToken(token)) return null;
    const { generation } = this;
    const { rows } = await this.database.query<{
      space_id: string;
      id: string;
      kind: string;
      place: 'primary' | 'secondary';
      disabled: boolean;
    }>(
      {
        name: 'slot-address',
        text: `select space_id, id, body->>'kind' as kind, (body->>'disabled')::boolean as disabled,
                 case when body->>'primaryToken' = $1 then 'primary' else 'secondary' end as place
               from resource where kind = 'receive-slot' and (body->>'primaryToken' = $1 or body->>'secondaryToken' = $1)`,
      },
      [slotTokenHash(token)],
    );
    const row = rows[0];
    if (!row) return null;
    const address = {
      spaceId: row.space_id,
      receiveSlotId: row.id,
      kind: row.kind,
      place: row.place,
      disabled: row.disabled,
    };
    if (this.known.size >= most) this.known.clear();
    if (generation === this.generation) this.known.set(token, address);
    return address;
  }
}
