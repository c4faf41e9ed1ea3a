// Fields of a snapshot: how far the scan is while it runs, its result afterwards.
import { useLoaderData } from '@remix-run/react';
import { ItemInfo } from '../../resource/item/item-screen.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { loader } from './overview.tsx';

export { loader };

const ofRunning = ['probed', 'toProbe', 'phase', 'numberOfFoundHosts', 'perSecond', 'secondsLeft', 'paused'];
const ofEnded = [
  ...['numberOfAddresses', 'numberOfCreatedNodes', 'numberOfMergedNodes', 'numberOfUnidentifiedNodes'],
  ...['terminatedAt', 'scanTotalTime'],
];

export default function SnapshotOverview() {
  const data = useLoaderData<typeof loader>();
  const { fieldLabel, language } = useTranslation();
  const { status, reason, probed, toProbe, numberOfProcessedNodes, numberOfNodes } = data.item;
  const isStarted = status === 'started';
  const isProcessing = status === 'processing';
  const without = [
    ...(isStarted ? [] : ofRunning),
    ...(isProcessing ? [] : ['numberOfProcessedNodes']),
    ...(isStarted || isProcessing || status === 'requested' ? ofEnded : []),
    ...(reason === null ? ['reason'] : []),
  ];
  const number = (value: unknown) => (
    <span className="tabular-nums">{Number(value).toLocaleString(language)}</span>
  );
  const progressOf = (field: string, done: unknown, all: unknown) => (
    <span className="flex items-center gap-3">
      {number(done)}
      <progress
        max={Math.max(1, Number(all))}
        value={Number(done)}
        aria-label={fieldLabel(field)}
        className="h-1.5 w-40"
      />
    </span>
  );
  const fields = {
    probed: progressOf('probed', probed, toProbe),
    toProbe: number(toProbe),
    numberOfProcessedNodes: progressOf('numberOfProcessedNodes', numberOfProcessedNodes, numberOfNodes),
  };
  return <ItemInfo data={data} without={without} fields={fields} />;
}
