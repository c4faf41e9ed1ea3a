// Loads a network's scan schedule; schedules of other networks or task types are not found.
import { Problem } from '@yagura/core/http/problem';
import { itemCommand, quoteShellWords } from '@yagura/core/resource/command-line';
import { type ScanSchedule, scanScheduleNoun } from '@yagura/core/sonar/scan-schedules';
import { taskSchedule } from '@yagura/core/tasks/task-schedule';
import { buildCrumbs } from '../resource/crumbs.server.ts';
import { showWithETag } from '../resource/item/item-data.server.ts';
import { matchResource } from '../resource/match-resource.server.ts';
import type { Crumb } from '../shell/navigation/crumb.ts';
import type { Api } from '../signin/api.server.ts';

/** Path of a network's schedule list. */
export function schedulesPath(networkId: string | undefined): string {
  return `/apps/sonar/networks/${encodeURIComponent(networkId ?? '')}/scan/schedules`;
}

export async function scanSchedule(api: Api, networkId: string | undefined, id: string | undefined) {
  const { item: schedule, tag } = await showWithETag<ScanSchedule>(api, taskSchedule, id, {});
  const { namespace, method, params } = schedule;
  if (namespace !== 'sonar' || method !== 'scan' || params.networkId !== networkId)
    throw new Problem('not-found');
  return { schedule, tag };
}

/**
 * Returns the CLI command that creates or edits a network's schedule, without the flags of the user's input.
 */
export function scheduleCommand(networkId: string | undefined, id?: string): string {
  if (id !== undefined) return quoteShellWords(itemCommand(taskSchedule, 'edit', id));
  const fixed = ['--namespace', 'sonar', '--method', 'scan', '--params', JSON.stringify({ networkId })];
  return quoteShellWords([...itemCommand(taskSchedule, 'create', undefined), ...fixed]);
}

/** Returns the breadcrumbs of the schedules and of pages below them. */
export async function scheduleCrumbs(
  api: Api,
  networkId: string | undefined,
  ...below: Crumb[]
): Promise<Crumb[]> {
  const match = matchResource(`/apps/sonar/networks/${networkId}/scan`);
  const crumbs = await buildCrumbs(api, match);
  return [...crumbs, { to: schedulesPath(networkId), noun: scanScheduleNoun }, ...below];
}
