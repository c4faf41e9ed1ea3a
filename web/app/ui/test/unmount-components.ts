// Removes what a test has rendered. Runs before every file: files share their modules, so that the hook that
// Testing Library sets when it is loaded would be the first file's alone.
import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';

afterEach(cleanup);
