// Layout of a snapshot's pages: header and sections.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { snapshot } from '@yagura/core/sonar/snapshot';
import { SectionedItem } from '../../resource/item/sectioned-item.tsx';
import { sectionsData } from '../../resource/item/sections.server.ts';
import { removeItemAction } from '../../resource/write/write.server.ts';

export const loader = (args: LoaderFunctionArgs) => sectionsData(args, snapshot);

export const action = removeItemAction;

export default function Snapshot() {
  return <SectionedItem data={useLoaderData<typeof loader>()} />;
}
