// Roles of a user with their origins: assigned directly, or through a group, which is a link.
import { Link } from '@remix-run/react';
import type { HeldRole } from '@yagura/core/space/user';
import { Placeholder } from '../ui/page/placeholder.tsx';
import { useTranslation } from '../ui/translation.tsx';

export function RoleOrigins({ roles }: { roles: readonly HeldRole[] }) {
  const { t } = useTranslation();
  if (roles.length === 0) return <Placeholder kind="empty" title={t('users.no-roles')} />;
  return (
    <dl>
      {roles.map(({ role, origins }) => (
        <div
          key={role}
          className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 border-b border-line px-4 py-2 text-sm last:border-0"
        >
          <dt className="font-medium">
            <code>{role}</code>
          </dt>
          <dd className="flex flex-wrap gap-x-3 text-muted">
            {origins.map(({ userGroupId, displayName }) =>
              userGroupId ? (
                <Link
                  key={userGroupId}
                  to={`/preference/user-groups/${userGroupId}`}
                  prefetch="intent"
                  className="inline-flex min-h-6 items-center"
                >
                  {t('users.from-group', { name: displayName ?? userGroupId })}
                </Link>
              ) : (
                <span key="own">{t('users.own')}</span>
              ),
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
