// Layout of a managed node's pages: header and sections.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { managedNode } from '@yagura/core/sonar/managed-node';
import { SectionedItem } from '../../resource/item/sectioned-item.tsx';
import { sectionsData } from '../../resource/item/sections.server.ts';
import { removeItemAction } from '../../resource/write/write.server.ts';

export const loader = (args: LoaderFunctionArgs) => sectionsData(args, managedNode);

export const action = removeItemAction;

export default function ManagedNode() {
  return <SectionedItem data={useLoaderData<typeof loader>()} />;
}
