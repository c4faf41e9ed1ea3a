// Hosts that scans found of a node, how each was recognized, and splitting one off.
import { Link } from '@remix-run/react';
import type { Item } from '@yagura/core/resource/define-resource';
import type { managedNodeSnapshot } from '@yagura/core/sonar/managed-node';
import { useMemo, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { Time } from '../../ui/text/time.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { type LocalColumn, LocalTable } from '../inventory/local-table.tsx';
import { useDecision } from './use-decision.ts';

type Host = Item<typeof managedNodeSnapshot>;

export function HostList({ hosts, total, maySplit }: { hosts: Host[]; total: number; maySplit: boolean }) {
  const { t, fieldLabel, choiceLabel } = useTranslation();
  const columns = useMemo((): LocalColumn<Host>[] => {
    const shown: LocalColumn<Host>[] = [
      {
        name: 'createdAt',
        label: fieldLabel('createdAt'),
        value: (host) => host.createdAt,
        render: (host) => <Time value={host.createdAt} age={false} />,
      },
      {
        name: 'displayName',
        label: fieldLabel('displayName'),
        value: (host) => host.displayName,
        render: (host) => (
          <Link
            to={`/apps/sonar/networks/${host.networkId}/snapshots/${host.snapshotId}/nodes/${host.nodeId}`}
          >
            {host.displayName}
          </Link>
        ),
      },
      {
        name: 'matchedBy',
        label: fieldLabel('matchedBy'),
        value: (host) => (host.matchedBy ? choiceLabel(host.matchedBy) : t('sonar.identity.first')),
      },
    ];
    if (!maySplit) return shown;
    const label = t('sonar.split.run');
    const split = {
      name: 'split',
      label,
      value: () => label,
      isAction: true,
      render: (host: Host) => <SplitButton host={host} />,
    };
    return [...shown, split];
  }, [maySplit, t, fieldLabel, choiceLabel]);
  return (
    <Panel
      title={t('sonar.identity.hosts')}
      note={<span className="text-xs text-muted tabular-nums">{total}</span>}
    >
      <p className="px-4 py-2 text-sm text-muted">{t('sonar.identity.hosts-text')}</p>
      <LocalTable caption={t('sonar.identity.hosts')} columns={columns} rows={hosts} />
    </Panel>
  );
}

function SplitButton({ host }: { host: Host }) {
  const { t } = useTranslation();
  const [isConfirming, setIsConfirming] = useState(false);
  const { isBusy, post } = useDecision('split', () => setIsConfirming(false));
  const label = t('sonar.split.run');
  return (
    <>
      <Button size="small" aria-label={`${label}: ${host.displayName}`} onClick={() => setIsConfirming(true)}>
        {label}
      </Button>
      <ConfirmDialog
        open={isConfirming}
        title={t('sonar.split.title', { name: host.displayName })}
        text={t('sonar.split.text')}
        confirmLabel={label}
        busyLabel={label}
        danger={false}
        busy={isBusy}
        onConfirm={() => post(host.nodeId)}
        onCancel={() => setIsConfirming(false)}
      />
    </>
  );
}
