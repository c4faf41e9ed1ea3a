// Sets up tests of components. Runs before every file: files share their modules, so that the hook that Testing
// Library sets when it is loaded would be the first file's alone.
import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

// What a test waits for comes within milliseconds, unless the machine is busy with other tests.
configure({ asyncUtilTimeout: 10_000 });

afterEach(() => {
  cleanup();
  // Files share the window, too.
  globalThis.window?.history.replaceState(null, '');
});
