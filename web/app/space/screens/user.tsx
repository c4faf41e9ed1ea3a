// A user: who they are, their roles with where each comes from, their groups, and the way to promote or demote them.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { Outlet, useFetcher, useLoaderData } from '@remix-run/react';
import { can } from '@yagura/core/access/claims';
import type { Page } from '@yagura/core/http/page';
import { type HeldRole, user, userAccess } from '@yagura/core/space/user';
import { userGroup } from '@yagura/core/space/user-group';
import { useState } from 'react';
import { itemData } from '../../resource/item-data.server.ts';
import { ItemHeader } from '../../resource/item-screen.tsx';
import { matchResource } from '../../resource/place.server.ts';
import { useRefusalToast } from '../../resource/use-refusal-toast.ts';
import { leave, refuse, removeAt } from '../../resource/write.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser } from '../../signin/grant.server.ts';
import { refuseForeign } from '../../signin/same-origin.server.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useTranslation } from '../../ui/words.tsx';

interface Belongings {
  apiTokens: string[];
  userGroups: string[];
  sessions: number;
}

export async function loader(args: LoaderFunctionArgs) {
  const id = args.params.userId!;
  const placed = matchResource(`/preference/users/${encodeURIComponent(id)}`);
  return withApi(args, async (api) => {
    const [data, person, belongings, held, groups] = await Promise.all([
      itemData(api, placed, id),
      getCurrentUser(api),
      api.client(userAccess).call<Belongings>('belongings', { id }),
      api.client(userAccess).call<{ items: HeldRole[] }>('roles-from-user-groups', { id }),
      api.client(user).call<Page<{ userGroupId: string; displayName: string }>>('user-groups', {
        id,
        query: { limit: 1000 },
      }),
    ]);
    const self = person.profile?.userId === id;
    return {
      ...data,
      may: { ...data.permissions, remove: data.permissions.remove && !self },
      belongings,
      inherited: held.items,
      groups: groups.items.map(({ userGroupId, displayName }) => ({ userGroupId, displayName })),
      mayEndSessions:
        data.permissions.edit &&
        !self &&
        (data.item.privileged !== true || person.profile?.privileged === true),
      mayRank: can(person.grant, 'space:users:promote', 'space:users:demote'),
      watches: [user.name, userGroup.name],
    };
  });
}

export async function action(args: ActionFunctionArgs) {
  refuseForeign(args.request, args.context);
  const form = await args.request.clone().formData();
  const intent = form.get('intent');
  if (intent !== 'promote' && intent !== 'demote' && intent !== 'end-sessions') return removeAt(args);
  const id = args.params.userId!;
  return withApi(args, async (api) => {
    try {
      await api.client(userAccess).call(intent, { id });
      return leave(`/preference/users/${encodeURIComponent(id)}`, 'saved');
    } catch (error) {
      return refuse(error, {});
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
        deleteText={<Goes belongings={data.belongings} />}
        actions={
          <>
            {data.mayEndSessions && (
              <Ask
                intent="end-sessions"
                text={t('users.end-sessions-text', { count: data.belongings.sessions })}
                danger
                path={base}
              />
            )}
            {data.mayRank && <Rank privileged={data.item.privileged === true} path={base} />}
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

/** What is deleted with the user. */
function Goes({ belongings }: { belongings: Belongings }) {
  const { t } = useTranslation();
  const { apiTokens, userGroups, sessions } = belongings;
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
      </ul>
      <p>{t('users.stays')}</p>
    </div>
  );
}

function Rank({ privileged, path }: { privileged: boolean; path: string }) {
  const { t } = useTranslation();
  const intent = privileged ? 'demote' : 'promote';
  return (
    <Ask key={intent} intent={intent} text={t(`users.${intent}-text`)} danger={!privileged} path={path} />
  );
}

interface Question {
  intent: 'promote' | 'demote' | 'end-sessions';
  text: string;
  danger: boolean;
  /** Where the answer is sent. */
  path: string;
}

/** A button that asks before it does. */
function Ask({ intent, text, danger, path }: Question) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const fetcher = useFetcher();
  const busy = fetcher.state !== 'idle';
  useRefusalToast(fetcher.data);
  const confirm = () => {
    setAsking(false);
    fetcher.submit({ intent }, { method: 'post', action: path });
  };
  return (
    <>
      <Button size="small" disabled={busy} onClick={() => setAsking(true)}>
        {t(`users.${intent}`)}
      </Button>
      <ConfirmDialog
        open={asking}
        title={t(`users.${intent}`)}
        text={text}
        confirmLabel={t(`users.${intent}`)}
        busyLabel={t('verb.saving')}
        danger={danger}
        busy={busy}
        onConfirm={confirm}
        onCancel={() => setAsking(false)}
      />
    </>
  );
}
