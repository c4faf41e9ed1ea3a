// The nonce of the page's inline scripts; the browser reads it off the scripts that came with the page.
import { createContext } from 'react';

export const NonceContext = createContext<string | undefined>(undefined);
