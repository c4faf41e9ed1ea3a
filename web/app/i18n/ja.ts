// Japanese translations of the console by namespace, with the same keys as the English ones.

import { alerthub } from '@yagura/core/i18n/ja/alerthub';
import { bulk } from '@yagura/core/i18n/ja/bulk';
import { credential } from '@yagura/core/i18n/ja/credential';
import { diagram } from '@yagura/core/i18n/ja/diagram';
import { factor } from '@yagura/core/i18n/ja/factor';
import { format } from '@yagura/core/i18n/ja/format';
import { greac } from '@yagura/core/i18n/ja/greac';
import { label } from '@yagura/core/i18n/ja/label';
import { mailIn } from '@yagura/core/i18n/ja/mail-in';
import { notice } from '@yagura/core/i18n/ja/notice';
import { operator } from '@yagura/core/i18n/ja/operator';
import { pigeon } from '@yagura/core/i18n/ja/pigeon';
import { problem } from '@yagura/core/i18n/ja/problem';
import { recipe } from '@yagura/core/i18n/ja/recipe';
import { recording } from '@yagura/core/i18n/ja/recording';
import { rules } from '@yagura/core/i18n/ja/rules';
import { runbook } from '@yagura/core/i18n/ja/runbook';
import { schedule } from '@yagura/core/i18n/ja/schedule';
import { scope } from '@yagura/core/i18n/ja/scope';
import { sonar } from '@yagura/core/i18n/ja/sonar';
import { space } from '@yagura/core/i18n/ja/space';
import { stream } from '@yagura/core/i18n/ja/stream';
import { terminal } from '@yagura/core/i18n/ja/terminal';
import { verb } from '@yagura/core/i18n/ja/verb';
import { watch } from '@yagura/core/i18n/ja/watch';
import { web } from '@yagura/core/i18n/ja/web';
import { why } from '@yagura/core/i18n/ja/why';
import type { SameKeys } from '@yagura/core/i18n/same-keys';
import type { en } from './en.ts';

export const ja: { readonly [Room in keyof typeof en]: SameKeys<(typeof en)[Room]> } = {
  alerthub,
  bulk,
  credential,
  diagram,
  factor,
  format,
  greac,
  label,
  mailIn,
  notice,
  operator,
  pigeon,
  problem,
  recipe,
  recording,
  rules,
  runbook,
  schedule,
  scope,
  sonar,
  space,
  stream,
  terminal,
  verb,
  watch,
  web,
  why,
};
