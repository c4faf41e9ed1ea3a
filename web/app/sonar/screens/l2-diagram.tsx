// Layer 2 diagram of a network.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { layer2Diagram } from '@yagura/core/sonar/diagram/diagram';
import { formatNoun } from '../../shell/navigation/crumb.ts';
import { useTranslation } from '../../ui/translation.tsx';
import { diagramData, saveMoves } from '../diagram/diagram-data.server.ts';
import { DiagramScreen } from '../diagram/diagram-screen.tsx';

export const loader = async (args: LoaderFunctionArgs) => ({
  ...(await diagramData(args, layer2Diagram)),
  noun: layer2Diagram.noun,
});

export const action = (args: ActionFunctionArgs) => saveMoves(args, layer2Diagram);

export default function Layer2Diagram() {
  const data = useLoaderData<typeof loader>();
  const { t, language } = useTranslation();
  return (
    <DiagramScreen
      data={data}
      name={formatNoun(data.noun, language, 'one')}
      hint={t('diagram.layer2-alpha')}
    />
  );
}
