// `why --event`: explains what raised an event and what it caused. Loaded on demand because it imports the
// schemas.
import { eventExplanation } from '@yagura/core/alerthub/decision-log';
import { explainEvent } from '@yagura/core/alerthub/engine/explain/explain-event';
import { shapeFields } from '@yagura/core/resource/field';
import { callStandalone } from '@yagura/core/standalone-calls';
import type { DataOptions } from '../command-line/data-options.ts';
import { isTableFormat, parseOutputFormat } from '../resource/output/output-format.ts';
import { writeItem } from '../resource/output/write-output.ts';
import { openSession } from '../signin/session.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { writeLines } from './show-why.ts';

export async function showEventWhy(terminal: Terminal, eventId: string, options: DataOptions): Promise<void> {
  const fields = shapeFields(eventExplanation);
  const columns = Object.keys(fields);
  const format = parseOutputFormat(options, columns);
  const { transport } = openSession(terminal);
  const why = await callStandalone(transport, 'event-why', { params: { eventId }, signal: terminal.signal });
  if (format && !isTableFormat(format))
    await writeItem(terminal, { ...why }, { fields, columns }, format, transport);
  else writeLines(terminal, explainEvent(why, terminal.t));
}
