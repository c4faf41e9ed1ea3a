// Reads one scan schedule of a network; one of another network, or of another kind of task, is not there.
import { Problem } from '@yagura/core/http/problem';
import { itemCommand, quoteShellWords } from '@yagura/core/resource/command-line';
import { scanScheduleNoun } from '@yagura/core/sonar/scan-schedules';
import { taskSchedule } from '@yagura/core/tasks/task-schedule';
import { buildCrumbs } from '../resource/crumbs.server.ts';
import { matchResource } from '../resource/match-resource.server.ts';
import type { Crumb } from '../shell/navigation/crumb.ts';
import type { Api } from '../signin/api.server.ts';

/** Path of the schedules of a network. */
export function schedulesPath(networkId: string | undefined): string {
  return `/apps/sonar/networks/${encodeURIComponent(networkId ?? '')}/scan/schedules`;
}

export async function scanSchedule(api: Api, networkId: string | undefined, id: string | undefined) {
  const schedule = await api.client(taskSchedule).show(id);
  const { namespace, method, params } = schedule;
  if (namespace !== 'sonar' || method !== 'scan' || params.networkId !== networkId)
    throw new Problem('not-found');
  return schedule;
}

/** The command that makes a schedule of a network, or changes one, without the flags of what a person chooses. */
export function scheduleCommand(networkId: string | undefined, id?: string): string {
  if (id !== undefined) return quoteShellWords(itemCommand(taskSchedule, 'edit', id));
  const fixed = ['--namespace', 'sonar', '--method', 'scan', '--params', JSON.stringify({ networkId })];
  return quoteShellWords([...itemCommand(taskSchedule, 'create', undefined), ...fixed]);
}

/** Down to the schedules, and what lies below them. */
export async function scheduleCrumbs(
  api: Api,
  networkId: string | undefined,
  ...below: Crumb[]
): Promise<Crumb[]> {
  const match = matchResource(`/apps/sonar/networks/${networkId}/scan`);
  const crumbs = await buildCrumbs(api, match);
  return [...crumbs, { to: schedulesPath(networkId), noun: scanScheduleNoun }, ...below];
}
