/** Page that leads to the logs of a session with a given id. */
export const sessionLogsPath = '/apps/greac/session-logs';
