import { catalogue } from './catalogue';
import english from './catalogues/en-US/language.json' with { type: 'json' };

export const { languageText } = catalogue('language', english);
