// Layout of a network's pages: header and sections.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { can } from '@yagura/core/access/permissions';
import { permissionFor } from '@yagura/core/resource/define-resource';
import { diagram, layer2Diagram } from '@yagura/core/sonar/diagram/diagram';
import { network } from '@yagura/core/sonar/network';
import { scanScheduleNoun } from '@yagura/core/sonar/scan-schedules';
import { taskSchedule } from '@yagura/core/tasks/task-schedule';
import { SectionedItem } from '../../resource/item/sectioned-item.tsx';
import { sectionsData } from '../../resource/item/sections.server.ts';
import { fillScreenPath } from '../../resource/screen-path.ts';
import { removeItemAction } from '../../resource/write/write.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser } from '../../signin/current-user.server.ts';
import { schedulesPath } from '../scan-schedule.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  const [data, { permissions }] = await Promise.all([
    sectionsData(args, network),
    withApi(args, getCurrentUser),
  ]);
  // Diagrams have no list permission; users who may read the layout see them.
  const diagrams = [diagram, layer2Diagram]
    .filter((resource) => can(permissions, permissionFor(resource, 'layout')))
    .map(({ screen: to, noun }) => ({ to: fillScreenPath(to, args.params)!, noun, one: true }));
  const schedules = can(permissions, permissionFor(taskSchedule, 'list'))
    ? [{ to: schedulesPath(args.params.networkId), noun: scanScheduleNoun, one: false }]
    : [];
  const [first, ...others] = data.sections;
  return { ...data, sections: [...(first ? [first] : []), ...diagrams, ...others, ...schedules] };
}

export const action = removeItemAction;

export default function Network() {
  return <SectionedItem data={useLoaderData<typeof loader>()} />;
}
