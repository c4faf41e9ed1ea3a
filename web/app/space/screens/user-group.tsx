// Detail page of a user group: roles and members, with a row to add a member and a remove button on each.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { Link, useFetcher, useLoaderData } from '@remix-run/react';
import type { Page } from '@yagura/core/http/page';
import { fieldMeta, reference } from '@yagura/core/resource/field';
import { user } from '@yagura/core/space/user';
import { maxMembers, userGroup } from '@yagura/core/space/user-group';
import { ifPermitted } from '../../resource/if-permitted.server.ts';
import { itemData } from '../../resource/item/item-data.server.ts';
import { ItemHeader, ItemInfo } from '../../resource/item/item-screen.tsx';
import { matchResource } from '../../resource/match-resource.server.ts';
import { toActionProblem, useProblemToast } from '../../resource/write/use-problem-toast.ts';
import {
  redirectWithNotice,
  removeItemAction,
  toProblemResponse,
} from '../../resource/write/write.server.ts';
import { useActionResult } from '../../shell/feedback/use-action-result.ts';
import { withApi } from '../../signin/api.server.ts';
import { rejectCrossSiteRequest } from '../../signin/same-origin.server.ts';
import { IconButton } from '../../ui/button.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { Placeholder } from '../../ui/page/placeholder.tsx';
import { useTranslation } from '../../ui/translation.tsx';

interface Member {
  userId: string;
  displayName: string;
  email: string;
}

export async function loader(args: LoaderFunctionArgs) {
  const id = args.params.userGroupId!;
  const match = matchResource(`/preference/user-groups/${encodeURIComponent(id)}`);
  return withApi(args, async (api) => {
    const query = { limit: maxMembers, offset: 0, sort: 'displayName' };
    const [data, members, users] = await Promise.all([
      itemData(api, match, id),
      api.client(userGroup).call<Page<Member>>('users', { id, query }),
      ifPermitted(api, user, 'list', () => api.client(user).list(query), { items: [] }),
    ]);
    const known = new Set(members.items.map(({ userId }) => userId));
    const others = users.items.filter(({ userId }) => !known.has(userId));
    return {
      ...data,
      members: members.items,
      candidates: Object.fromEntries(
        others.map(({ userId, displayName, email }) => [userId, { name: `${displayName} (${email})` }]),
      ),
      fields: { userIds: { ...fieldMeta(reference('user')) } },
      watches: [userGroup.name, user.name],
    };
  });
}

export async function action(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  const form = await args.request.clone().formData();
  const intent = form.get('intent');
  if (intent !== 'add-users' && intent !== 'delete-users') return removeItemAction(args);
  const id = args.params.userGroupId!;
  const userIds = [String(form.get('userIds') ?? '')].filter(Boolean);
  return withApi(args, async (api) => {
    try {
      await api.client(userGroup).call(intent, { id, body: { userIds } });
      return redirectWithNotice(`/preference/user-groups/${encodeURIComponent(id)}`, 'saved');
    } catch (error) {
      return toProblemResponse(error, { userIds: userIds[0] });
    }
  });
}

export default function UserGroup() {
  const data = useLoaderData<typeof loader>();
  const actionProblem = toActionProblem(useActionResult());
  const { t } = useTranslation();
  useProblemToast(
    actionProblem && Object.keys(actionProblem.errors).length === 0 ? actionProblem : undefined,
  );
  const { members, permissions } = data;
  return (
    <>
      <ItemHeader data={data} />
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <ItemInfo data={data} />
        <Panel title={t('users.members')} note={<span className="text-sm text-muted">{members.length}</span>}>
          {members.length === 0 && <Placeholder kind="empty" title={t('users.no-members')} />}
          <ul>
            {members.map((member) => (
              <li
                key={member.userId}
                className="flex items-center gap-3 border-b border-line px-4 py-1.5 text-sm"
              >
                <span className="min-w-0 flex-1">
                  <Link
                    to={`/preference/users/${member.userId}`}
                    prefetch="intent"
                    className="text-primary hover:underline"
                  >
                    {member.displayName}
                  </Link>
                  <span className="block truncate text-xs text-muted" title={member.email}>
                    {member.email}
                  </span>
                </span>
                {permissions.edit && <RemoveMemberButton member={member} />}
              </li>
            ))}
          </ul>
          {permissions.edit && (
            <div className="px-4 py-3">
              <h3 className="mb-2 text-sm font-medium">{t('users.add-member')}</h3>
              <Form
                key={members.map(({ userId }) => userId).join()}
                meta={data.fields}
                values={actionProblem?.values}
                errors={actionProblem?.errors}
                references={{ user: data.candidates }}
                hidden={{ intent: 'add-users' }}
                submitLabel={t('users.add')}
              />
            </div>
          )}
        </Panel>
      </div>
    </>
  );
}

function RemoveMemberButton({ member }: { member: Member }) {
  const { t } = useTranslation();
  const fetcher = useFetcher();
  useProblemToast(fetcher.data);
  return (
    <IconButton
      icon="trash"
      label={t('users.remove-member', { name: member.displayName })}
      disabled={fetcher.state !== 'idle'}
      onClick={() => fetcher.submit({ intent: 'delete-users', userIds: member.userId }, { method: 'post' })}
    />
  );
}
