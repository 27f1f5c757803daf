import english from './catalogues/en-US/edit-conflict.json' with { type: 'json' };
import { said } from './say';

/** `fields`: by the names that the API has for them. */
export const { editConflictText } = said<
  typeof english & { editConflictText: { fields: Record<string, string> } },
  { editConflictText: { edit: [who: string, fields: string, when: string]; entries: [count: number] } }
>(english);
