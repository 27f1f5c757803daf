import english from './catalogues/en-US/account.json' with { type: 'json' };
import { said } from './say';

export const { accountMenuText } = said(english);
