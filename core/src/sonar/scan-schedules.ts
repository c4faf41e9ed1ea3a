// Scan schedules of one network; the input cannot move a schedule to another network.
import type { ListQuery, Page } from '../http/page.ts';
import { send, type Transport } from '../http/transport.ts';
import type { Noun } from '../resource/define-resource.ts';
import { type Timing, withDisabledToggled } from '../schedule/schedule.ts';

/** Display name of a scan schedule. */
export const scanScheduleNoun: Noun = {
  en: ['scan schedule', 'scan schedules'],
  ja: 'スキャンスケジュール',
};

/** What a task that scans a network runs. */
export const scanTaskName = { namespace: 'sonar', method: 'scan' } as const;

export interface ScanSchedule extends Timing {
  taskScheduleId: string;
  displayName: string;
  disabled?: boolean;
  namespace: string;
  method: string;
  params: Record<string, unknown>;
}

export type ScheduleInput = Partial<Omit<ScanSchedule, 'taskScheduleId'>>;

const path = '/api/tasks/schedules';
const itemPath = (id: string) => `${path}/${encodeURIComponent(id)}`;

export interface ScanSchedulesClient {
  list(query?: ListQuery): Promise<Page<ScanSchedule>>;
  create(input: ScheduleInput): Promise<ScanSchedule>;
  /** Replaces the whole schedule; with an ETag, only if it still has that version. */
  update(id: string, input: ScheduleInput, ifMatch?: string): Promise<ScanSchedule>;
  /**
   * Fetches the schedule and writes it back with the change, if it still has the version of `ifMatch`, else the one that was
   * fetched.
   */
  patch(id: string, change: ScheduleInput, ifMatch?: string): Promise<ScanSchedule>;
  /** Fetches the schedule and writes it back enabled or disabled, whichever it was not, if nobody has changed it. */
  toggle(id: string): Promise<ScanSchedule>;
}

/** Client for the scan schedules of a network. */
export function createScanSchedulesClient(transport: Transport, networkId: string): ScanSchedulesClient {
  const owned = <I extends ScheduleInput>(input: I) => ({ ...input, params: { ...input.params, networkId } });
  const show = async (id: string) => {
    const { data, headers } = await send<ScanSchedule>(transport, { method: 'GET', path: itemPath(id) });
    return { schedule: data, etag: headers.get('etag') ?? undefined };
  };
  const update: ScanSchedulesClient['update'] = async (id, input, ifMatch) => {
    const { data } = await send<ScanSchedule>(transport, {
      method: 'PUT',
      path: itemPath(id),
      body: owned(input),
      ...(ifMatch && { headers: { 'if-match': ifMatch } }),
    });
    return withDisplayName(data);
  };
  return {
    async list(query = {}) {
      const filter = `namespace eq "${scanTaskName.namespace}" and method eq "${scanTaskName.method}" and params.networkId eq ${JSON.stringify(networkId)}`;
      const { data } = await send<Page<ScanSchedule>>(transport, {
        method: 'GET',
        path,
        query: { ...query, filter: query.filter ? `${filter} and (${query.filter})` : filter },
      });
      return { ...data, items: data.items.map(withDisplayName) };
    },
    async create(input) {
      const body = { ...owned(input), ...scanTaskName };
      return withDisplayName((await send<ScanSchedule>(transport, { method: 'POST', path, body })).data);
    },
    update,
    async patch(id, change, ifMatch) {
      const { schedule, etag } = await show(id);
      const params = { ...schedule.params, ...change.params };
      return update(id, { ...schedule, ...change, params }, ifMatch ?? etag);
    },
    async toggle(id) {
      const { schedule, etag } = await show(id);
      return update(id, withDisabledToggled(schedule), etag);
    },
  };
}

function withDisplayName(schedule: ScanSchedule): ScanSchedule {
  return { ...schedule, displayName: schedule.displayName ?? '' };
}
