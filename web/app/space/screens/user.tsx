// Detail page of a user: identity, roles with their origins, groups, and buttons to promote or demote.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { Outlet, useFetcher, useLoaderData } from '@remix-run/react';
import { can } from '@yagura/core/access/permissions';
import type { Page } from '@yagura/core/http/page';
import { type HeldRole, user, userAccess } from '@yagura/core/space/user';
import { userGroup } from '@yagura/core/space/user-group';
import { useState } from 'react';
import { itemData } from '../../resource/item/item-data.server.ts';
import { ItemHeader } from '../../resource/item/item-screen.tsx';
import { matchResource } from '../../resource/match-resource.server.ts';
import { useProblemToast } from '../../resource/write/use-problem-toast.ts';
import {
  redirectWithNotice,
  removeItemAction,
  toProblemResponse,
} from '../../resource/write/write.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser } from '../../signin/current-user.server.ts';
import { rejectCrossSiteRequest } from '../../signin/same-origin.server.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx';
import { Tabs } from '../../ui/page/tabs.tsx';
import { useTranslation } from '../../ui/translation.tsx';

interface OwnedResources {
  apiTokens: string[];
  userGroups: string[];
  sessions: number;
  destinations: number;
}

export async function loader(args: LoaderFunctionArgs) {
  const id = args.params.userId!;
  const match = matchResource(`/preference/users/${encodeURIComponent(id)}`);
  return withApi(args, async (api) => {
    const [data, currentUser, ownedResources, inheritedRoles, groups] = await Promise.all([
      itemData(api, match, id),
      getCurrentUser(api),
      api.client(userAccess).call<OwnedResources>('belongings', { id }),
      api.client(userAccess).call<{ items: HeldRole[] }>('roles-from-user-groups', { id }),
      api.client(user).call<Page<{ userGroupId: string; displayName: string }>>('user-groups', {
        id,
        query: { limit: 1000 },
      }),
    ]);
    const self = currentUser.profile?.userId === id;
    return {
      ...data,
      permissions: { ...data.permissions, remove: data.permissions.remove && !self },
      ownedResources,
      inherited: inheritedRoles.items,
      groups: groups.items.map(({ userGroupId, displayName }) => ({ userGroupId, displayName })),
      mayEndSessions:
        data.permissions.edit &&
        !self &&
        (data.item.privileged !== true || currentUser.profile?.privileged === true),
      mayChangePrivileged: can(currentUser.permissions, 'space:users:promote', 'space:users:demote'),
      watches: [user.name, userGroup.name],
    };
  });
}

export async function action(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  const form = await args.request.clone().formData();
  const intent = form.get('intent');
  if (intent !== 'promote' && intent !== 'demote' && intent !== 'end-sessions') return removeItemAction(args);
  const id = args.params.userId!;
  return withApi(args, async (api) => {
    try {
      await api.client(userAccess).call(intent, { id });
      return redirectWithNotice(`/preference/users/${encodeURIComponent(id)}`, 'saved');
    } catch (error) {
      return toProblemResponse(error, {});
    }
  });
}

export type UserData = ReturnType<typeof useLoaderData<typeof loader>>;

export default function User() {
  const data = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  const base = `${data.screen}/${encodeURIComponent(String(data.item.userId))}`;
  return (
    <>
      <ItemHeader
        data={data}
        deleteText={<RemovedWithUser ownedResources={data.ownedResources} />}
        actions={
          <>
            {data.mayEndSessions && (
              <UserActionButton
                intent="end-sessions"
                text={t('users.end-sessions-text', { count: data.ownedResources.sessions })}
                danger
                path={base}
              />
            )}
            {data.mayChangePrivileged && (
              <PrivilegeButton privileged={data.item.privileged === true} path={base} />
            )}
          </>
        }
      />
      <Tabs
        tabs={[
          { to: base, label: t('page.overview'), end: true },
          { to: `${base}/powers`, label: t('users.powers') },
        ]}
      />
      <div className="pt-4">
        <Outlet context={data} />
      </div>
    </>
  );
}

/** Lists what is deleted with the user. */
function RemovedWithUser({ ownedResources }: { ownedResources: OwnedResources }) {
  const { t } = useTranslation();
  const { apiTokens, userGroups, sessions, destinations } = ownedResources;
  return (
    <div className="space-y-2">
      <p>{t('users.delete-text')}</p>
      <ul className="list-disc space-y-1 pl-5">
        <li>{t('users.goes-sessions', { count: sessions })}</li>
        <li>
          {t('users.goes-tokens', { count: apiTokens.length })}
          {apiTokens.length > 0 && `: ${apiTokens.join(', ')}`}
        </li>
        <li>
          {t('users.goes-groups', { count: userGroups.length })}
          {userGroups.length > 0 && `: ${userGroups.join(', ')}`}
        </li>
        <li>{t('users.goes-destinations', { count: destinations })}</li>
      </ul>
      <p>{t('users.stays')}</p>
    </div>
  );
}

function PrivilegeButton({ privileged, path }: { privileged: boolean; path: string }) {
  const { t } = useTranslation();
  const intent = privileged ? 'demote' : 'promote';
  return (
    <UserActionButton
      key={intent}
      intent={intent}
      text={t(`users.${intent}-text`)}
      danger={!privileged}
      path={path}
    />
  );
}

interface UserActionProps {
  intent: 'promote' | 'demote' | 'end-sessions';
  text: string;
  danger: boolean;
  /** URL that the form is posted to. */
  path: string;
}

/** Button with a confirmation. */
function UserActionButton({ intent, text, danger, path }: UserActionProps) {
  const { t } = useTranslation();
  const [isConfirming, setIsConfirming] = useState(false);
  const fetcher = useFetcher();
  const busy = fetcher.state !== 'idle';
  useProblemToast(fetcher.data);
  const confirm = () => {
    setIsConfirming(false);
    fetcher.submit({ intent }, { method: 'post', action: path });
  };
  return (
    <>
      <Button size="small" busy={busy} onClick={() => setIsConfirming(true)}>
        {t(`users.${intent}`)}
      </Button>
      <ConfirmDialog
        open={isConfirming}
        title={t(`users.${intent}`)}
        text={text}
        confirmLabel={t(`users.${intent}`)}
        busyLabel={t('verb.saving')}
        danger={danger}
        busy={busy}
        onConfirm={confirm}
        onCancel={() => setIsConfirming(false)}
      />
    </>
  );
}
