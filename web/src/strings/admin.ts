import { adminUsersText } from '@meetmark/contracts/texts/admin';

interface Person {
  firstName: string;
  lastName: string;
  email: string;
}

/** What is asked before something is done to an account. */
export function userQuestion(
  name: keyof typeof adminUsersText.questions,
  { firstName, lastName, email }: Person,
) {
  const words = adminUsersText.questions[name];
  return { ...words, question: words.question({ firstName, lastName, email }) };
}
