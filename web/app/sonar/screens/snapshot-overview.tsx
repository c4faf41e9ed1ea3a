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
  const { status, reason, probed, toProbe } = data.item;
  const isStarted = status === 'started';
  const without = [
    ...(isStarted ? [] : ofRunning),
    ...(isStarted || status === 'requested' ? ofEnded : []),
    ...(reason === null ? ['reason'] : []),
  ];
  const number = (value: unknown) => (
    <span className="tabular-nums">{Number(value).toLocaleString(language)}</span>
  );
  const progress = (
    <span className="flex items-center gap-3">
      {number(probed)}
      <progress
        max={Math.max(1, Number(toProbe))}
        value={Number(probed)}
        aria-label={fieldLabel('probed')}
        className="h-1.5 w-40"
      />
    </span>
  );
  return <ItemInfo data={data} without={without} fields={{ probed: progress, toProbe: number(toProbe) }} />;
}
