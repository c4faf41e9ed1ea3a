// Runbooks.
export const runbook = {
  'runbook.notFailed': 'Only a failed step of a failed record can be run again',
} as const;
