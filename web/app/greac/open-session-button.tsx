// Button that opens a session at a destination and goes to its page.
import { useFetcher, useNavigate } from '@remix-run/react';
import { useEffect } from 'react';
import { useProblemToast } from '../resource/write/use-problem-toast.ts';
import { Button } from '../ui/button.tsx';
import { useTranslation } from '../ui/translation.tsx';

const action = '/apps/greac/connect';

/** What the action returns for a new session. */
export interface OpenedSession {
  href: string;
  isDesktop: boolean;
}

export function OpenSessionButton(props: {
  destinationId: string;
  /** Initial remarks of the session. */
  remarks?: string | undefined;
  /** The message that it is opened for. */
  messageId?: string | undefined;
  label?: string;
}) {
  const { t } = useTranslation();
  const fetcher = useFetcher<{ opened?: OpenedSession }>();
  useProblemToast(fetcher.data);
  const navigate = useNavigate();
  const opened = fetcher.data?.opened;
  useEffect(() => {
    // See `DesktopDocument`.
    if (opened?.isDesktop) window.location.assign(opened.href);
    else if (opened) navigate(opened.href);
  }, [opened, navigate]);
  const { destinationId, remarks = '', messageId = '' } = props;
  const fields = { destinationId, remarks, messageId };
  return (
    // A form, so that a click before the page is hydrated opens the session, too.
    <form
      method="post"
      action={action}
      // Its route is known before the click.
      data-discover="true"
      className="contents"
      onSubmit={(event) => {
        event.preventDefault();
        fetcher.submit(fields, { method: 'post', action });
      }}
    >
      {Object.entries({ ...fields, document: 'yes' }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button type="submit" variant="primary" busy={fetcher.state !== 'idle'}>
        {props.label ?? t('greac.connect')}
      </Button>
    </form>
  );
}
