// Overview of a user: fields, and each role with its origins.
import { Link, useOutletContext } from '@remix-run/react';
import type { HeldRole } from '@yagura/core/space/user';
import { ItemInfo } from '../../resource/item/item-screen.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { Placeholder } from '../../ui/page/placeholder.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { RoleOrigins } from '../role-origins.tsx';
import type { UserData } from './user.tsx';

export default function UserOverview() {
  const data = useOutletContext<UserData>();
  const { t } = useTranslation();
  const own = data.item.roles as unknown as string[];
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <ItemInfo data={data} without={['roles']} />
      <div className="grid gap-5">
        <Panel title={t('users.roles')}>
          <RoleOrigins roles={mergeRoles(own, data.inherited)} />
        </Panel>
        <Panel title={t('users.groups')}>
          {data.groups.length === 0 && <Placeholder kind="empty" title={t('users.no-groups')} />}
          <ul>
            {data.groups.map(({ userGroupId, displayName }) => (
              <li key={userGroupId} className="border-b border-line px-4 py-2 text-sm last:border-0">
                <Link
                  to={`/preference/user-groups/${userGroupId}`}
                  prefetch="intent"
                  className="text-primary hover:underline"
                >
                  {displayName}
                </Link>
              </li>
            ))}
          </ul>
        </Panel>
      </div>
    </div>
  );
}

/** Merges direct and inherited roles, each role once. */
function mergeRoles(own: readonly string[], inherited: readonly HeldRole[]): HeldRole[] {
  const mine = { userGroupId: null, displayName: null };
  const groupsOf = (role: string) => inherited.find((held) => held.role === role)?.origins ?? [];
  return [
    ...own.map((role) => ({ role, origins: [mine, ...groupsOf(role)] })),
    ...inherited.filter(({ role }) => !own.includes(role)),
  ];
}
