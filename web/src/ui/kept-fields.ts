import { createContext } from 'react';

export interface KeptFields {
  latest: Map<string, object>;
  rescued: Map<string, object>;
}

export const KeptFieldsContext = createContext<KeptFields | null>(null);
