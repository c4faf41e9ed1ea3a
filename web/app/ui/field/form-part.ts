// Name of a form among several on its page, which tells the ids of their fields apart.
import { createContext } from 'react';

/** Undefined for the only or the main form of a page. */
export const FormPartContext = createContext<string | undefined>(undefined);
