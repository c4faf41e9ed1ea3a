// English translations of the console by namespace: everything except the CLI and the identity provider.

import { alerthub } from '@yagura/core/i18n/en/alerthub';
import { bulk } from '@yagura/core/i18n/en/bulk';
import { credential } from '@yagura/core/i18n/en/credential';
import { diagram } from '@yagura/core/i18n/en/diagram';
import { factor } from '@yagura/core/i18n/en/factor';
import { format } from '@yagura/core/i18n/en/format';
import { greac } from '@yagura/core/i18n/en/greac';
import { label } from '@yagura/core/i18n/en/label';
import { mailIn } from '@yagura/core/i18n/en/mail-in';
import { notice } from '@yagura/core/i18n/en/notice';
import { operator } from '@yagura/core/i18n/en/operator';
import { pigeon } from '@yagura/core/i18n/en/pigeon';
import { problem } from '@yagura/core/i18n/en/problem';
import { recipe } from '@yagura/core/i18n/en/recipe';
import { recording } from '@yagura/core/i18n/en/recording';
import { rules } from '@yagura/core/i18n/en/rules';
import { runbook } from '@yagura/core/i18n/en/runbook';
import { schedule } from '@yagura/core/i18n/en/schedule';
import { scope } from '@yagura/core/i18n/en/scope';
import { sonar } from '@yagura/core/i18n/en/sonar';
import { space } from '@yagura/core/i18n/en/space';
import { stream } from '@yagura/core/i18n/en/stream';
import { terminal } from '@yagura/core/i18n/en/terminal';
import { verb } from '@yagura/core/i18n/en/verb';
import { watch } from '@yagura/core/i18n/en/watch';
import { web } from '@yagura/core/i18n/en/web';
import { why } from '@yagura/core/i18n/en/why';

export const en = {
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
} as const;
