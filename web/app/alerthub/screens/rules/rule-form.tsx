// The form of a rule with its test and replay, for the pages that create and edit one.
import { FormScreen, type FormScreenProps } from '../../../resource/form/form-screen.tsx';
import { useTranslation } from '../../../ui/translation.tsx';
import { MessagePathsContext } from '../../flow/data-paths.ts';
import { ReplayPanel } from '../../replay/replay-panel.tsx';
import { RuleTestPanel } from '../../rule-test/rule-test-panel.tsx';
import { ruleFields } from './rule-fields.tsx';
import type { RuleFormData } from './rule-form-data.server.ts';

export function RuleForm({ operators, messages, paths, ...form }: FormScreenProps & RuleFormData) {
  const { t } = useTranslation();
  return (
    <MessagePathsContext value={paths}>
      <FormScreen
        {...form}
        hints={{ forEach: t('alerthub.for-each-hint') }}
        fields={(values) => ruleFields(form.meta.form, values, operators, form.references)}
      >
        <RuleTestPanel messages={messages} />
        <ReplayPanel />
      </FormScreen>
    </MessagePathsContext>
  );
}
