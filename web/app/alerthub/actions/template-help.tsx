// Collapsible list of the data available to an action's templates.

import { Icon } from '../../ui/icon.tsx';
import { CopyButton } from '../../ui/text/copy-id.tsx';
import { useTranslation } from '../../ui/translation.tsx';

type TemplateRoot =
  | 'event'
  | 'message'
  | 'relatedMessages'
  | 'scope'
  | 'scopeSeverities'
  | 'space'
  | 'trigger'
  | 'own';

/** Data roots with example tags. */
const roots: [root: TemplateRoot, examples: string[]][] = [
  [
    'event',
    [
      '{{event.severityName}}',
      '{{event.delta}}',
      '{{event.previousSeverity}}',
      '{{event.severity}}',
      '{{event.status}}',
    ],
  ],
  [
    'message',
    ['{{message.content.body}}', '{{message.content.data.level}}', '{{message.metadata.requestUrl}}'],
  ],
  [
    'relatedMessages',
    [
      '{{#relatedMessages}}{{receivedAt}} {{content.body}} {{/relatedMessages}}',
      '{{#relatedMessagesTruncated}}…{{/relatedMessagesTruncated}}',
    ],
  ],
  ['scope', ['{{scope.displayName}}', '{{scope.status}}', '{{scope.attributes.env}}']],
  ['scopeSeverities', ['{{#scopeSeverities}}{{name}}={{value}} {{/scopeSeverities}}']],
  ['space', ['{{space.displayName}}']],
  ['trigger', ['{{trigger.displayName}}']],
  ['own', ['{{level}}']],
];

export function TemplateHelp() {
  const { t } = useTranslation();
  return (
    <details className="rounded-md border border-line bg-surface-sunken text-sm [--turn:0deg] open:[--turn:90deg]">
      <summary className="flex min-h-8 items-center gap-1.5 rounded-md px-2.5 font-medium hover:bg-hover">
        <Icon name="right" size={13} className="rotate-(--turn)" />
        {t('alerthub.template-help')}
      </summary>
      <div className="grid gap-2 px-2.5 pt-1 pb-2.5">
        <p className="text-muted">{t('alerthub.template-help-text', { example: '{{scope.displayName}}' })}</p>
        <dl className="grid gap-2">
          {roots.map(([root, examples]) => (
            <div key={root}>
              <dt>{t(`alerthub.root.${root}`)}</dt>
              {examples.map((example) => (
                <dd key={example} className="flex items-center gap-1">
                  <code className="font-mono text-xs break-all text-muted">{example}</code>
                  <CopyButton text={example} label={t('ui.copy-of', { name: example })} />
                </dd>
              ))}
            </div>
          ))}
        </dl>
      </div>
    </details>
  );
}
