// Addresses, interfaces, neighbors, routes and listening ports of a host as tables, each with its source.
import type { Evidence, HostInventory, InventoryGroup } from '@yagura/core/inventory/host-inventory';
import { useMemo } from 'react';
import { Panel } from '../../ui/page/panel.tsx';
import { Time } from '../../ui/text/time.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { type LocalColumn, LocalTable } from './local-table.tsx';

type TableField = 'addresses' | 'interfaces' | 'neighbors' | 'routes' | 'listening';
type Row = Record<string, unknown>;

/** Columns by field; a column that needs more than its text is in `texts`. */
const tables: Record<TableField, readonly string[]> = {
  addresses: ['addr', 'subnet', 'macaddr', 'hostnames', 'services'],
  interfaces: ['ifname', 'linkState', 'addr', 'netmask', 'macaddr'],
  listening: ['port', 'protocol', 'address', 'process'],
  routes: ['destination', 'gateway', 'ifname', 'metric', 'protocol'],
  neighbors: ['ifname', 'remoteName', 'remoteIfname', 'remoteAddr', 'macaddr', 'vlan', 'protocol'],
};

/** Fields of an item that are shown in tables of their own. */
export const tableFields = [...Object.keys(tables), 'evidence'];

const texts: Record<string, (value: unknown) => string> = {
  hostnames: (value) => (value as { hostname: string }[]).map(({ hostname }) => hostname).join(', '),
  services: (value) =>
    (value as HostInventory['addresses'][number]['services'])
      .map(({ name, port, proto, product, version }) =>
        [typeof port === 'number' ? `${name} ${proto ?? 'tcp'}/${port}` : name, product, version]
          .filter(Boolean)
          .join(' '),
      )
      .join(', '),
};

/** Sources of the host's other data. */
const otherGroups: InventoryGroup[] = ['system', 'packages', 'windowsUpdates', 'services'];

export function InventoryTables({ item }: { item: Row }) {
  const { t, choiceLabel } = useTranslation();
  const evidence = (item.evidence ?? []) as Evidence[];
  const others = evidence.filter(({ group }) => otherGroups.includes(group));
  return (
    <div className="mt-4 grid grid-cols-1 gap-4">
      {(Object.keys(tables) as TableField[]).map((field) => (
        <InventoryTable
          key={field}
          field={field}
          rows={(item[field] ?? []) as Row[]}
          evidence={evidence.filter(({ group }) => group === field)}
        />
      ))}
      {others.length > 0 && (
        <Panel title={t('sonar.inventory.sources')} padded>
          <ul className="grid gap-1 text-sm">
            {others.map((one) => (
              <li key={`${one.group} ${one.source}`}>
                {choiceLabel(one.group)} <Source evidence={one} />
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </div>
  );
}

function InventoryTable(props: { field: TableField; rows: Row[]; evidence: Evidence[] }) {
  const { field, rows } = props;
  const { fieldLabel } = useTranslation();
  const columns = useMemo(
    () =>
      tables[field].map(
        (name): LocalColumn<Row> => ({
          name,
          label: fieldLabel(name),
          value: (row) => {
            const value = row[name];
            return value === undefined ? value : (texts[name]?.(value) ?? (value as string | number));
          },
        }),
      ),
    [field, fieldLabel],
  );
  if (rows.length === 0) return null;
  return (
    <Panel
      title={fieldLabel(field)}
      note={
        <span className="flex flex-wrap gap-x-3 text-xs text-muted">
          <span className="tabular-nums">{rows.length}</span>
          {props.evidence.map((one) => (
            <Source key={one.source} evidence={one} />
          ))}
        </span>
      }
    >
      <LocalTable caption={fieldLabel(field)} columns={columns} rows={rows} />
    </Panel>
  );
}

/** Where data was read, when, and with which credential file. */
function Source({ evidence: { source, at, credential } }: { evidence: Evidence }) {
  const { choiceLabel } = useTranslation();
  return (
    <span className="text-xs text-muted">
      {choiceLabel(source)}
      {credential && ` (${credential})`} · <Time value={at} />
    </span>
  );
}
