import english from './catalogues/en-US/codes.json' with { type: 'json' };
import { said } from './say';

export const { codesText, signInCodeText, verificationText } = said<
  typeof english,
  {
    codesText: { sentTo: [email: string]; ifAccount: [email: string] };
    verificationText: { banner: [email: string] };
  }
>(english);
