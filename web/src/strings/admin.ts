import { adminUsersText } from '@meetmark/i18n/texts/admin';

interface Person {
  firstName: string;
  lastName: string;
  email: string;
}

export function userQuestion(
  name: keyof typeof adminUsersText.questions,
  { firstName, lastName, email }: Person,
) {
  const words = adminUsersText.questions[name];
  return { ...words, question: words.question({ firstName, lastName, email }) };
}
