// Detail page of a Ksocket: header, a warning about its agents, and tokens.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { ksocketSlot } from '@yagura/core/ksocket/ksocket-slot';
import { SectionedItem } from '../../resource/item/sectioned-item.tsx';
import { sectionsData } from '../../resource/item/sections.server.ts';
import { removeItemAction } from '../../resource/write/write.server.ts';

export const loader = (args: LoaderFunctionArgs) => sectionsData(args, ksocketSlot);

export const action = removeItemAction;

export default function Ksocket() {
  const data = useLoaderData<typeof loader>();
  const { agentWarning } = data.item;
  return (
    <SectionedItem
      data={data}
      notice={
        typeof agentWarning === 'string' && (
          <p role="alert" className="mb-3 rounded-md bg-danger-bg px-3 py-2 text-sm text-danger-fg">
            {agentWarning}
          </p>
        )
      }
    />
  );
}
