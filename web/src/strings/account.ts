import { catalogue } from './catalogue';
import english from './catalogues/en-US/account.json' with { type: 'json' };

export const { accountMenuText } = catalogue('account', english);
