import english from './catalogues/en-US/passwords.json' with { type: 'json' };
import { said } from './say';

export const { changePasswordText, resetText, resetRequestText } = said<
  typeof english,
  { resetRequestText: { mailBody: [name: string, email: string] } }
>(english);
