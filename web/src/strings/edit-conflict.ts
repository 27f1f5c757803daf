import type { EventFields } from '@meetmark/contracts';
import english from './catalogues/en-US/edit-conflict.json' with { type: 'json' };
import { said } from './say';

/** By the names that the API has for them. A co-host who changed is a host who changed. */
type Named = Record<string, string> & Record<Exclude<keyof EventFields, 'coHosts'>, string>;

export const { editConflictText } = said<
  typeof english & { editConflictText: { fields: Named } },
  { editConflictText: { edit: [who: string, fields: string, when: string]; entries: [count: number] } }
>(english);
