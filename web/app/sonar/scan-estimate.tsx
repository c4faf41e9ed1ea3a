// What a scan would do, as estimated by the agent.
import { formatDuration } from '@yagura/core/format/duration';
import { exclusionReasons, type NeighborTablePlan } from '@yagura/core/inventory/scan-report';
import { Panel } from '../ui/page/panel.tsx';
import { type InfoRow, InfoTable } from '../ui/table/info-table.tsx';
import { useTranslation } from '../ui/translation.tsx';

export interface Estimate {
  addresses: number;
  packets: number;
  seconds: number;
  excluded: { network: string; reason: string }[];
  limits: { packetsPerSecond?: number; parallelHosts?: number; neighborTable?: NeighborTablePlan };
}

export function ScanEstimate({ estimate }: { estimate: Estimate }) {
  const { t, language } = useTranslation();
  const { addresses, packets, seconds, excluded, limits } = estimate;
  const number = (value: number) => value.toLocaleString(language);
  const reasonText = (reason: string) =>
    (exclusionReasons as readonly string[]).includes(reason)
      ? t(`sonar.exclusion.${reason as (typeof exclusionReasons)[number]}`)
      : reason;
  const rows: InfoRow[] = [
    { name: 'addresses', label: t('sonar.scan.addresses'), children: number(addresses) },
    { name: 'packets', label: t('sonar.scan.packets'), children: number(packets) },
    { name: 'seconds', label: t('sonar.scan.duration'), children: formatDuration(seconds, t) },
  ];
  if (limits.packetsPerSecond !== undefined)
    rows.push({
      name: 'packetsPerSecond',
      label: t('sonar.scan.per-second'),
      children: number(limits.packetsPerSecond),
    });
  if (limits.parallelHosts !== undefined)
    rows.push({
      name: 'parallelHosts',
      label: t('sonar.scan.parallel'),
      children: number(limits.parallelHosts),
    });
  if (limits.neighborTable !== undefined)
    rows.push({
      name: 'neighborTable',
      label: t('sonar.scan.neighbor-table'),
      children: t(`sonar.neighbor-table.${limits.neighborTable}`),
    });
  rows.push({
    name: 'excluded',
    label: t('sonar.scan.excluded'),
    children:
      excluded.length === 0 ? (
        t('sonar.scan.excluded-none')
      ) : (
        <ul>
          {excluded.map(({ network, reason }) => (
            <li key={`${network} ${reason}`}>
              <code className="font-mono">{network}</code>{' '}
              <span className="text-muted">{reasonText(reason)}</span>
            </li>
          ))}
        </ul>
      ),
  });
  return (
    <Panel title={t('sonar.scan.estimate-title')} padded>
      <p className="mb-2 text-sm text-muted">{t('sonar.scan.estimate-note')}</p>
      <InfoTable rows={rows} />
    </Panel>
  );
}
