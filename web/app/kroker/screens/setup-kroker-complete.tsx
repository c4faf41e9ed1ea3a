// Last page of the Kroker setup: the decision and links to continue.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { DocumentTitle } from '../../shell/navigation/document-title.tsx';
import { withApi } from '../../signin/api.server.ts';
import { LinkButton } from '../../ui/button.tsx';
import { useTranslation } from '../../ui/translation.tsx';

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export async function loader(args: LoaderFunctionArgs) {
  const { searchParams } = new URL(args.request.url);
  const krokerId = searchParams.get('kroker') ?? '';
  return withApi(args, async () => ({
    denied: searchParams.get('result') === 'denied',
    krokerId: uuidPattern.test(krokerId) ? krokerId : null,
  }));
}

export default function SetupKrokerComplete() {
  const { denied, krokerId } = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  return (
    <div className="grid gap-4">
      <DocumentTitle text={t('kroker.set-up-title')} />
      <h1 className="text-xl font-semibold">{t(denied ? 'kroker.denied' : 'kroker.approved')}</h1>
      <p className="text-sm">{t(denied ? 'kroker.denied-text' : 'kroker.approved-text')}</p>
      <LinkButton
        to={krokerId ? `/preference/kroker/list/${krokerId}` : '/preference/kroker/list'}
        variant="primary"
      >
        {t('kroker.to-kroker')}
      </LinkButton>
    </div>
  );
}
