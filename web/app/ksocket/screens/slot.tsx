// Detail page of a Ksocket: header and tokens.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { ksocketSlot } from '@yagura/core/ksocket/ksocket-slot';
import { SectionedItem } from '../../resource/item/sectioned-item.tsx';
import { sectionsData } from '../../resource/item/sections.server.ts';
import { removeItemAction } from '../../resource/write/write.server.ts';

export const loader = (args: LoaderFunctionArgs) => sectionsData(args, ksocketSlot);

export const action = removeItemAction;

export default function Ksocket() {
  return <SectionedItem data={useLoaderData<typeof loader>()} />;
}
