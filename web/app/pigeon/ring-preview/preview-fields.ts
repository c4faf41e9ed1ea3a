/** Names of the fields of a preview request; they do not occur in the form around the panel. */
export const previewFields = {
  intent: 'ring-preview',
  callflowId: 'ring-preview-callflow',
  guidanceId: 'ring-preview-guidance',
  parameters: 'ring-preview-parameters',
  assumptions: 'ring-preview-assumptions',
} as const;

export const previewIntent = 'show';
