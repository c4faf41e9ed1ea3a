/** Names of the fields of a request for a preview or a call; they do not occur in the form around the panel. */
export const previewFields = {
  intent: 'ring-preview',
  callflowId: 'ring-preview-callflow',
  guidanceId: 'ring-preview-guidance',
  parameters: 'ring-preview-parameters',
  assumptions: 'ring-preview-assumptions',
} as const;

export const previewIntent = 'show';
export const callIntent = 'call';

export interface RequestedCall {
  /** Empty: the callflow of the form around the panel. */
  callflowId: string;
  guidanceId: string;
  parameters: Record<string, unknown>;
}

/** Fields of a request; without assumptions nobody answers. */
export function requestFields(
  intent: typeof previewIntent | typeof callIntent,
  { callflowId, guidanceId, parameters }: RequestedCall,
  assumptions: object = {},
): Record<string, string> {
  return {
    [previewFields.intent]: intent,
    [previewFields.callflowId]: callflowId,
    [previewFields.guidanceId]: guidanceId,
    [previewFields.parameters]: JSON.stringify(parameters),
    [previewFields.assumptions]: JSON.stringify(assumptions),
  };
}
