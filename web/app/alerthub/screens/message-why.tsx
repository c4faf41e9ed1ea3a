// Why a message led to what it led to, or to nothing: the decision log as sentences.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { explainWhy } from '@yagura/core/alerthub/decide/explain';
import { message } from '@yagura/core/alerthub/message';
import type { Why } from '@yagura/core/alerthub/why';
import { loadTranslator } from '@yagura/core/words/dictionary';
import { preferencesOf } from '../../shell/choice.server.ts';
import { Panel } from '../../shell/panel.tsx';
import { withApi } from '../../signin/api.server.ts';
import { useTranslation } from '../../ui/words.tsx';
import { hrefsOfLines } from '../line-links.server.ts';
import { WhyPanel } from '../why-panel.tsx';

export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    const [why, t] = await Promise.all([
      api.client(message).call<Why>('why', { id: args.params.messageId! }),
      loadTranslator(preferencesOf(args.request).language),
    ]);
    const lines = explainWhy(why, t);
    const hrefs = await hrefsOfLines(api, lines);
    return { lines, hrefs, watches: ['message', 'event', 'action-record'] };
  });
}

export default function MessageWhy() {
  const { lines, hrefs } = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  return (
    <Panel title={t('alerthub.why')} padded>
      <WhyPanel lines={lines} hrefOf={(link) => hrefs[link.id]} />
    </Panel>
  );
}
