// Effective permissions of a user: each with the roles that grant it and their origins.

import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { resourceNamed } from '@yagura/core/all';
import { dataKey } from '@yagura/core/i18n/message-key';
import type { Noun } from '@yagura/core/resource/define-resource';
import type { PermissionGroup } from '@yagura/core/space/permission-groups';
import { type HeldRole, userAccess } from '@yagura/core/space/user';
import { useId, useState } from 'react';
import { formatNoun } from '../../shell/navigation/crumb.ts';
import { withApi } from '../../signin/api.server.ts';
import { Icon } from '../../ui/icon.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { Placeholder } from '../../ui/page/placeholder.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { type PermissionRow, toPermissionRows } from '../permission-rows.ts';
import { RoleOrigins } from '../role-origins.tsx';

interface PermissionsData {
  privileged: boolean;
  disabled: boolean;
  roles: HeldRole[];
  powers: PermissionGroup[];
}

interface PermissionGroupRow extends PermissionGroup {
  noun: Noun;
}

export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    const found = await api.client(userAccess).call<PermissionsData>('powers', { id: args.params.userId! });
    const rows: PermissionGroupRow[] = found.powers.map((power) => ({
      ...power,
      noun: resourceNamed(power.resource).noun,
    }));
    return { ...found, powers: rows, watches: ['user', 'user-group'] };
  });
}

export default function UserPermissions() {
  const { privileged, disabled, roles, powers } = useLoaderData<typeof loader>();
  const { t, language } = useTranslation();
  const [text, setText] = useState('');
  const search = useId();
  const query = text.trim().toLowerCase();
  const shown = powers.filter(({ permission, noun }) =>
    `${permission} ${noun.en.join(' ')} ${noun.ja}`.toLowerCase().includes(query),
  );
  const nouns = new Map(shown.map(({ resource, noun }) => [resource, noun]));
  const rows = toPermissionRows(shown);
  const apps = [...new Set(rows.map(({ app }) => app))];
  const origins = (role: string) => roles.find((held) => held.role === role)?.origins ?? [];
  const why = ({ allowed, roles: giving }: PermissionRow) => {
    if (allowed && privileged) return t('users.why-privileged');
    if (!allowed)
      return giving.length > 0
        ? t('users.would-give', { roles: giving.join(', ') })
        : t('users.privileged-only');
    return giving
      .map((role) => {
        const from = origins(role).map(({ displayName }) =>
          displayName ? t('users.from-group', { name: displayName }) : t('users.own'),
        );
        return `${role} (${from.join(', ')})`;
      })
      .join(', ');
  };
  return (
    <div className="grid gap-5">
      {disabled && (
        <p role="note" className="rounded-md bg-warning-bg px-3 py-2 text-sm text-warning-fg">
          {t('users.powers-disabled')}
        </p>
      )}
      <Panel title={t('users.roles')}>
        {privileged ? (
          <p className="px-4 py-3 text-sm">{t('users.privileged-may')}</p>
        ) : (
          <RoleOrigins roles={roles} />
        )}
      </Panel>
      <Panel
        title={t('users.permissions')}
        note={
          <span className="text-sm text-muted">
            {t('users.allowed-of', {
              allowed: shown.filter(({ allowed }) => allowed).length,
              total: shown.length,
            })}
          </span>
        }
        actions={
          <>
            <label htmlFor={search} className="sr-only">
              {t('users.find-permission')}
            </label>
            <input
              id={search}
              type="search"
              value={text}
              placeholder={t('users.find-permission')}
              onChange={(event) => setText(event.target.value)}
              className="h-8 w-48 rounded-md border border-line bg-surface px-2 text-sm"
            />
          </>
        }
      >
        {shown.length === 0 && <Placeholder kind="empty" />}
        {apps.map((app) => (
          <section key={app} aria-labelledby={`${search}-${app}`}>
            <h3
              id={`${search}-${app}`}
              className="border-b border-line bg-surface-sunken px-4 py-1.5 text-xs font-semibold"
            >
              {t(dataKey(`users.app-${app}`))}
            </h3>
            <ul>
              {rows
                .filter((row) => row.app === app)
                .map((row) => (
                  <li
                    key={`${row.prefix} ${row.allowed} ${row.roles.join()}`}
                    className="grid gap-x-4 gap-y-1 border-b border-line px-4 py-2 text-sm sm:grid-cols-[minmax(0,14rem)_minmax(0,20rem)_minmax(0,1fr)]"
                  >
                    <span className="min-w-0">
                      <span className="block">{formatNoun(nouns.get(row.resource)!, language, 'many')}</span>
                      <code className="text-xs break-all text-muted">{row.prefix}</code>
                    </span>
                    <span className="flex items-start gap-2">
                      <span className={row.allowed ? 'mt-0.5 text-success-fg' : 'mt-0.5 text-muted'}>
                        <Icon name={row.allowed ? 'check' : 'close'} />
                        <span className="sr-only">{t(row.allowed ? 'users.can' : 'users.cannot')}</span>
                      </span>
                      <span className="flex flex-wrap gap-1">
                        {row.actions.map((action) => (
                          <code
                            key={action}
                            title={`${row.prefix}:${action}`}
                            className="rounded-sm bg-surface-sunken px-1.5 py-0.5 text-xs"
                          >
                            {action}
                          </code>
                        ))}
                      </span>
                    </span>
                    <span className="text-muted">{why(row)}</span>
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </Panel>
    </div>
  );
}
