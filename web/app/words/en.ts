// The English words of pages by room: all of the product's but those of the terminal and the identity provider.

import { alerthub } from '@yagura/core/words/en/alerthub';
import { bulk } from '@yagura/core/words/en/bulk';
import { credential } from '@yagura/core/words/en/credential';
import { diagram } from '@yagura/core/words/en/diagram';
import { factor } from '@yagura/core/words/en/factor';
import { format } from '@yagura/core/words/en/format';
import { greac } from '@yagura/core/words/en/greac';
import { label } from '@yagura/core/words/en/label';
import { mailIn } from '@yagura/core/words/en/mail-in';
import { mute } from '@yagura/core/words/en/mute';
import { notice } from '@yagura/core/words/en/notice';
import { operator } from '@yagura/core/words/en/operator';
import { pigeon } from '@yagura/core/words/en/pigeon';
import { problem } from '@yagura/core/words/en/problem';
import { rules } from '@yagura/core/words/en/rules';
import { runbook } from '@yagura/core/words/en/runbook';
import { schedule } from '@yagura/core/words/en/schedule';
import { sonar } from '@yagura/core/words/en/sonar';
import { space } from '@yagura/core/words/en/space';
import { verb } from '@yagura/core/words/en/verb';
import { watch } from '@yagura/core/words/en/watch';
import { web } from '@yagura/core/words/en/web';
import { why } from '@yagura/core/words/en/why';

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
} as const;
