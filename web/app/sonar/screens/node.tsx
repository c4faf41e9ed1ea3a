// Layout of a snapshot node's pages: header and sections.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { node } from '@yagura/core/sonar/snapshot';
import { SectionedItem } from '../../resource/item/sectioned-item.tsx';
import { sectionsData } from '../../resource/item/sections.server.ts';
import { removeItemAction } from '../../resource/write/write.server.ts';

export const loader = (args: LoaderFunctionArgs) => sectionsData(args, node);

export const action = removeItemAction;

export default function Node() {
  return <SectionedItem data={useLoaderData<typeof loader>()} />;
}
