// Layer 3 diagram of a network.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { diagram } from '@yagura/core/sonar/diagram/diagram';
import { formatNoun } from '../../shell/navigation/crumb.ts';
import { useTranslation } from '../../ui/translation.tsx';
import { diagramData, saveMoves } from '../diagram/diagram-data.server.ts';
import { DiagramScreen } from '../diagram/diagram-screen.tsx';

export const loader = async (args: LoaderFunctionArgs) => ({
  ...(await diagramData(args, diagram)),
  noun: diagram.noun,
});

export const action = (args: ActionFunctionArgs) => saveMoves(args, diagram);

export default function Layer3Diagram() {
  const data = useLoaderData<typeof loader>();
  const { language } = useTranslation();
  return <DiagramScreen data={data} name={formatNoun(data.noun, language, 'one')} />;
}
