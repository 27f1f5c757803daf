import { catalogue } from './catalogue';
import english from './catalogues/en-US/edit-conflict.json' with { type: 'json' };
import { say } from './say';

const texts = catalogue('edit-conflict', english).editConflictText;

export const editConflictText = {
  ...texts,
  edit: (who: string, fields: string, when: string) => say(texts.edit, { who, fields, when }),
  entries: (count: number) => say(texts.entries, { count }),
  /** By the names that the API has for them. */
  fields: texts.fields as Record<string, string>,
};
