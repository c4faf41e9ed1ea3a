// Why a message led to what it led to, or to nothing: the decision log as sentences.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { explainWhy } from '@yagura/core/alerthub/decide/explain';
import { message } from '@yagura/core/alerthub/message';
import type { Why } from '@yagura/core/alerthub/why';
import { resourceNamed } from '@yagura/core/all';
import { loadTranslator } from '@yagura/core/words/dictionary';
import { hrefOf } from '../../resource/references.server.ts';
import { fillScreen } from '../../resource/screen-path.ts';
import { choiceOf } from '../../shell/choice.server.ts';
import { Panel } from '../../shell/panel.tsx';
import { screen } from '../../signin/api.server.ts';
import { mayOf, personOf } from '../../signin/grant.server.ts';
import { useWords } from '../../ui/words.tsx';
import { WhyPanel } from '../why-panel.tsx';

export async function loader(args: LoaderFunctionArgs) {
  return screen(args, async (api) => {
    const [why, t, person] = await Promise.all([
      api.client(message).call<Why>('why', { id: args.params.messageId! }),
      loadTranslator(choiceOf(args.request).language),
      personOf(api),
    ]);
    const lines = explainWhy(why, t);
    const hrefs: Record<string, string> = {};
    for (const { link } of lines) {
      if (!link) continue;
      const resource = resourceNamed(link.resource);
      const at = fillScreen(resource.screen, { scopeId: link.scopeId });
      if (!at || !mayOf(person, resource).show) continue;
      hrefs[link.id] = hrefOf(resource, at, { [resource.id]: link.id, scopeId: link.scopeId });
    }
    return { lines, hrefs, watches: ['message', 'event', 'action-record'] };
  });
}

export default function MessageWhy() {
  const { lines, hrefs } = useLoaderData<typeof loader>();
  const { t } = useWords();
  return (
    <Panel title={t('alerthub.why')} padded>
      <WhyPanel lines={lines} hrefOf={(link) => hrefs[link.id]} />
    </Panel>
  );
}
