// Nonce of inline scripts; the browser reads it from the scripts of the page.
import { createContext } from 'react';

export const NonceContext = createContext<string | undefined>(undefined);
