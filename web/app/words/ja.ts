// The Japanese words of pages by room, the same keys as in English.

import { alerthub } from '@yagura/core/words/ja/alerthub';
import { bulk } from '@yagura/core/words/ja/bulk';
import { credential } from '@yagura/core/words/ja/credential';
import { diagram } from '@yagura/core/words/ja/diagram';
import { factor } from '@yagura/core/words/ja/factor';
import { format } from '@yagura/core/words/ja/format';
import { greac } from '@yagura/core/words/ja/greac';
import { label } from '@yagura/core/words/ja/label';
import { mailIn } from '@yagura/core/words/ja/mail-in';
import { mute } from '@yagura/core/words/ja/mute';
import { notice } from '@yagura/core/words/ja/notice';
import { operator } from '@yagura/core/words/ja/operator';
import { pigeon } from '@yagura/core/words/ja/pigeon';
import { problem } from '@yagura/core/words/ja/problem';
import { rules } from '@yagura/core/words/ja/rules';
import { runbook } from '@yagura/core/words/ja/runbook';
import { schedule } from '@yagura/core/words/ja/schedule';
import { sonar } from '@yagura/core/words/ja/sonar';
import { space } from '@yagura/core/words/ja/space';
import { verb } from '@yagura/core/words/ja/verb';
import { watch } from '@yagura/core/words/ja/watch';
import { web } from '@yagura/core/words/ja/web';
import { why } from '@yagura/core/words/ja/why';
import type { SameKeys } from '@yagura/core/words/same';
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
  mute,
  notice,
  operator,
  pigeon,
  problem,
  rules,
  runbook,
  schedule,
  sonar,
  space,
  verb,
  watch,
  web,
  why,
};
