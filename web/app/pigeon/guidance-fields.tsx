// Guidance inputs that the generic form does not support.
import type { Reactions } from '@yagura/core/pigeon/guidance';
import type { ReactNode } from 'react';
import { MessageField } from './message-field.tsx';
import { ReactionsEditor } from './reactions-editor.tsx';

export function guidanceFields(values: Record<string, unknown>): Record<string, ReactNode> {
  return {
    messageTemplate: <MessageField value={String(values.messageTemplate ?? '')} />,
    reactions: <ReactionsEditor value={(values.reactions ?? {}) as Reactions} />,
  };
}
