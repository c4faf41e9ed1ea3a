// Sections of the console: under which heading and path an app appears in the drawer and in breadcrumbs.
import type { MessageKey } from '@yagura/core/i18n/message-key';
import type { App } from '@yagura/core/resource/define-resource';

interface AppSection {
  /** Message key of the heading. */
  labelKey: MessageKey;
  /** Where the first breadcrumb leads. */
  to: string;
}

const preference: AppSection = { labelKey: 'shell.preference', to: '/preference' };

export const appSections: Record<App, AppSection> = {
  alerthub: { labelKey: 'shell.alerthub', to: '/apps/alerthub' },
  sonar: { labelKey: 'shell.sonar', to: '/apps/sonar' },
  greac: { labelKey: 'shell.greac', to: '/apps/greac' },
  pigeon: { labelKey: 'shell.pigeon', to: '/apps/pigeon' },
  space: preference,
  kroker: preference,
  ksocket: preference,
  contract: preference,
  work: { labelKey: 'shell.devtool', to: '/apps/devtool/tasks' },
  devtool: { labelKey: 'shell.devtool', to: '/apps/devtool' },
};
