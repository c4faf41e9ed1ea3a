// The environment variables that the command reads, for the help and the manual.
import type { MessageKey } from '@yagura/core/i18n/message-key';

export const environmentVariables: readonly (readonly [names: string, description: MessageKey])[] = [
  ['YAGURA_URL, YAGURA_TOKEN', 'cli.env.url'],
  ['YAGURA_PROFILE', 'cli.env.profile'],
  ['YAGURA_LANG', 'cli.env.lang'],
  ['YAGURA_CONFIG_DIR', 'cli.env.config-dir'],
  ['YAGURA_DEBUG', 'cli.env.debug'],
  ['NO_COLOR, COLUMNS', 'cli.env.no-color'],
  ['VISUAL, EDITOR', 'cli.env.editor'],
  ['https_proxy, http_proxy, no_proxy', 'cli.env.proxy'],
];
