// Form that leads to the logs of a session, for auditors who do not see the list of sessions.
import { type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { can } from '@yagura/core/access/permissions';
import { session, sessionLog } from '@yagura/core/greac/session';
import { Problem } from '@yagura/core/http/problem';
import { permissionFor } from '@yagura/core/resource/define-resource';
import { type Crumb, formatNoun } from '../../shell/navigation/crumb.ts';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser } from '../../signin/current-user.server.ts';
import { Button } from '../../ui/button.tsx';
import { controlClass, controlProps, FieldFrame } from '../../ui/field/field-frame.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { sessionLogsPath } from '../session-logs-path.ts';

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

export async function loader(args: LoaderFunctionArgs) {
  const given = new URL(args.request.url).searchParams.get('session') ?? '';
  return withApi(args, async (api) => {
    const { permissions } = await getCurrentUser(api);
    if (!can(permissions, permissionFor(sessionLog, 'log-parts'))) throw new Problem('forbidden');
    const [sessionId] = uuid.exec(given) ?? [];
    if (sessionId) return redirect(`${session.screen}/${sessionId.toLowerCase()}/logs`);
    const crumbs: Crumb[] = [
      { to: '/apps/greac', labelKey: 'shell.greac' },
      { to: sessionLogsPath, noun: sessionLog.noun },
    ];
    return { given, noun: sessionLog.noun, crumbs };
  });
}

export default function FindSessionLogs() {
  const { given, noun } = useLoaderData<typeof loader>();
  const { t, language } = useTranslation();
  const frame = {
    ...{ name: 'session', label: t('greac.session-or-link'), hint: t('greac.session-or-link-hint') },
    ...{ required: true, error: given === '' ? undefined : t('greac.no-session-id') },
  };
  return (
    <div className="grid max-w-xl gap-4">
      <h1 className="text-xl font-semibold">{formatNoun(noun, language, 'many')}</h1>
      {/* A document of its own: see `DesktopDocument`. */}
      <form method="get" action={sessionLogsPath} className="grid gap-3">
        <FieldFrame {...frame}>
          <input
            {...controlProps(frame)}
            key={given}
            defaultValue={given}
            required
            autoComplete="off"
            spellCheck={false}
            className={`${controlClass} h-8`}
          />
        </FieldFrame>
        <div>
          <Button type="submit" variant="primary">
            {t('recording.view')}
          </Button>
        </div>
      </form>
    </div>
  );
}
