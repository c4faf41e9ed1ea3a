// Names of the replay inputs inside the settings form.
export const replayFields = { intent: 'intent', days: 'replayDays', id: 'replayId' } as const;
