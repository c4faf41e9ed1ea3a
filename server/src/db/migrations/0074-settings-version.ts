import type { Migration } from '../migrate.ts';

export const settingsVersion: Migration = {
  number: 74,
  name: 'settings version',
  up: `
-- Advanced under the pipeline lock by writes of settings that evaluation must see, so that the next batch of another
-- server reads them again before the notification of the change has reached it.
create sequence pipeline_settings_version;
select nextval('pipeline_settings_version');
`,
};
