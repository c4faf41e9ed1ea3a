// A network: its header and sections.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { can } from '@yagura/core/access/claims';
import { permissionFor } from '@yagura/core/resource/define-resource';
import { diagram, layer2Diagram } from '@yagura/core/sonar/diagram/diagram';
import { network } from '@yagura/core/sonar/network';
import { scanScheduleNoun } from '@yagura/core/work/scan-schedules';
import { taskSchedule } from '@yagura/core/work/task-schedule';
import { fillScreen } from '../../resource/screen-path.ts';
import { SectionedItem } from '../../resource/sectioned-item.tsx';
import { sectionsData } from '../../resource/sections.server.ts';
import { removeAt } from '../../resource/write.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser } from '../../signin/grant.server.ts';
import { schedulesPath } from '../schedule-data.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  const [data, { grant }] = await Promise.all([sectionsData(args, network), withApi(args, getCurrentUser)]);
  // Diagrams are no lists: whoever may call for their layout sees them.
  const diagrams = [diagram, layer2Diagram]
    .filter((resource) => can(grant, permissionFor(resource, 'layout')))
    .map(({ screen: to, noun }) => ({ to: fillScreen(to, args.params)!, noun, one: true }));
  const schedules = can(grant, permissionFor(taskSchedule, 'list'))
    ? [{ to: schedulesPath(args.params.networkId), noun: scanScheduleNoun, one: false }]
    : [];
  const [first, ...others] = data.sections;
  return { ...data, sections: [...(first ? [first] : []), ...diagrams, ...others, ...schedules] };
}

export const action = removeAt;

export default function Network() {
  return <SectionedItem data={useLoaderData<typeof loader>()} />;
}
