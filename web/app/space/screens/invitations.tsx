// List of invitations: which mail was not sent, and a button to send it again.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { Link, useFetcher, useLoaderData } from '@remix-run/react';
import { can } from '@yagura/core/access/permissions';
import { permissionFor } from '@yagura/core/resource/define-resource';
import { invitation } from '@yagura/core/space/invitation';
import { mail } from '@yagura/core/space/mail';
import { useEffect } from 'react';
import { loader as loadList } from '../../resource/list/list.tsx';
import { ListScreen } from '../../resource/list/list-screen.tsx';
import { useProblemToast } from '../../resource/write/use-problem-toast.ts';
import { removeFromListAction, toProblemResponse } from '../../resource/write/write.server.ts';
import { usePoll } from '../../shell/live/use-poll.ts';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser } from '../../signin/current-user.server.ts';
import { rejectCrossSiteRequest } from '../../signin/same-origin.server.ts';
import { Button } from '../../ui/button.tsx';
import { useToast } from '../../ui/overlay/toast.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { type InvitationMail, invitationMails } from '../invitation-mails.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  const list = await loadList(args);
  const emails = list.rows.map(({ email }) => String(email));
  return withApi(args, async (api) => {
    const [mails, user] = await Promise.all([invitationMails(api, emails), getCurrentUser(api)]);
    const mayResend = can(user.permissions, permissionFor(invitation, 'resend'));
    return { ...list, mails, mailScreen: mail.screen!, mayResend };
  });
}

/** Sends an invitation again or deletes it, depending on the form. */
export async function action(args: ActionFunctionArgs) {
  const id = (await args.request.clone().formData()).get('resend');
  if (typeof id !== 'string') return removeFromListAction(args);
  rejectCrossSiteRequest(args.request, args.context);
  return withApi(args, async (api) => {
    try {
      await api.client(invitation).call('resend', { id });
      return { resent: id };
    } catch (error) {
      // The others of the list are still there.
      return toProblemResponse(error, {}, { redirect: false });
    }
  });
}

export default function Invitations() {
  const data = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  const mailTo = ({ email }: Record<string, unknown>) => data.mails[String(email)];
  usePoll(Object.values(data.mails).some(({ state }) => state === 'queued'));
  return (
    <ListScreen
      key={data.screen}
      data={data}
      notes={{ email: (row) => <UnsentMail mail={mailTo(row)} screen={data.mailScreen} /> }}
      rowAction={
        data.mayResend
          ? {
              label: t('users.resend'),
              render: ({ invitationId, email }) => (
                <ResendButton id={String(invitationId)} email={String(email)} />
              ),
            }
          : undefined
      }
    />
  );
}

/** Leads to the mail, which says why it was not sent. */
function UnsentMail({ mail, screen }: { mail: InvitationMail | undefined; screen: string }) {
  const { t } = useTranslation();
  if (!mail || mail.state === 'sent' || mail.state === 'queued') return null;
  return (
    <Link
      to={`${screen}/${encodeURIComponent(mail.mailId)}`}
      className="relative z-1 inline-block text-xs font-medium text-warning-fg underline"
    >
      {t(`users.mail-${mail.state}`)}
    </Link>
  );
}

function ResendButton({ id, email }: { id: string; email: string }) {
  const { t } = useTranslation();
  const toast = useToast();
  const fetcher = useFetcher<typeof action>();
  useProblemToast(fetcher.data);
  useEffect(() => {
    if (fetcher.data && 'resent' in fetcher.data) toast.success(t('users.resent', { email }));
  }, [fetcher.data]);
  return (
    <Button
      size="small"
      aria-label={`${t('users.resend')}: ${email}`}
      busy={fetcher.state !== 'idle'}
      onClick={() => fetcher.submit({ resend: id }, { method: 'post' })}
    >
      {t('users.resend')}
    </Button>
  );
}
