// All translations in one dictionary.

import type { en } from '../en/all.ts';
import type { SameKeys } from '../same-keys.ts';
import { agent } from './agent.ts';
import { alerthub } from './alerthub.ts';
import { bulk } from './bulk.ts';
import { call } from './call.ts';
import { callDetail } from './call-detail.ts';
import { card } from './card.ts';
import { cli } from './cli.ts';
import { credential } from './credential.ts';
import { diagram } from './diagram.ts';
import { external } from './external.ts';
import { factor } from './factor.ts';
import { format } from './format.ts';
import { greac } from './greac.ts';
import { label } from './label.ts';
import { mail } from './mail.ts';
import { mailIn } from './mail-in.ts';
import { notice } from './notice.ts';
import { operator } from './operator.ts';
import { pigeon } from './pigeon.ts';
import { plan } from './plan.ts';
import { problem } from './problem.ts';
import { recipe } from './recipe.ts';
import { recording } from './recording.ts';
import { refusal } from './refusal.ts';
import { rules } from './rules.ts';
import { runbook } from './runbook.ts';
import { schedule } from './schedule.ts';
import { scope } from './scope.ts';
import { signin } from './signin.ts';
import { sonar } from './sonar.ts';
import { space } from './space.ts';
import { stream } from './stream.ts';
import { terminal } from './terminal.ts';
import { tui } from './tui.ts';
import { verb } from './verb.ts';
import { watch } from './watch.ts';
import { web } from './web.ts';
import { why } from './why.ts';

export const ja: SameKeys<typeof en> = {
  ...agent,
  ...alerthub,
  ...call,
  ...callDetail,
  ...card,
  ...bulk,
  ...cli,
  ...credential,
  ...diagram,
  ...external,
  ...factor,
  ...format,
  ...greac,
  ...label,
  ...mail,
  ...mailIn,
  ...notice,
  ...operator,
  ...pigeon,
  ...plan,
  ...problem,
  ...recipe,
  ...recording,
  ...refusal,
  ...rules,
  ...runbook,
  ...schedule,
  ...scope,
  ...signin,
  ...sonar,
  ...space,
  ...stream,
  ...terminal,
  ...tui,
  ...verb,
  ...watch,
  ...web,
  ...why,
};
