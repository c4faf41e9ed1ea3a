// Keeps the receivers' copy of the slot addresses in sync with the database.
import type { receiveSlot } from '@yagura/core/alerthub/receive-slot';
import type { Item } from '@yagura/core/resource/define-resource';
import type { Clock } from '../../common/clock.ts';
import { errorFields, type Log } from '../../common/log.ts';
import type { ChangeBus } from '../../db/change-bus.ts';
import type { Database } from '../../db/database.ts';
import { createCoalescedRunner } from '../../jobs/coalesced-runner.ts';
import { slotTokenHash } from './slot-token.ts';

export interface SlotAddress {
  spaceId: string;
  receiveSlotId: string;
  kind: string;
  endpoint: 'primary' | 'secondary';
  disabled: boolean;
}

/** How a slot receives messages. */
export type SlotOptions = Pick<
  Item<typeof receiveSlot>,
  'answer' | 'allowPut' | 'allowGet' | 'deliveryIdPath' | 'confirmSubscriptions'
>;

/** An address with the settings of its slot. */
export interface KnownSlot extends SlotAddress {
  options: SlotOptions;
}

/** Finds the slot of a token, which may be any string. */
export interface SlotFinder {
  find(token: string): KnownSlot | null | Promise<KnownSlot | null>;
}

/** An address as the receivers store it, without the token itself. */
export interface ListedAddress extends KnownSlot {
  key: string;
}

/**
 * A change: of the slots in `slotIds`, or of all slots if absent. `addresses` are all current addresses of
 * these slots.
 */
export interface SlotUpdate {
  slotIds?: readonly string[];
  addresses: readonly ListedAddress[];
  /** The database was unavailable: senders to these slots are asked to retry later. */
  isUnknown?: boolean;
}

/** Milliseconds until a failed read is retried. */
const retryDelayMs = 1000;
/** Maximum milliseconds that the response to a change waits for the receivers. */
const maxSyncWaitMs = 5000;

const columns = `r.space_id, r.id, r.body->>'kind' as kind, (r.body->>'disabled')::boolean as disabled,
  r.body->>'answer' as answer, (r.body->>'allowPut')::boolean as allow_put,
  (r.body->>'allowGet')::boolean as allow_get, r.body->>'deliveryIdPath' as delivery_id_path,
  (r.body->>'confirmSubscriptions')::boolean as confirm_subscriptions,
  r.body->>'primaryToken' as primary_token, r.body->>'secondaryToken' as secondary_token`;

/** Tokens are stored as hashes. */
interface SlotRow {
  space_id: string;
  id: string;
  kind: string;
  disabled: boolean;
  answer: SlotOptions['answer'];
  allow_put: boolean;
  allow_get: boolean;
  delivery_id_path: string | null;
  confirm_subscriptions: boolean;
  primary_token: string;
  secondary_token: string;
}

export interface SlotDirectoryDeps {
  database: Database;
  changes: ChangeBus;
  clock: Clock;
  log: Log;
}

export class SlotDirectory {
  private readonly deps: SlotDirectoryDeps;
  /** Resolves once the receivers have applied it. */
  private push: (update: SlotUpdate) => Promise<void> = async () => undefined;
  private changedSlotIds = new Set<string>();
  private isAllChanged = false;
  private readonly refreshRunner = createCoalescedRunner(() => this.pushChanges());
  private pending: Promise<void> | undefined;
  private stopRetry: () => void = () => undefined;

  constructor(deps: SlotDirectoryDeps) {
    this.deps = deps;
    deps.changes.listen((list) => {
      const ids = list.filter((change) => change.resource === 'receive-slot').map((change) => change.id);
      if (ids.length === 0) return;
      for (const id of ids) this.changedSlotIds.add(id);
      this.refresh();
    });
  }

  /** Passes all addresses to `push`, then every change. */
  async start(push: (update: SlotUpdate) => Promise<void>): Promise<void> {
    this.push = push;
    await push({ addresses: await this.readAddresses(undefined) });
  }

  close(): void {
    this.stopRetry();
    this.push = async () => undefined;
  }

  /** Rereads everything, since changes may have been missed. */
  reload(): void {
    this.isAllChanged = true;
    this.refresh();
  }

  /**
   * Resolves when the receivers have all changes so far, or after a timeout; undefined if they are up to
   * date.
   */
  whenSynced(): Promise<void> | undefined {
    if (!this.pending) return undefined;
    let stop = () => {};
    const late = new Promise<void>((resolve) => {
      stop = this.deps.clock.after(maxSyncWaitMs, resolve);
    });
    return Promise.race([this.pending, late]).finally(() => stop());
  }

  /** Queries the database, for a slot that another replica may have just created. */
  async find(token: string): Promise<KnownSlot | null> {
    const key = slotTokenHash(token);
    const { rows } = await this.deps.database.query<SlotRow>(
      {
        name: 'slot-address',
        text: `select ${columns} from resource r where r.kind = 'receive-slot'
                 and (r.body->>'primaryToken' = $1 or r.body->>'secondaryToken' = $1)`,
      },
      [key],
    );
    return rows.flatMap(addressesOf).find((address) => address.key === key) ?? null;
  }

  private refresh(): void {
    const pending = this.refreshRunner.run().finally(() => {
      if (this.pending === pending) this.pending = undefined;
    });
    this.pending = pending;
  }

  private async pushChanges(): Promise<void> {
    const slotIds = this.isAllChanged ? undefined : [...this.changedSlotIds];
    this.changedSlotIds.clear();
    this.isAllChanged = false;
    try {
      const addresses = await this.readAddresses(slotIds);
      await this.push(slotIds ? { slotIds, addresses } : { addresses });
    } catch (error) {
      this.deps.log({ level: 'warn', message: 'the receive slots were not read', ...errorFields(error) });
      if (slotIds) {
        for (const id of slotIds) this.changedSlotIds.add(id);
        await this.push({ slotIds, addresses: [], isUnknown: true }).catch(() => undefined);
      } else this.isAllChanged = true;
      this.stopRetry();
      this.stopRetry = this.deps.clock.after(retryDelayMs, () => this.refresh());
    }
  }

  private async readAddresses(slotIds: readonly string[] | undefined): Promise<ListedAddress[]> {
    const { database } = this.deps;
    const { rows } = slotIds
      ? await database.query<SlotRow>(
          {
            name: 'some-slots',
            text: `select ${columns} from resource r where r.kind = 'receive-slot' and r.id = any($1::uuid[])`,
          },
          [slotIds],
        )
      : await database.query<SlotRow>(`select ${columns} from resource r where r.kind = 'receive-slot'`);
    return rows.flatMap(addressesOf);
  }
}

function addressesOf(row: SlotRow): ListedAddress[] {
  const options: SlotOptions = {
    answer: row.answer,
    allowPut: row.allow_put,
    allowGet: row.allow_get,
    deliveryIdPath: row.delivery_id_path,
    confirmSubscriptions: row.confirm_subscriptions,
  };
  const { space_id: spaceId, id: receiveSlotId, kind, disabled } = row;
  const slot = { spaceId, receiveSlotId, kind, disabled, options };
  return [
    { ...slot, endpoint: 'primary', key: row.primary_token },
    { ...slot, endpoint: 'secondary', key: row.secondary_token },
  ];
}
