// A network: its header and sections.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { network } from '@yagura/core/sonar/network';
import { SectionedItem } from '../../resource/sectioned-item.tsx';
import { sectionsData } from '../../resource/sections.server.ts';
import { removeAt } from '../../resource/write.server.ts';

export const loader = (args: LoaderFunctionArgs) => sectionsData(args, network);

export const action = removeAt;

export default function Network() {
  return <SectionedItem data={useLoaderData<typeof loader>()} />;
}
